/** All commands. A new command is a file under `commands/` and one entry here. No other list knows a feature: what it adds to other commands is here too. */
import type { Command } from 'commander';
import type { Documents } from './commands/schema.ts';
import type { Shell } from './output/io.ts';

interface CommandEntry {
  summary: string;
  /** The group in the help. */
  group?: string;
  /** Returns the function that adds options, examples and the action. A command is loaded only when it runs. */
  load(): Promise<(command: Command, shell: Shell) => void>;
  /** The schemas of the documents that it prints, for `webdata schema`. */
  schemas?: Documents;
  /** Left out of the help, because only scripts call it. */
  isHidden?: true;
}

export const commands: Readonly<Record<string, CommandEntry>> = {
  init: {
    summary: 'Write a template of a declaration (`pull`: the live state)',
    group: 'Main',
    load: async () => (await import('./commands/init.ts')).addInit,
  },
  validate: {
    summary: 'Check the declaration, offline',
    group: 'Main',
    load: async () => (await import('./commands/validate.ts')).addValidate,
    schemas: { validation: async () => (await import('./output/validationDocument.ts')).validationSchema() },
  },
  plan: {
    summary: 'Show what apply would change; only reads',
    group: 'Main',
    load: async () => (await import('./commands/plan.ts')).addPlan,
    schemas: {
      plan: async () => (await import('../report/json/schema.ts')).planSchema(),
      accounts: async () => (await import('../report/json/schema.ts')).accountsSchema(),
    },
  },
  apply: {
    summary: 'Make the live state match the declaration; asks first',
    group: 'Main',
    load: async () => (await import('./commands/apply.ts')).addApply,
    schemas: { apply: async () => (await import('../report/json/schema.ts')).applySchema() },
  },
  drift: {
    summary: 'Compare the live state with the declaration; exits 2 on drift',
    group: 'Main',
    load: async () =>
      (await import('./commands/drift.ts')).addDriftWith(
        (await import('../features/accept/acceptCommand.ts')).acceptingDrift,
      ),
  },
  undo: {
    summary: 'Undo the last run, unless something has changed since',
    group: 'Main',
    load: async () => (await import('./commands/undo.ts')).addUndo,
  },
  destroy: {
    summary: 'Run the `onDelete` action of the selected resources',
    group: 'Main',
    load: async () => (await import('./commands/destroy.ts')).addDestroy,
  },
  pull: {
    summary: 'Write the live state as a declaration',
    group: 'Main',
    load: async () => (await import('../features/pull/pullCommand.ts')).addPull,
  },
  show: {
    summary: 'Show the live zones, IPs by country, managers and schedules',
    group: 'Look',
    load: async () => (await import('../features/show/showCommand.ts')).addShow,
  },
  doctor: {
    summary: 'Check the configuration, connections, backend and clocks',
    group: 'Look',
    load: async () => (await import('../features/doctor/doctorCommand.ts')).addDoctor,
    schemas: { doctor: async () => (await import('../features/doctor/schema.ts')).doctorSchema() },
  },
  audit: {
    summary: 'Compare the addresses that call zones with the allow lists',
    group: 'Look',
    load: async () => (await import('../features/audit/auditCommand.ts')).addAudit,
  },
  history: {
    summary: 'Show earlier runs from the journal',
    group: 'Look',
    load: async () => (await import('../features/history/historyCommand.ts')).addHistory,
    schemas: { history: async () => (await import('../features/history/historyJson.ts')).historySchema() },
  },
  ci: {
    summary: 'Plan, apply or check for drift in CI, with comments and issues',
    group: 'Team and CI',
    load: async () =>
      (await import('./commands/ci.ts')).addCiWith(
        (await import('../features/accept/acceptCommand.ts')).acceptingDrift,
      ),
  },
  backend: {
    summary: 'Take runs and baseline along to another backend or name',
    group: 'Team and CI',
    load: async () => (await import('./commands/backend/backend.ts')).addBackend,
  },
  unlock: {
    summary: 'Show who holds the lock of the account, or take it away',
    group: 'Team and CI',
    load: async () => (await import('./commands/unlock.ts')).addUnlock,
  },
  triggers: {
    summary: 'Run the trigger service, and manage its schedules and runs',
    group: 'Schedules',
    load: async () =>
      (await import('./commands/triggers/triggers.ts')).addTriggersWith({
        report: (await import('../features/morning/morningCommand.ts')).addReport,
      }),
  },
  receive: {
    summary: 'Receive deliveries of the service into a folder or a bucket',
    group: 'Schedules',
    load: async () => (await import('./commands/receive.ts')).addReceive,
  },
  request: {
    summary: 'Fetch a page through a zone',
    group: 'Service',
    load: async () => (await import('./commands/service/request.ts')).addRequest,
  },
  search: {
    summary: 'Fetch search results through a search zone',
    group: 'Service',
    load: async () => (await import('./commands/service/search.ts')).addSearch,
  },
  reviews: {
    summary: 'Fetch the reviews of a place through a search zone',
    group: 'Service',
    load: async () => (await import('./commands/service/reviews.ts')).addReviews,
  },
  collect: {
    summary: 'Start a job of a collector or a dataset and fetch its rows',
    group: 'Service',
    load: async () => (await import('./commands/service/collect.ts')).addCollect,
  },
  snapshot: {
    summary: 'Fetch a snapshot of a dataset',
    group: 'Service',
    load: async () => (await import('./commands/service/snapshot.ts')).addSnapshot,
  },
  zones: {
    summary: 'List the IPs and recent clients of zones, or move IPs',
    group: 'Service',
    load: async () => (await import('./commands/service/zones.ts')).addZones,
  },
  asns: {
    summary: 'List the autonomous systems that a zone can leave from',
    group: 'Service',
    load: async () => (await import('./commands/service/asns.ts')).addAsns,
  },
  manager: {
    summary: 'Show settings and state of the proxy manager',
    group: 'Service',
    load: async () => (await import('./commands/service/manager.ts')).addManager,
  },
  'proxy-url': {
    summary: 'Print the URL of the native proxy for a zone, with its password',
    group: 'Service',
    load: async () => (await import('./commands/service/proxyUrl.ts')).addProxyUrl,
  },
  fmt: {
    summary: 'Format declarations; keeps comments',
    group: 'Tools',
    load: async () => (await import('./commands/fmt.ts')).addFmt,
  },
  schema: {
    summary: 'Print the JSON Schema of the declaration or of a report',
    group: 'Tools',
    load: async () => (await import('./commands/schema.ts')).addSchemaOf(documents()),
  },
  completion: {
    summary: 'Print a completion script for bash, zsh or fish',
    group: 'Tools',
    load: async () => (await import('./commands/completion.ts')).addCompletion,
  },
  emulator: {
    summary: 'Emulate the service on this machine, from an account file',
    group: 'Tools',
    load: async () =>
      (await import('./commands/emulator.ts')).addEmulatorWith(
        (await import('../features/copy/copyCommand.ts')).copyOfAccount,
      ),
  },
  complete: {
    summary: 'Print the candidates at the cursor, for the scripts of `webdata completion`',
    load: async () => (await import('./commands/complete.ts')).addComplete,
    isHidden: true,
  },
};

function documents(): Documents {
  return Object.assign({}, ...Object.values(commands).map(({ schemas }) => schemas));
}
