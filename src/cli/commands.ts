/** The commands there are, each loaded when it is asked for. A new one is a file of its own, and a line here. */
import type { Command } from 'commander';
import type { Shell } from './output/io.ts';

interface CommandEntry {
  name: string;
  summary: string;
  /** Not for people: left out of the help. */
  hidden?: true;
  /** It may hold a whole account: its heap is kept small. */
  holdsAccount?: true;
  /** What gives the command its options, its examples and its action. */
  load(): Promise<(command: Command, shell: Shell) => void>;
}

export const commands: readonly CommandEntry[] = [
  {
    name: 'init',
    summary: 'write a declaration to begin with, from nothing or from what is live',
    load: async () => (await import('./commands/init.ts')).addInit,
  },
  {
    name: 'validate',
    summary: 'check the declaration, offline',
    load: async () => (await import('./commands/validate.ts')).addValidate,
  },
  {
    name: 'doctor',
    summary: 'check the configuration, the connection and the forms of the answers; only reads',
    load: async () => (await import('./commands/doctor.ts')).addDoctor,
  },
  {
    name: 'plan',
    summary: 'show what an apply would do; only reads',
    holdsAccount: true,
    load: async () => (await import('./commands/plan.ts')).addPlan,
  },
  {
    name: 'apply',
    summary: 'make the live account as declared, after showing the plan and asking',
    holdsAccount: true,
    load: async () => (await import('./commands/apply.ts')).addApply,
  },
  {
    name: 'drift',
    summary: 'compare the live state with the declaration; only reads, exit 2 on drift',
    holdsAccount: true,
    load: async () => (await import('./commands/drift.ts')).addDrift,
  },
  {
    name: 'pull',
    summary: 'write the live state as a declaration',
    holdsAccount: true,
    load: async () => (await import('./commands/pull.ts')).addPull,
  },
  {
    name: 'destroy',
    summary: 'do what `onDelete` says, for the selected resources',
    holdsAccount: true,
    load: async () => (await import('./commands/destroy.ts')).addDestroy,
  },
  {
    name: 'history',
    summary: 'what earlier runs did, from the journal',
    load: async () => (await import('./commands/history.ts')).addHistory,
  },
  {
    name: 'undo',
    summary: 'take back what the last run did, unless it was changed since',
    holdsAccount: true,
    load: async () => (await import('./commands/undo.ts')).addUndo,
  },
  {
    name: 'ci',
    summary: 'plan, apply or drift in CI, told in a pull request or an issue',
    holdsAccount: true,
    load: async () => (await import('./commands/ci.ts')).addCi,
  },
  {
    name: 'request',
    summary: 'fetch a page through a zone',
    load: async () => (await import('./commands/service/request.ts')).addRequest,
  },
  {
    name: 'search',
    summary: 'fetch search results through a search zone',
    load: async () => (await import('./commands/service/search.ts')).addSearch,
  },
  {
    name: 'reviews',
    summary: 'fetch the reviews of a place through a search zone',
    load: async () => (await import('./commands/service/reviews.ts')).addReviews,
  },
  {
    name: 'zones',
    summary: 'what zones hold, who lately used them, and a move by hand',
    load: async () => (await import('./commands/service/zones.ts')).addZones,
  },
  {
    name: 'asns',
    summary: 'the autonomous systems that a zone can leave from',
    load: async () => (await import('./commands/service/asns.ts')).addAsns,
  },
  {
    name: 'manager',
    summary: 'the settings, the state and the ports of the proxy manager',
    load: async () => (await import('./commands/service/manager.ts')).addManager,
  },
  {
    name: 'proxy-url',
    summary: 'the URL of the native proxy for a zone, with its password',
    load: async () => (await import('./commands/service/proxyUrl.ts')).addProxyUrl,
  },
  {
    name: 'collect',
    summary: 'run a collector and fetch its rows',
    load: async () => (await import('./commands/service/collect.ts')).addCollect,
  },
  {
    name: 'snapshot',
    summary: 'fetch a snapshot of a dataset',
    load: async () => (await import('./commands/service/snapshot.ts')).addSnapshot,
  },
  {
    name: 'receive',
    summary: 'keep what the service delivers, in a folder or a bucket',
    load: async () => (await import('./commands/receive.ts')).addReceive,
  },
  {
    name: 'triggers',
    summary: 'the trigger service, which fires schedules of collectors, and its runs',
    load: async () => (await import('./commands/triggers/triggers.ts')).addTriggers,
  },
  {
    name: 'schema',
    summary: 'the JSON Schema of the declaration, or of a report',
    load: async () => (await import('./commands/schema.ts')).addSchema,
  },
  {
    name: 'completion',
    summary: 'a completion script for bash, zsh or fish',
    load: async () => (await import('./commands/completion.ts')).addCompletion,
  },
  {
    name: 'emulator',
    summary: 'run the service on loopback, from an account file',
    load: async () => (await import('./commands/emulator.ts')).addEmulator,
  },
  {
    name: 'complete',
    summary: 'what may stand at the cursor, for the scripts of `webdata completion`',
    hidden: true,
    load: async () => (await import('./commands/complete.ts')).addComplete,
  },
];
