/** The grammar of command lines as data, for completion. */
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
  /** Undefined for a switch. */
  value?: ValueLine;
  isRepeatable?: true;
}

/** The value of an option or an argument, by its name in the help: `file`, `kind/name`. */
export interface ValueLine {
  name: string;
  choices?: string[];
}

/** Reads the grammar of a loaded command. */
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
    ...(isRepeatable(option) && { isRepeatable: true }),
  };
}

function valueLine(name: string, choices: string[] | undefined): ValueLine {
  return { name, ...(choices && { choices }) };
}

/** Returns true if the option collects its values in a list. The test is whether its parser returns a list for one value. */
function isRepeatable({ parseArg }: Option): boolean {
  try {
    return Array.isArray(parseArg?.('text=file', undefined));
  } catch {
    return false;
  }
}
