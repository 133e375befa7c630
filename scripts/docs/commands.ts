/** docs/commands.md: for each command its usage, its options and its examples. */
import type { Command } from 'commander';
import { tableOf } from './markdown.ts';
import type { LoadedProgram } from './program.ts';

export function commandsPage({ program, examplesOf }: LoadedProgram): string {
  const commands = withoutHelp(program).flatMap((command) =>
    command.commands.length > 0 ? withoutHelp(command) : [command],
  );
  const shared = sharedOptions(commands);
  const sections = commands.map((command) => section(command, shared, examplesOf(command)));
  const index = [...Map.groupBy(commands, groupOf)].map(([group, its]) => [
    group,
    its.map((command) => `[\`${nameOf(command)}\`](#${anchorOf(command)})`).join(', '),
  ]);
  return [
    `${head}\n${tableOf(['group', 'commands'], index)}`,
    `## Shared options\n\n${sharedTable(shared)}`,
    ...sections,
  ].join('\n');
}

/** Returns the group of a command in the help, such as `Main`. */
function groupOf(command: Command): string {
  const { parent } = command;
  return (parent?.parent ? parent : command).helpGroup().replace(/:$/, '');
}

/** Options that as many commands have are explained once. */
const manyCommands = 3;

/** Options that most commands have together: a command names the group in place of its options. */
const groups: Readonly<Record<string, readonly string[]>> = {
  declaration: ['--file', '--allow-env'],
  connection: ['--api-url', '--manager-url', '--timeout', '--retries', '--log-http'],
  journal: ['--backend', '--journal'],
  accounts: ['--all', '--parallel-accounts'],
  peer: ['--country', '--city', '--session', '--dns', '--direct'],
  safety: ['--allow-self-lockout', '--allow-unclear-listing', '--force-ports'],
};

/** Returns the meanings of options that many commands have, by their terms. A term such as `--format` has another meaning in most of them. */
function sharedOptions(commands: readonly Command[]): Map<string, string> {
  const shared = new Map<string, string>();
  for (const [term, rows] of Map.groupBy(commands.flatMap(optionsOf), ([term]) => term)) {
    const byMeaning = Map.groupBy(rows, ([, meaning]) => meaning);
    const [meaning = '', count = 0] =
      [...byMeaning].map(([text, its]) => [text, its.length] as const).sort((a, b) => b[1] - a[1])[0] ?? [];
    if (count >= manyCommands && count > rows.length / 2) shared.set(term, meaning);
  }
  return shared;
}

/** Returns the table of the options that are explained once: each group, then the others. */
function sharedTable(shared: ReadonlyMap<string, string>): string {
  const rows = [...shared].map(([term, meaning]): [group: string, ...Row] => {
    const [group = ''] = Object.entries(groups).find(([, names]) => names.includes(nameIn(term))) ?? [];
    return [group, term, meaning];
  });
  const order = [...Object.keys(groups), ''];
  const sorted = rows.toSorted(([one], [other]) => order.indexOf(one) - order.indexOf(other));
  return tableOf(['group', 'option', 'meaning'], sorted);
}

/** Returns the names of options that are explained once. A group stands for all of its options. */
function sharedNames(terms: readonly string[]): string[] {
  const names = terms.map(nameIn);
  const whole = Object.entries(groups).filter(([, options]) => options.every((option) => names.includes(option)));
  const others = names.filter((name) => !whole.some(([, options]) => options.includes(name)));
  return [...whole.map(([group]) => group), ...others.map((name) => `\`${name}\``)];
}

/** Returns the name in a term such as `-f, --file <file>`. */
function nameIn(term: string): string {
  return /--[\w-]+/.exec(term)?.[0] ?? term;
}

type Row = [term: string, meaning: string];

/** Sets options in code, which is not broken at its hyphens. */
function withCode(meaning: string): string {
  return meaning.replaceAll(/`[^`]*`|(?<![\w-])--[a-z][\w-]*/g, (part) =>
    part.startsWith('`') ? part : `\`${part}\``,
  );
}

function optionsOf(command: Command): Row[] {
  const help = command.createHelp();
  return help
    .visibleOptions(command)
    .filter(({ long }) => long !== '--help')
    .map((option) => [`\`${help.optionTerm(option)}\``, withCode(help.optionDescription(option))]);
}

const head = `# Commands

<!-- Written by \`node scripts/docs.ts\` from the commands themselves. -->

\`webdata COMMAND --help\` shows the same. [The declaration](declaration.md) and [runs](runs.md) explain the concepts.

## Exit codes

| code | meaning |
| --- | --- |
| 0 | success |
| 1 | any error, even if drift was found too |
| 2 | drift (\`drift\`, \`ci drift\`), changes (\`plan --detailed-exitcode\`), callers that are not allowed (\`audit\`), files to format (\`fmt --check\`) |

## Formats and ports

| | |
| --- | --- |
| \`--format\` | what stdout gets. \`json\` has the same information for programs as \`text\` has for people; \`webdata schema\` prints its schema |
| \`--report FORMAT=FILE\` | the same report in a file, any number of times: [formats](gitops.md#what-a-reviewer-sees) |
| \`--output\` | the file that a command makes: a plan file, a declaration, rows |
| ports | 22996 [receiver](receiver.md), 22997 [trigger service](triggers.md), 22999 proxy manager. The pages use 22998 for the emulator's API |

## Environment variables

| variable | value |
| --- | --- |
| \`WEBDATA_API_URL\` | URL of the service's API; \`service.url\` and \`--api-url\` override it |
| \`WEBDATA_API_KEY\` | key of a user. Only the roles Admin and Ops may move IPs; other roles that may read zones can plan |
| \`WEBDATA_MANAGER_URL\`, \`WEBDATA_MANAGER_TOKEN\` | URL and token of the proxy manager, unless they are in the file |
| \`WEBDATA_TRIGGERS_URL\`, \`WEBDATA_TRIGGERS_TOKEN\` | URL and token of the [trigger service](triggers.md), for schedules and deliveries |
| \`WEBDATA_ALLOW_ENV\` | other variables that [URLs in the declaration](declaration.md) may use, as \`--allow-env\` |

## All commands
`;

function withoutHelp(command: Command): Command[] {
  return [...command.createHelp().visibleCommands(command)].filter((each) => each.name() !== 'help');
}

function section(command: Command, shared: ReadonlyMap<string, string>, examples: readonly string[]): string {
  const help = command.createHelp();
  const values = command.registeredArguments.map((argument) => [
    `\`${help.argumentTerm(argument)}\``,
    withCode(help.argumentDescription(argument)),
  ]);
  const all = optionsOf(command);
  const options = all.filter(([term, meaning]) => shared.get(term) !== meaning);
  const others = sharedNames(all.filter(([term, meaning]) => shared.get(term) === meaning).map(([term]) => term));
  return [
    `## ${nameOf(command)}\n`,
    `${sentence(command.description())}\n`,
    values.length > 0 ? `\`\`\`text\n${help.commandUsage(command)}\n\`\`\`\n` : '',
    values.length + options.length > 0 ? tableOf(['argument or option', 'meaning'], [...values, ...options]) : '',
    others.length > 0 ? `[Shared options](#shared-options): ${others.join(', ')}.\n` : '',
    examples.length > 0 ? `\`\`\`sh\n${examples.map(wrapped).join('\n')}\n\`\`\`\n` : '',
  ]
    .filter((part) => part !== '')
    .join('\n');
}

const widest = 78;

/** Breaks a long command before an option. */
function wrapped(line: string): string {
  const lines = [''];
  for (const part of line.split(/ (?=--)/)) {
    const last = lines.at(-1) ?? '';
    const longer = last === '' ? part : `${last} ${part}`;
    if (last === '' || longer.length + 2 <= widest) lines[lines.length - 1] = longer;
    else lines.push(`  ${part}`);
  }
  return lines.join(' \\\n');
}

function nameOf(command: Command): string {
  const { parent } = command;
  return parent?.parent ? `${parent.name()} ${command.name()}` : command.name();
}

function anchorOf(command: Command): string {
  return nameOf(command).replaceAll(' ', '-');
}

function sentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}
