/** docs/commands.md: for each command its usage, its options and its examples. */
import type { Command } from 'commander';
import { tableOf } from './markdown.ts';
import type { LoadedProgram } from './program.ts';

export function commandsPage({ program, examplesOf }: LoadedProgram): string {
  const commands = withoutHelp(program).flatMap((command) =>
    command.commands.length > 0 ? withoutHelp(command) : [command],
  );
  const sections = commands.map((command) => section(command, examplesOf(command)));
  const index = commands.map((command) => [
    `[\`${nameOf(command)}\`](#${anchorOf(command)})`,
    sentence(command.description()),
  ]);
  return `${head}\n${tableOf(['command', 'purpose'], index)}\n${sections.join('\n')}`;
}

const head = `# Commands

<!-- Written by \`node scripts/docs.ts\` from the commands themselves. -->

\`webdata COMMAND --help\` shows the same. [The declaration](declaration.md) and [runs](runs.md) explain the concepts.

## Exit codes

| code | meaning |
| --- | --- |
| 0 | success |
| 1 | any error, even if drift was found too |
| 2 | drift (\`drift\`, \`ci drift\`), or changes (\`plan --detailed-exitcode\`) |

\`--format json\` writes the same information for programs as the text does for people.

## Environment variables

| variable | value |
| --- | --- |
| \`WEBDATA_API_URL\` | URL of the service's API; \`service.url\` and \`--api-url\` override it |
| \`WEBDATA_API_KEY\` | key of a user. Only the roles Admin and Ops may move IPs; other roles can plan |
| \`WEBDATA_MANAGER_URL\`, \`WEBDATA_MANAGER_TOKEN\` | URL and token of the proxy manager, unless they are in the file |
| \`WEBDATA_TRIGGERS_URL\`, \`WEBDATA_TRIGGERS_TOKEN\` | URL and token of the [trigger service](triggers.md), for schedules and deliveries |
| \`WEBDATA_ALLOW_ENV\` | other variables that [URLs in the declaration](declaration.md) may use, as \`--allow-env\` |

## All commands
`;

function withoutHelp(command: Command): Command[] {
  return [...command.createHelp().visibleCommands(command)].filter((each) => each.name() !== 'help');
}

function section(command: Command, examples: readonly string[]): string {
  const help = command.createHelp();
  const values = command.registeredArguments.map((argument) => [
    `\`${help.argumentTerm(argument)}\``,
    help.argumentDescription(argument),
  ]);
  const options = help
    .visibleOptions(command)
    .filter(({ long }) => long !== '--help')
    .map((option) => [`\`${help.optionTerm(option)}\``, help.optionDescription(option)]);
  return [
    `## ${nameOf(command)}\n`,
    `${sentence(command.description())}\n`,
    `\`\`\`text\n${help.commandUsage(command)}\n\`\`\`\n`,
    values.length + options.length > 0 ? tableOf(['argument or option', 'meaning'], [...values, ...options]) : '',
    examples.length > 0 ? `\`\`\`sh\n${examples.join('\n')}\n\`\`\`\n` : '',
  ]
    .filter((part) => part !== '')
    .join('\n');
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
