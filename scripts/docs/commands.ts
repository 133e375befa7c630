/** docs/commands.md: for each command its usage, its options and its examples. */
import type { Command } from 'commander';
import { tableOf } from './markdown.ts';
import type { LoadedProgram } from './program.ts';

export function commandsPage({ program, examplesOf }: LoadedProgram): string {
  const commands = withoutHelp(program).flatMap((command) =>
    command.commands.length > 0 ? withoutHelp(command) : [command],
  );
  const sections = commands.map((command) => section(command, examplesOf(command)));
  return `${head}\n${sections.join('\n')}`;
}

const head = `# Commands

<!-- Written by \`node scripts/docs.ts\` from the commands themselves. -->

\`webdata COMMAND --help\` says the same. What the words mean: [the declaration](declaration.md), [runs](runs.md).
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
  const { parent } = command;
  const name = parent?.parent ? `${parent.name()} ${command.name()}` : command.name();
  return [
    `## ${name}\n`,
    `${sentence(command.description())}\n`,
    `\`\`\`text\n${help.commandUsage(command)}\n\`\`\`\n`,
    values.length + options.length > 0 ? tableOf(['argument or option', 'meaning'], [...values, ...options]) : '',
    examples.length > 0 ? `\`\`\`sh\n${examples.join('\n')}\n\`\`\`\n` : '',
  ]
    .filter((part) => part !== '')
    .join('\n');
}

function sentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}
