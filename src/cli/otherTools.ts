/** The commands and options of Terraform, Pulumi and kubectl that newcomers try first, and what they are called here. */

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
