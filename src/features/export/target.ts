/** The interface of all export targets. */
import type { Timing } from '../../triggers/timing/timing.ts';

export interface ExportedSchedule {
  owner: string;
  name: string;
  timing: Timing;
  paused: boolean;
}

export interface ExportOptions {
  /** For Kubernetes: the image, built from ci/Dockerfile. */
  image?: string;
  /** For crontab and systemd: the environment file on the machine. */
  environmentFile?: string;
  /** For GitHub Actions, whose jobs start at times in UTC: the start of the year whose offsets count. */
  now?: number;
}

export interface ExportedFile {
  file: string;
  text: string;
}

/** Why a schedule cannot be exported. `found` continues a sentence that starts with its name. */
export interface ExportProblem {
  found: string;
  allowed: string;
  fix: string;
}

export interface ExportTarget {
  /** The options that change its files. Others are refused. */
  uses: readonly ('image' | 'environmentFile')[];
  /** Returns the problem of an option, for every schedule the same. */
  optionProblem?(options: ExportOptions): ExportProblem | undefined;
  problem(schedule: ExportedSchedule, options: ExportOptions): ExportProblem | undefined;
  /** Writes schedules that have no problem. */
  files(schedules: readonly ExportedSchedule[], options: ExportOptions): ExportedFile[];
}

/**
 * The environment variables that the command of a tick needs, besides those that deliveries refer to. No exported file contains their
 * values.
 */
export const environment = {
  required: ['WEBDATA_TRIGGERS_STORE', 'WEBDATA_API_URL', 'WEBDATA_API_KEY'],
  /** Required only if the store contains secrets, and if deliveries name secrets. */
  optional: ['WEBDATA_TRIGGERS_KEY', 'WEBDATA_TRIGGERS_SECRET_FOR'],
} as const;

export const defaultEnvironmentFile = '/etc/webdata/triggers.env';

/** Refuses a path that is relative, because the scheduler does not start in the folder of the user, or that would break a line. */
export function environmentFileProblem(
  { environmentFile = defaultEnvironmentFile }: ExportOptions,
  { isAllowed, why }: { isAllowed: RegExp; why: string },
): ExportProblem | undefined {
  const named = `--environment-file ${environmentFile}`;
  const allowed = `an absolute path on the machine of the scheduler, such as ${defaultEnvironmentFile}`;
  if (controlCharacter.test(environmentFile))
    return { found: '--environment-file has a control character', allowed, fix: 'rename the file' };
  if (isAllowed.test(environmentFile)) return undefined;
  return { found: `${named} is a relative path, and ${why}`, allowed, fix: 'write the whole path, from the root' };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters would break a line of the file.
export const controlCharacter = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

/** Returns the command of a tick. `--tick now` is the latest due tick. A name may start with a dash. */
export function tickWords(owner: string, name: string): string[] {
  return ['triggers', 'fire-tick', '--owner', owner, '--tick', 'now', '--', name];
}

export const namedSecrets: readonly string[] = [
  'Deliveries that name secrets, `{ env: … }` or `{ secret: … }`, also need WEBDATA_TRIGGERS_SECRET_FOR as the trigger service has it, and',
  '`{ secret: … }` needs the options --secret-command before `--` in the command.',
];

/** Returns the remarks of targets that use an environment file. */
export function environmentRemarks(environmentFile: string): string[] {
  return [
    `${environmentFile} has NAME='value' lines, and only the user of the schedule may read it: WEBDATA_TRIGGERS_STORE, WEBDATA_API_URL,`,
    'WEBDATA_API_KEY, WEBDATA_TRIGGERS_KEY if the store contains secrets, and the variables that deliveries refer to.',
    ...namedSecrets,
  ];
}

/** Returns the comment at the top of every file. */
export function remarks(to: string, ...more: readonly string[]): string[] {
  return [
    `Written by \`webdata triggers export --to ${to}\`. Export again when the schedules change.`,
    'Each tick goes through the ledger: one that is started twice fires once, and a start without a due tick does nothing. Entries in UTC',
    'start the ticks of an hour that the clocks of a time zone skip or repeat.',
    ...more,
  ];
}
