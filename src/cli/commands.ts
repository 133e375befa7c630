/** All commands. A new command is a file under `commands/` and one entry here. */
import type { Command } from 'commander';
import type { Shell } from './output/io.ts';

interface CommandEntry {
  summary: string;
  /** Returns the function that adds options, examples and the action. A command is loaded only when it runs. */
  load(): Promise<(command: Command, shell: Shell) => void>;
  /** Left out of the help, because only scripts call it. */
  isHidden?: true;
  /** May hold a whole account in memory, so its heap is limited once it reads a large one. */
  holdsAccount?: true;
}

export const commands: Readonly<Record<string, CommandEntry>> = {
  init: {
    summary: 'Write a first declaration, empty or from the live state',
    load: async () => (await import('./commands/init.ts')).addInit,
  },
  validate: {
    summary: 'Check the declaration, offline',
    load: async () => (await import('./commands/validate.ts')).addValidate,
  },
  fmt: {
    summary: 'Format declarations; keeps comments',
    load: async () => (await import('./commands/fmt.ts')).addFmt,
  },
  doctor: {
    summary: 'Check the configuration, connections, backend and clocks, and the shape of answers; only reads',
    load: async () => (await import('./commands/doctor.ts')).addDoctor,
  },
  show: {
    summary: 'Show the live account: zones, IPs by country, managers and schedules; only reads',
    load: async () => (await import('./commands/show.ts')).addShow,
    holdsAccount: true,
  },
  audit: {
    summary: 'Compare the addresses that call zones with the allow lists; only reads, exits 2 on findings',
    load: async () => (await import('./commands/audit.ts')).addAudit,
  },
  plan: {
    summary: 'Show what apply would change; only reads',
    load: async () => (await import('./commands/plan.ts')).addPlan,
    holdsAccount: true,
  },
  simulate: {
    summary: 'Apply the plan to a copy of the account, call by call; only reads the account',
    load: async () => (await import('./commands/simulate.ts')).addSimulate,
    holdsAccount: true,
  },
  apply: {
    summary: 'Make the live state match the declaration, after showing the plan and asking',
    load: async () => (await import('./commands/apply.ts')).addApply,
    holdsAccount: true,
  },
  drift: {
    summary: 'Compare the live state with the declaration; only reads, exits 2 on drift',
    load: async () => (await import('./commands/drift.ts')).addDrift,
    holdsAccount: true,
  },
  pull: {
    summary: 'Write the live state as a declaration',
    load: async () => (await import('./commands/pull.ts')).addPull,
    holdsAccount: true,
  },
  destroy: {
    summary: 'Run the `onDelete` action of the selected resources',
    load: async () => (await import('./commands/destroy.ts')).addDestroy,
    holdsAccount: true,
  },
  history: {
    summary: 'Show earlier runs from the journal',
    load: async () => (await import('./commands/history.ts')).addHistory,
  },
  undo: {
    summary: 'Undo the last run, unless something has changed since',
    load: async () => (await import('./commands/undo.ts')).addUndo,
    holdsAccount: true,
  },
  unlock: {
    summary: 'Show who holds the lock of the account, and take it away after asking',
    load: async () => (await import('./commands/unlock.ts')).addUnlock,
  },
  backend: {
    summary: 'Copy runs and baseline from the folder to the backend of a team',
    load: async () => (await import('./commands/backend/backend.ts')).addBackend,
  },
  ci: {
    summary: 'Plan, apply or check for drift in CI, and report it as a comment or an issue',
    load: async () => (await import('./commands/ci.ts')).addCi,
    holdsAccount: true,
  },
  request: {
    summary: 'Fetch a page through a zone',
    load: async () => (await import('./commands/service/request.ts')).addRequest,
  },
  search: {
    summary: 'Fetch search results through a search zone',
    load: async () => (await import('./commands/service/search.ts')).addSearch,
  },
  reviews: {
    summary: 'Fetch the reviews of a place through a search zone',
    load: async () => (await import('./commands/service/reviews.ts')).addReviews,
  },
  zones: {
    summary: 'List the IPs and recent clients of zones, or move IPs',
    load: async () => (await import('./commands/service/zones.ts')).addZones,
  },
  asns: {
    summary: 'List the autonomous systems that a zone can leave from',
    load: async () => (await import('./commands/service/asns.ts')).addAsns,
  },
  manager: {
    summary: 'Show the settings and state of the proxy manager, or delete ports',
    load: async () => (await import('./commands/service/manager.ts')).addManager,
  },
  'proxy-url': {
    summary: 'Print the URL of the native proxy for a zone, with its password',
    load: async () => (await import('./commands/service/proxyUrl.ts')).addProxyUrl,
  },
  collect: {
    summary: 'Start a job of a collector or a dataset and fetch its rows',
    load: async () => (await import('./commands/service/collect.ts')).addCollect,
  },
  snapshot: {
    summary: 'Fetch a snapshot of a dataset',
    load: async () => (await import('./commands/service/snapshot.ts')).addSnapshot,
  },
  receive: {
    summary: 'Receive deliveries of the service into a folder or a bucket',
    load: async () => (await import('./commands/receive.ts')).addReceive,
  },
  triggers: {
    summary: 'Run the trigger service, and manage its schedules and runs',
    load: async () => (await import('./commands/triggers/triggers.ts')).addTriggers,
  },
  schema: {
    summary: 'Print the JSON Schema of the declaration or of a report',
    load: async () => (await import('./commands/schema.ts')).addSchema,
  },
  completion: {
    summary: 'Print a completion script for bash, zsh or fish',
    load: async () => (await import('./commands/completion.ts')).addCompletion,
  },
  emulator: {
    summary: 'Emulate the service on this machine, from an account file',
    load: async () => (await import('./commands/emulator.ts')).addEmulator,
  },
  complete: {
    summary: 'Print the candidates at the cursor, for the scripts of `webdata completion`',
    load: async () => (await import('./commands/complete.ts')).addComplete,
    isHidden: true,
  },
};
