/** The words that a command line may contain, as data, for completion. */
import type { Command, Option } from 'commander';

export interface CommandLine {
  name: string;
  summary: string;
  options: OptionLine[];
  arguments: ValueLine[];
  commands: CommandLine[];
}

export interface OptionLine {
  /** `-f`, `--file`. */
  names: string[];
  summary: string;
  /** Absent where the option is a switch. */
  value?: ValueLine;
  /** May be given again. */
  again?: true;
}

/** What stands for an option's value or for an argument: `file`, `kind/name`. */
export interface ValueLine {
  name: string;
  choices?: string[];
}

/** Of a command that has its options and its subcommands. */
export function commandLineOf(command: Command): CommandLine {
  const help = command.createHelp();
  const commands = help.visibleCommands(command);
  const names = commands.map((each) => each.name()).filter((name) => name !== 'help');
  return {
    name: command.name(),
    summary: command.description(),
    options: help.visibleOptions(command).map(optionLine),
    arguments: command.registeredArguments.map((argument) => valueLine(argument.name(), argument.argChoices)),
    commands: commands.map((each) => {
      const line = commandLineOf(each);
      return each.name() === 'help' ? { ...line, arguments: [{ name: 'command', choices: names }] } : line;
    }),
  };
}

function optionLine(option: Option): OptionLine {
  const value = /[<[](.*)[>\]]/.exec(option.flags)?.[1];
  return {
    names: [option.short, option.long].filter((name) => name !== undefined),
    summary: option.description,
    ...(value !== undefined && { value: valueLine(value, option.argChoices) }),
    ...(isCollected(option) && { again: true }),
  };
}

function valueLine(name: string, choices: string[] | undefined): ValueLine {
  return { name, ...(choices && { choices }) };
}

/** Whether its values come together in a list: the parser makes one of the first. */
function isCollected({ parseArg }: Option): boolean {
  try {
    return Array.isArray(parseArg?.('text=file', undefined));
  } catch {
    return false;
  }
}
