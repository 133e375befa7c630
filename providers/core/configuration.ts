/** URLs, credentials and overrides: from the configuration of the stack (`webdata:…`), then from the environment. */
import { z } from 'zod';
import { formatPath } from '../../src/base/diagnostics/path.ts';
import { type Problem, ProblemError } from '../../src/base/diagnostics/problem.ts';
import { parse } from '../../src/base/diagnostics/zodProblems.ts';
import { parsedJson } from '../../src/base/values/plain.ts';
import { serviceProfile } from '../../src/client/profile.ts';
import { type Config, passwordHostProblem, setVariable } from '../../src/engine/doors/front.ts';
import type { Overrides } from '../../src/kinds/seam/context.ts';
import type { Properties } from '../../src/kinds/seam/kind.ts';
import { unknownPaths } from './unknown.ts';

/** Returns one setting of the stack by its key: `webdata:apiUrl`. */
export type Lookup = (key: string) => string | undefined;

type Env = Readonly<Record<string, string | undefined>>;

/** Looks settings up in values by name. As in the configuration of the engine, a value that is no text is JSON. */
export function settingsLookup(values: Properties): Lookup {
  return (key) => {
    const value = values[key.replace(/^webdata:/, '')];
    return value === undefined || typeof value === 'string' ? value : JSON.stringify(value);
  };
}

interface Configuration {
  config: Config;
  overrides: Overrides;
  /** True if accepted moves that no listing shows may be sent again. */
  resend: boolean;
  lockTimeoutMs: number;
  /** Values that no message may show. */
  secrets: readonly string[];
}

const url = (service: string) =>
  z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(`URL of ${service}.`);
const secret = (what: string) => z.string().min(1).optional().describe(what);
const override = (what: string) => z.boolean().optional().describe(what);

/** The configuration of a stack or a provider. Every setting is optional, because a program may use only a part of the package. */
export const stackSettings = z.object({
  apiUrl: url('the service. Defaults to the environment variable WEBDATA_API_URL'),
  managerUrl: url('the local proxy manager. Defaults to the environment variable WEBDATA_MANAGER_URL'),
  apiKey: secret('API key of the service. Defaults to the environment variable WEBDATA_API_KEY.'),
  managerToken: secret('Token of the proxy manager. Defaults to the environment variable WEBDATA_MANAGER_TOKEN.'),
  triggersUrl: url('the trigger service. Defaults to the environment variable WEBDATA_TRIGGERS_URL'),
  triggersToken: secret('Token of the trigger service. Defaults to the environment variable WEBDATA_TRIGGERS_TOKEN.'),
  account: z
    .string()
    .min(1)
    .optional()
    .describe('Name of the account, as `account` in the declarations of `webdata` for it.'),
  backend: secret(
    'Address of the backend of the team, whose lock every update takes: s3://BUCKET/PREFIX or postgres://…. Defaults to the environment variable WEBDATA_BACKEND, and without it to a lock on this machine.',
  ),
  profile: serviceProfile.optional().describe('Differences of the service from its specification.'),
  lockTimeout: z
    .number()
    .min(0)
    .default(600)
    .describe('The longest time in seconds that an update waits for another run on this account to end.'),
  allowMoves: z.int().min(0).optional().describe('Raises `maxMoves` of every allocation to this number of IPs.'),
  allowSelfLockout: override('Lets an update remove the address of this machine from an allow list.'),
  allowUnclearListing: override(
    'Moves IPs although a listing is no list or not whole, and counts them by the countries that are listed now.',
  ),
  forcePorts: override('Deletes `absentPorts` again, even those that an earlier update deleted.'),
  resend: override(
    'Lets an update send moves again that an earlier update sent, the service accepted and no listing shows. They may be charged twice.',
  ),
  refreshBeforeUpdate: override(
    'Reads every resource before a preview, an update or a destroy, without `--refresh`. Native provider only; the state then requires Pulumi 3.220 or newer.',
  ),
});

/** Settings that are keys or tokens, or may contain a password. */
export const secretSettings: readonly string[] = ['apiKey', 'managerToken', 'triggersToken', 'backend'];

/** The engine passes settings on as text: one that is not text is JSON. */
function settingOf([name, schema]: [string, z.ZodType], lookup: Lookup): [string, unknown] {
  const text = lookup(`webdata:${name}`);
  return [name, schema.safeParse(text).success ? text : (parsedJson(text ?? '') ?? text)];
}

function settingsFrom(lookup: Lookup, env: Env) {
  const found = Object.entries<z.ZodType>(stackSettings.shape).map((setting) => settingOf(setting, lookup));
  const parsed = parse(stackSettings, Object.fromEntries(found));
  const backend = parsed.ok ? parsed.value.backend : undefined;
  const problem = backend === undefined ? undefined : passwordHostProblem(backend, env);
  return problem === undefined ? parsed : { ok: false as const, problems: [problem] };
}

/** Returns the problems of the settings that are known, with the paths of the settings. */
export function configurationProblems(values: Properties, lookupOf: (known: Properties) => Lookup): readonly Problem[] {
  const known = Object.entries(values).filter(([, value]) => unknownPaths(value).length === 0);
  const settings = settingsFrom(lookupOf(Object.fromEntries(known)), process.env);
  return settings.ok ? [] : settings.problems;
}

/** @throws ProblemError that names each invalid setting as the stack's file does */
export function readConfiguration(lookup: Lookup, env: Env): Configuration {
  const settings = settingsFrom(lookup, env);
  if (!settings.ok) throw new ProblemError(settings.problems.map(named));
  const { profile = serviceProfile.parse({}), ...given } = settings.value;
  const { allowMoves, allowSelfLockout, allowUnclearListing: allowUnclearListings, forcePorts } = given;
  const apiKey = given.apiKey ?? env.WEBDATA_API_KEY;
  const token = given.managerToken ?? setVariable(env.WEBDATA_MANAGER_TOKEN);
  const triggersToken = given.triggersToken ?? setVariable(env.WEBDATA_TRIGGERS_TOKEN);
  const backend = given.backend ?? (env.WEBDATA_BACKEND || undefined);
  return {
    config: {
      account: given.account,
      backend,
      service: { url: given.apiUrl ?? setVariable(env.WEBDATA_API_URL), apiKey, profile },
      manager: { url: given.managerUrl ?? setVariable(env.WEBDATA_MANAGER_URL), token },
      triggers: { url: given.triggersUrl ?? setVariable(env.WEBDATA_TRIGGERS_URL), token: triggersToken },
      // The engine runs a provider in the folder of the program.
      folder: '.',
      declared: [],
      places: [],
      folders: ['.'],
      allowedCallers: {},
      exceptions: [],
      locate: (problem) => problem,
    },
    overrides: { allowMoves, allowSelfLockout, allowUnclearListings, forcePorts },
    resend: given.resend ?? false,
    lockTimeoutMs: given.lockTimeout * 1000,
    secrets: [apiKey, token, triggersToken, passwordIn(backend)].filter((secret) => secret !== undefined),
  };
}

function passwordIn(address: string | undefined): string | undefined {
  return (/^[a-z+]+:\/\/[^/?#]*?:([^/?#]+)@/i.exec(address ?? '')?.[1] ?? '') || undefined;
}

/** The path of a setting is not a path of a property, so it becomes a part of the text. */
function named({ path = [], ...problem }: Problem): Problem {
  return { ...problem, found: `webdata:${formatPath(path)}: ${problem.found}` };
}
