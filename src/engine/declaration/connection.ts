/** The connection that a declaration describes: the account with its servers, without its resources. Reading it needs no kind. */
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { z } from 'zod';
import { renderFix } from '../../base/diagnostics/fix.ts';
import { assertNoProblems, type Problem, ProblemError } from '../../base/diagnostics/problem.ts';
import { withoutLogin } from '../../base/drivers/postgresAddress.ts';
import { parseAddress } from '../../base/values/address.ts';
import { once } from '../../base/values/once.ts';
import { isMapValue } from '../../base/values/plain.ts';
import { locate, parseWith, withoutVariables } from '../../base/yaml/parseWith.ts';
import type { YamlSource } from '../../base/yaml/source.ts';
import type { ZoneTypes } from '../../client/areas/zones/zoneTypes.ts';
import { parseProfile, type ServiceProfile, serviceProfile } from '../../client/profile.ts';
import { redactor } from '../../client/redact.ts';
import { serverUrl } from '../../kinds/seam/serverUrl.ts';
import type { LedgerAddress } from '../../triggers/openLedger.ts';
import { storeAddressProblem } from '../../triggers/store/address.ts';
import { backendAddressProblem } from '../backend/store/address.ts';
import { type Prices, pricesSchema } from './prices.ts';
import { connectionVariableProblems, writtenPasswordProblems } from './sentVariables.ts';
import { zoneDetails, zoneTypesIn } from './zoneDetails.ts';

export interface Connection {
  name?: string | undefined;
  /** The declared name of the account; `accountName` has the default. */
  account?: string | undefined;
  /** The declared address of the backend: a folder, relative to the declaration, or a store. */
  backend?: string | undefined;
  service: { url?: string | undefined; apiKey?: string | undefined; profile: ServiceProfile; zoneTypes?: ZoneTypes };
  manager: { url?: string | undefined; token?: string | undefined };
  /** The trigger service, or the ledger that is used in its place. */
  triggers: { url?: string | undefined; token?: string | undefined; ledger?: LedgerAddress | undefined };
  prices?: Prices | undefined;
  /** The folder for relative names of files in the declaration. */
  folder: string;
}

/** A connection that was read from files. */
export interface LocatedConnection extends Connection {
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
  /** True if no `-f` names the file, which is then the default one. */
  isDefaultFile?: boolean | undefined;
  /** Read for the file `-`. By default, the standard input of the process. */
  stdin?: Readable | undefined;
}

export const resourceName = z
  .string()
  .regex(/^[A-Za-z0-9][\w.-]*$/, 'must be a name of letters, digits, ".", "_" and "-"')
  .meta({ examples: ['main'] });

const text = () => z.string().min(1).optional();

/** The fields of a file that describe the connection. */
export const connectionFields = {
  name: text()
    .describe('The owner of the declared resources. Required for resources of the trigger service.')
    .meta({ examples: ['acme'] }),
  account: resourceName
    .optional()
    .describe(
      'The name of the account, where several accounts share a server. Lock, runs and baseline belong to it. Without it, the file is for the only account that is known at the server.',
    )
    .meta({ examples: ['acme-eu'] }),
  backend: text()
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
      apiKey: text()
        .meta({ writeOnly: true, examples: [`\${WEBDATA_API_KEY}`] })
        .describe('The API key, by default WEBDATA_API_KEY. Do not write the key itself into the file.'),
      profile: serviceProfile
        .optional()
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
      token: text()
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
      token: text()
        .meta({ writeOnly: true, examples: [`\${WEBDATA_TRIGGERS_TOKEN}`] })
        .describe(
          'The token of the trigger service, by default WEBDATA_TRIGGERS_TOKEN. Do not write the token itself into the file.',
        ),
      store: text()
        .describe(
          'The store of the schedules, in place of `url`: a file, relative to the declaration, or `postgres://USER@HOST:PORT/DATABASE`. No server is needed: `webdata triggers round` fires what is due. Do not write a password into the file.',
        )
        .meta({ examples: ['./triggers.db'] }),
    })
    .prefault({})
    .describe('The trigger service, which fires schedules, or the store that is used without one.'),
  prices: pricesSchema,
};

const connectionSchema = z.strictObject(connectionFields);

type ConnectionFields = z.output<typeof connectionSchema>;

/** Returns a function that adds the location in this file to a problem. */
export function locator(source: YamlSource): LocatedConnection['locate'] {
  return (problem, prefix) => locate(withoutVariables(problem, source, prefix), source, prefix);
}

/** Returns the connection of a file, whose other keys are not read. @throws ProblemError */
export function connectionIn(source: YamlSource, settings: Settings): LocatedConnection {
  const known = Object.entries(isMapValue(source.value) ? source.value : {}).filter(([key]) => key in connectionFields);
  const refused = connectionVariableProblems(source, settings.allowEnv ?? []);
  const fields = parsedFile(connectionSchema, { ...source, value: Object.fromEntries(known) }, refused);
  return { ...connectionOf(fields, settings), locate: locator(source) };
}

/** Returns the fields of a file. `refused` are problems that it has anyway. @throws ProblemError */
export function parsedFile<S extends z.ZodType<ConnectionFields>>(
  schema: S,
  source: YamlSource,
  refused: readonly Problem[],
): z.output<S> {
  const early = [...refused, ...writtenPasswordProblems(source)];
  assertNoProblems(early.map((problem) => locate(problem, source, [])));
  const parsed = parseWith(schema, { ...source, value: withoutExtensions(source.value) });
  if (!parsed.ok) throw new ProblemError(parsed.problems.map(withoutCredentials));
  assertNoProblems(addressProblems(parsed.value).map((problem) => locate(problem, source)));
  return parsed.value;
}

function addressProblems({ backend, triggers: { url, store } }: ConnectionFields): Problem[] {
  const wrongBackend = backend === undefined ? undefined : backendAddressProblem(backend);
  const wrongStore = store === undefined ? undefined : storeAddressProblem(store);
  return [
    ...(wrongBackend === undefined ? [] : [{ ...wrongBackend, path: ['backend'] }]),
    ...(wrongStore === undefined ? [] : [{ ...wrongStore, path: ['triggers', 'store'] }]),
    ...(url === undefined || store === undefined ? [] : [serviceAndStore]),
  ];
}

const serviceAndStore: Problem = {
  code: 'service-and-store',
  path: ['triggers', 'store'],
  at: 'key',
  found: '`triggers` has both `url` and `store`',
  allowed: '`url`, for a trigger service, or `store`, to work on the store without one',
  fix: 'remove one of them',
};

/** Made when it is first asked for: commands that stay offline need none. */
const usualProfile = once(parseProfile);

/** Options override the file, and the file overrides the environment. */
export function connectionOf(
  { name, account, backend, service, manager, triggers, prices }: ConnectionFields,
  { env, apiUrl, managerUrl, folder = '.' }: Settings,
): Connection {
  return {
    name,
    account,
    backend,
    service: {
      url: apiUrl ?? service.url ?? setVariable(env.WEBDATA_API_URL),
      apiKey: service.apiKey ?? env.WEBDATA_API_KEY,
      get profile() {
        return service.profile ?? usualProfile();
      },
      zoneTypes: zoneTypesIn(service.zones),
    },
    manager: {
      url: managerUrl ?? manager.url ?? setVariable(env.WEBDATA_MANAGER_URL),
      token: manager.token ?? setVariable(env.WEBDATA_MANAGER_TOKEN),
    },
    triggers: {
      url: triggers.store === undefined ? (triggers.url ?? setVariable(env.WEBDATA_TRIGGERS_URL)) : undefined,
      token: triggers.token ?? setVariable(env.WEBDATA_TRIGGERS_TOKEN),
      ledger: triggers.store === undefined ? undefined : ledgerAddress(triggers.store, env, folder),
    },
    prices,
    folder,
  };
}

function ledgerAddress(store: string, env: Settings['env'], folder: string): LedgerAddress {
  const isPath = parseAddress(store).kind === 'path';
  return {
    store: isPath ? resolve(folder, store) : store,
    // As it is written: reports and records have no absolute paths.
    shown: isPath ? store : withoutLogin(store),
    keys: setVariable(env.WEBDATA_TRIGGERS_KEY),
    keyFile: setVariable(env.WEBDATA_TRIGGERS_KEY_FILE),
    secretFor: env.WEBDATA_TRIGGERS_SECRET_FOR,
    folder,
  };
}

/** Returns the value of a variable. A CI sets the variable of a secret that does not exist to an empty text: it counts as not set. */
export function setVariable(value: string | undefined): string | undefined {
  return value?.trim() === '' ? undefined : value;
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

/** Returns the owner whose registrations to read, or undefined if the trigger service is not configured. */
export function reachableOwner({ name, triggers: { url, token, ledger } }: Connection): string | undefined {
  const isReachable = ledger !== undefined || (url !== undefined && token !== undefined);
  return isReachable ? name : undefined;
}

/** Returns the name of the account: the declared one, or the host of the service; empty if neither is known. */
export function accountName({ account, service: { url = '' } }: Pick<Connection, 'account' | 'service'>): string {
  return account ?? (URL.canParse(url) ? new URL(url).host : '');
}

/** Returns the service with URL and key. @throws ProblemError if one of them is missing */
export function knownService({
  service,
}: Pick<Connection, 'service'>): Connection['service'] & { url: string; apiKey: string } {
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
