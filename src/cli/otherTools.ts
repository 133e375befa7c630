/** The commands and options of Terraform, Pulumi and kubectl that newcomers try first, and what they are called here. */
import type { Command } from 'commander';

export const commandsOfOtherTools: ReadonlyMap<string, string> = new Map([
  ['preview', 'plan'],
  ['diff', 'plan'],
  ['up', 'apply'],
  ['update', 'apply'],
  ['deploy', 'apply'],
  ['sync', 'apply'],
  ['refresh', 'drift'],
  ['import', 'pull'],
  ['export', 'pull'],
  ['rollback', 'undo'],
  ['revert', 'undo'],
  ['down', 'destroy'],
  ['delete', 'destroy'],
  ['get', 'show'],
  ['list', 'show'],
  ['status', 'show'],
  ['state', 'show'],
  ['lint', 'validate'],
  ['check', 'validate'],
  ['format', 'fmt'],
  ['log', 'history'],
  ['logs', 'history'],
  ['force-unlock', 'unlock'],
  ['version', '--version'],
]);

/** Their options, which commander would answer with no suggestion or a wrong one. */
export const optionsOfOtherTools: ReadonlyMap<string, string> = new Map([
  ['--auto-approve', '--yes'],
  ['-auto-approve', '--yes'],
  ['--target', '--select'],
  ['-target', '--select'],
  ['--dry-run', 'the command plan'],
  ['-detailed-exitcode', '--detailed-exitcode'],
  ['-out', '--output'],
  ['-v', '--version'],
]);

/**
 * Suggests what does the same as a command or an option of another tool; commander would suggest one with a similar name.
 * @throws CommanderError
 */
export function assertNoOtherTool(program: Command, args: readonly string[]): void {
  const [name = ''] = args;
  const meant = commandsOfOtherTools.get(name);
  if (meant !== undefined) program.error(`error: unknown command '${name}'\n(Did you mean ${meant}?)`);
  // After `--`, a word is a name.
  const end = args.indexOf('--');
  for (const word of end === -1 ? args : args.slice(0, end)) {
    const [option = ''] = word.split('=');
    const same = optionsOfOtherTools.get(option);
    if (same !== undefined) program.error(`error: unknown option '${option}'\n(Did you mean ${same}?)`);
  }
}

/** Names the option for a declaration, where an error is about one that was given as an argument. Other tools take it so. */
export function withFileOption(text: string): string {
  const [, file] = /^error: too many arguments .*: (\S+\.ya?ml)\.$/m.exec(text) ?? [];
  return file === undefined ? text : `${text.trimEnd()}\n(Did you mean -f ${file}?)\n`;
}
