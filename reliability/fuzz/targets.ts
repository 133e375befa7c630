/** The fuzz targets and their numbers of inputs: a million in total. */
import type { TargetEntry } from './target.ts';

export const targets: Readonly<Record<string, TargetEntry>> = {
  yaml: { what: 'YAML files', inputs: 240_000, load: async () => (await import('./targets/yaml.ts')).openYaml },
  planFile: {
    what: 'plan files',
    inputs: 200_000,
    load: async () => (await import('./targets/planFile.ts')).openPlanFile,
  },
  journal: {
    what: 'journal files',
    inputs: 160_000,
    load: async () => (await import('./targets/journal.ts')).openJournal,
  },
  answers: {
    what: 'answers of servers',
    inputs: 120_000,
    load: async () => (await import('./targets/answers.ts')).openAnswers,
  },
  webhooks: {
    what: 'webhook deliveries',
    inputs: 120_000,
    load: async () => (await import('./targets/webhooks.ts')).openWebhooks,
  },
  triggersApi: {
    what: 'requests to the trigger API',
    inputs: 100_000,
    load: async () => (await import('./targets/triggersApi.ts')).openTriggersApi,
  },
  commandLine: {
    what: 'command lines',
    inputs: 60_000,
    load: async () => (await import('./targets/commandLine.ts')).openCommandLine,
  },
};
