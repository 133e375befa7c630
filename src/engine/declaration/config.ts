/** The declaration: the declared resources, and the service and manager they are for. Reading it sends no request. */
import type { Readable } from 'node:stream';
import { z } from 'zod';
import { renderFix } from '../../base/diagnostics/fix.ts';
import { type Problem, ProblemError } from '../../base/diagnostics/problem.ts';
import { zodProblems } from '../../base/diagnostics/zodProblems.ts';
import { isMapValue } from '../../base/values/plain.ts';
import { locate, parseWith } from '../../base/yaml/parseWith.ts';
import { readYaml, type YamlSource } from '../../base/yaml/source.ts';
import type { ZoneTypes } from '../../client/areas/zones/zoneTypes.ts';
import { type ServiceProfile, serviceProfile } from '../../client/profile.ts';
import { redactor } from '../../client/redact.ts';
import { ownership } from '../../kinds/ownership.ts';
import { fromKinds, kinds } from '../../kinds/registry.ts';
import { serverUrl } from '../../kinds/serverUrl.ts';
import { backendAddressProblem } from '../backend/store/address.ts';
import type { Declared } from '../plan/planned.ts';
import { type DriftException, exceptionsSchema, resolveExceptions } from './exceptions.ts';
import { assertPriced, type Budgets, budgetsSchema, type Prices, pricesSchema } from './prices.ts';
import type { FetchedList, FetchOptions } from './remoteLists.ts';
import { sentVariableProblems, writtenPasswordProblems } from './sentVariables.ts';
import { allowedCallersIn, zoneDetails, zoneTypesIn } from './zoneDetails.ts';

export interface Config {
  name?: string | undefined;
  /** The declared name of the account; `accountName` has the default. */
  account?: string | undefined;
  /** The declared address of the backend: a folder, relative to the declaration, or a store. */
  backend?: string | undefined;
  service: { url?: string | undefined; apiKey?: string | undefined; profile: ServiceProfile; zoneTypes?: ZoneTypes };
  manager: { url?: string | undefined; token?: string | undefined };
  triggers: { url?: string | undefined; token?: string | undefined };
  /** The declared addresses that may use zones, by zone. */
  allowedCallers: Readonly<Record<string, readonly string[]>>;
  /** The folder for relative names of files in the declaration. */
  folder: string;
  /** The resources, in the order of the file. */
  declared: Declared[];
  /** The files of `-f`, relative to the current folder. Empty if there is no declaration. */
  files: readonly string[];
  /** The lists that were fetched. */
  lists: readonly FetchedList[];
  /** The number of lists that were left empty, because only plans need them. */
  skippedLists: number;
  /** The prices of the account, and the limits that plans are compared with. */
  prices?: Prices | undefined;
  budgets?: Budgets | undefined;
  /** Known drift. */
  exceptions: readonly DriftException[];
  /** Adds the location to a problem. `prefix` is the path where the paths of the problem start. */
  locate(problem: Problem, prefix: readonly PropertyKey[]): Problem;
}

/** Settings outside the files: the environment, and options that override it. */
export interface Settings {
  env: Readonly<Record<string, string | undefined>>;
  apiUrl?: string | undefined;
  managerUrl?: string | undefined;
  /** Further variables that URLs in the files may use. */
  allowEnv?: readonly string[] | undefined;
  /** The folder for relative file names. */
  folder?: string | undefined;
  /** Read for the file `-`. By default, the standard input of the process. */
  stdin?: Readable | undefined;
  /** The options for fetching lists that are named by URL. */
  lists?: Partial<Pick<FetchOptions, 'signal' | 'isSkipped' | 'pinned'>> | undefined;
}

export const resourceName = z
  .string()
  .regex(/^[A-Za-z0-9][\w.-]*$/, 'must be a name of letters, digits, ".", "_" and "-"')
  .meta({ examples: ['main'] });

const collections = () =>
  Object.fromEntries(
    kinds.map(({ collection, name, spec }) => [
      collection,
      z
        .record(resourceName, spec.describe(`One ${name}.`))
        .nullish()
        .describe(`${spec.description} Resources of kind ${name}, by name.`),
    ]),
  );

/** The settings of a file: everything but its resources. */
const settings = {
  name: z
    .string()
    .min(1)
    .optional()
    .describe('The owner of the declared resources. Required for resources of the trigger service.')
    .meta({ examples: ['acme'] }),
  account: resourceName
    .optional()
    .describe(
      "The name of the account, by default the host and port of the service. Lock, runs, baseline and budgets belong to the name, in every spelling of the service's URL. Give accounts different names, and use one name in all files and Pulumi stacks of an account: runs on accounts with different names do not wait for each other.",
    )
    .meta({ examples: ['acme-eu'] }),
  backend: z
    .string()
    .min(1)
    .optional()
    .describe(
      'The backend, which keeps the lock, the runs and the baseline. By default WEBDATA_BACKEND or the folder `.webdata`: a folder, `s3://BUCKET/PREFIX`, or `postgres://USER@HOST:PORT/DATABASE`. `--backend` and WEBDATA_BACKEND override it. Do not write a password into the file.',
    )
    .meta({ examples: ['s3://acme-webdata/production'] }),
  include: z
    .union([z.string().min(1), z.array(z.string().min(1))])
    .optional()
    .describe(
      'Files that this one extends, or patterns of such files, relative to this file. They are merged by key before this file.',
    )
    .meta({ examples: [['common.yaml', 'zones/*.yaml']] }),
  service: z
    .strictObject({
      url: serverUrl
        .optional()
        .describe('The URL of the service, by default WEBDATA_API_URL. `--api-url` overrides both.')
        .meta({ examples: ['https://api.example.com'] }),
      apiKey: z
        .string()
        .min(1)
        .optional()
        .meta({ writeOnly: true, examples: [`\${WEBDATA_API_KEY}`] })
        .describe('The API key, by default WEBDATA_API_KEY. Do not write the key itself into the file.'),
      profile: serviceProfile
        .prefault({})
        .describe('Details that the specification of the service leaves open. The defaults are often right.'),
      zones: zoneDetails,
    })
    .prefault({})
    .describe('The service of the account.'),
  manager: z
    .strictObject({
      url: serverUrl
        .optional()
        .describe(
          'The manager for managerSettings without a `url`, by default WEBDATA_MANAGER_URL. `--manager-url` overrides both.',
        )
        .meta({ examples: ['http://127.0.0.1:22999'] }),
      token: z
        .string()
        .min(1)
        .optional()
        .meta({ writeOnly: true, examples: [`\${WEBDATA_MANAGER_TOKEN}`] })
        .describe('The token of a manager that requires one, by default WEBDATA_MANAGER_TOKEN. Sent only to `url`.'),
    })
    .prefault({})
    .describe('The local proxy manager.'),
  triggers: z
    .strictObject({
      url: serverUrl
        .optional()
        .describe('The URL of the trigger service, by default WEBDATA_TRIGGERS_URL.')
        .meta({ examples: ['http://127.0.0.1:22997'] }),
      token: z
        .string()
        .min(1)
        .optional()
        .meta({ writeOnly: true, examples: [`\${WEBDATA_TRIGGERS_TOKEN}`] })
        .describe(
          'The token of the trigger service, by default WEBDATA_TRIGGERS_TOKEN. Do not write the token itself into the file.',
        ),
    })
    .prefault({})
    .describe('The trigger service, which fires schedules.'),
  prices: pricesSchema,
  budgets: budgetsSchema,
  exceptions: exceptionsSchema,
};

/** The whole file. A collection may be left empty. */
export const fileSchema = fromKinds(() => z.strictObject({ ...settings, ...collections() }).superRefine(assertPriced));

/** Returns the configuration without a file: only options and the environment. */
export function bareConfig(settings: Settings): Config {
  const locate: Config['locate'] = (problem, prefix) => ({ ...problem, path: [...prefix, ...(problem.path ?? [])] });
  return { ...configOf(readYaml('', ''), settings), locate };
}

/** Returns the configuration with its declaration replaced by that of a plan file. @throws ProblemError */
export function withDeclaration(config: Config, declaration: Readonly<Record<string, unknown>>): Config {
  const parsed = fileSchema().safeParse(declaration);
  if (!parsed.success) throw new ProblemError(zodProblems(parsed.error, declaration, { schema: fileSchema() }));
  return withoutConflicts({ ...config, exceptions: [], declared: declaredIn(parsed.data) });
}

export function configOf(source: YamlSource, settings: Settings): Config {
  const { env, apiUrl, managerUrl, allowEnv = [], folder = '.' } = settings;
  const refused = [...sentVariableProblems(source, allowEnv), ...writtenPasswordProblems(source)];
  if (refused.length > 0) throw new ProblemError(refused.map((problem) => locate(problem, source, [])));
  const parsed = parseWith(fileSchema(), { ...source, value: withoutExtensions(source.value) });
  if (!parsed.ok) throw new ProblemError(parsed.problems.map(withoutCredentials));
  const { name, account, backend, service, manager, triggers, prices, budgets } = parsed.value;
  const wrongBackend = backend === undefined ? undefined : backendAddressProblem(backend);
  if (wrongBackend !== undefined) throw new ProblemError([locate({ ...wrongBackend, path: ['backend'] }, source)]);
  const declared = declaredIn(parsed.value);
  const { exceptions, problems } = resolveExceptions(parsed.value.exceptions ?? [], declared);
  if (problems.length > 0) throw new ProblemError(problems.map((problem) => locate(problem, source, [])));
  return withoutConflicts({
    name,
    account,
    backend,
    service: {
      url: apiUrl ?? service.url ?? env.WEBDATA_API_URL,
      apiKey: service.apiKey ?? env.WEBDATA_API_KEY,
      profile: service.profile,
      zoneTypes: zoneTypesIn(service.zones),
    },
    manager: {
      url: managerUrl ?? manager.url ?? env.WEBDATA_MANAGER_URL,
      token: manager.token ?? env.WEBDATA_MANAGER_TOKEN,
    },
    triggers: { url: triggers.url ?? env.WEBDATA_TRIGGERS_URL, token: triggers.token ?? env.WEBDATA_TRIGGERS_TOKEN },
    allowedCallers: allowedCallersIn(service.zones),
    folder,
    declared,
    files: [],
    lists: [],
    skippedLists: 0,
    prices,
    budgets,
    exceptions,
    locate: (problem, prefix) => locate(problem, source, prefix),
  });
}

/** Removes the keys at the top that begin with `x-`. They hold anchors for other parts of the file, as in Compose. */
function withoutExtensions(value: unknown): unknown {
  if (!isMapValue(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([key]) => !key.startsWith('x-')));
}

/** Removes the passwords and tokens of URLs from the text. */
function withoutCredentials(problem: Problem): Problem {
  const { found, allowed, fix, path } = problem;
  // A URL that cannot be parsed may have its password anywhere before the `@`.
  const isUrl = path?.at(-1) === 'url';
  const redact = (text: string) => redactor()(isUrl ? text.replaceAll(/(:\/\/)?[^\s`"']*@/g, '$1***@') : text);
  return {
    ...problem,
    found: redact(found),
    ...(allowed && { allowed: redact(allowed) }),
    ...(fix && { fix: redact(fix) }),
  };
}

function declaredIn(file: Record<string, unknown>): Declared[] {
  return kinds.flatMap((definition) => {
    const { name: kind, collection } = definition;
    const specs = (file[collection] ?? {}) as Record<string, unknown>;
    return Object.entries(specs).map(([name, spec]) => ({ kind, collection, name, definition, spec }));
  });
}

/** Returns the configuration unchanged. @throws ProblemError if two resources claim the same thing */
function withoutConflicts(config: Config): Config {
  const { declared, manager, locate } = config;
  const specsOf = (collection: string) =>
    new Map(declared.filter((each) => each.collection === collection).map(({ name, spec }) => [name, spec]));
  const problems = kinds.flatMap(({ collection, conflicts }) => {
    const found = conflicts(specsOf(collection), { managerUrl: manager.url, declared: specsOf });
    return found.map((problem) => locate(problem, [collection]));
  });
  const all = [...ownerProblems(config), ...problems];
  if (all.length > 0) throw new ProblemError(all);
  return config;
}

function ownerProblems({ name, declared, locate }: Config): Problem[] {
  const first = declared.find(({ definition }) => ownership.of(definition) !== undefined);
  if (name !== undefined || first === undefined) return [];
  return [locate(noOwner, [first.collection])];
}

/** Returns the owner whose registrations to read, or undefined if the trigger service is not configured. */
export function reachableOwner({ name, triggers: { url, token } }: Config): string | undefined {
  return url === undefined || token === undefined ? undefined : name;
}

/** Returns the name of the account: the declared one, or the host of the service; empty if neither is known. */
export function accountName({ account, service: { url = '' } }: Pick<Config, 'account' | 'service'>): string {
  return account ?? (URL.canParse(url) ? new URL(url).host : '');
}

/** Returns the service with URL and key. @throws ProblemError if one of them is missing */
export function knownService({
  service,
}: Pick<Config, 'service'>): Config['service'] & { url: string; apiKey: string } {
  const { url, apiKey } = service;
  if (url === undefined) throw new ProblemError([noUrl]);
  if (apiKey === undefined) throw new ProblemError([noApiKey]);
  return { ...service, url, apiKey };
}

const noUrl: Problem = {
  affects: [],
  code: 'no-api-url',
  found: 'the URL of the service is not known',
  ...renderFix(({ setApiUrl }) => setApiUrl),
};

const noApiKey: Problem = {
  affects: [],
  code: 'no-api-key',
  found: 'the API key is missing',
  ...renderFix(({ apiKey }) => `set ${apiKey}; an admin creates keys in the control panel`),
};

export const noOwner: Problem = {
  code: 'no-owner',
  at: 'key',
  found: 'resources of the trigger service need an owner, but the file has no `name`',
  allowed: 'a `name` at the top of the file',
  fix: 'add `name: …`: all files with the same name own the same registrations',
};
