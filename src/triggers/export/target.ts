/** What every kind of export is given, and gives. */
import type { Timing } from '../timing/timing.ts';

export interface ExportedSchedule {
  owner: string;
  name: string;
  timing: Timing;
  paused: boolean;
}

export interface ExportOptions {
  /** For Kubernetes: built from ci/Dockerfile. */
  image?: string;
  /** For crontab and systemd: where the machine keeps the environment. */
  environmentFile?: string;
  /** For crontab and systemd: where `webdata` is, if not where programs are looked for. */
  program?: string;
  /** For GitHub Actions, which has no time zones: the offsets of the year from here on count. */
  now?: number;
}

export interface ExportedFile {
  file: string;
  text: string;
}

/** Why a schedule can't be exported: what stands after its name. */
export interface Refusal {
  found: string;
  allowed: string;
  fix: string;
}

export interface Target {
  refusal(schedule: ExportedSchedule, options: ExportOptions): Refusal | undefined;
  /** Of schedules that were not refused. */
  files(schedules: readonly ExportedSchedule[], options: ExportOptions): ExportedFile[];
}

/**
 * What a tick takes from the environment. Secrets stand in no file that is written here. What deliveries refer to comes from the
 * environment too, under the names that they give it.
 */
export const environment = {
  required: ['WEBDATA_TRIGGERS_STORE', 'WEBDATA_API_URL', 'WEBDATA_API_KEY'],
  /** Only where secrets are stored. */
  optional: ['WEBDATA_TRIGGERS_KEY'],
} as const;

export const defaultEnvironmentFile = '/etc/webdata/triggers.env';

/** The command is the same for all ticks: `now` is the last one that was due. The name may begin with a dash. */
export function tickWords(owner: string, name: string): string[] {
  return ['triggers', 'fire-tick', '--owner', owner, '--tick', 'now', '--', name];
}

/** Of files that are read on a machine of the operator's. */
export function environmentRemarks(environmentFile: string): string[] {
  return [
    `${environmentFile} holds NAME='value' lines, and nobody else may read it: WEBDATA_TRIGGERS_STORE, WEBDATA_API_URL,`,
    'WEBDATA_API_KEY, WEBDATA_TRIGGERS_KEY where secrets are stored, and what deliveries take from the environment.',
  ];
}

/** One comment for every file. */
export function remarks(to: string, ...more: readonly string[]): string[] {
  return [
    `Written by \`webdata triggers export --to ${to}\`: write it again when the schedules change.`,
    'Each tick goes through the ledger: started twice it fires once. What is due while the clock skips an hour may not be',
    'started at all: the ledger then shows the gap.',
    ...more,
  ];
}
