/** URLs, credentials and overrides: from the configuration of the stack (`webdata:…`), then from the environment. */
import { z } from 'zod';
import { type Problem, ProblemError } from '../../src/diagnostics/problem.ts';
import { zodProblems } from '../../src/diagnostics/zodProblems.ts';
import type { Overrides } from '../../src/kinds/context.ts';
import { serviceProfile } from '../../src/service/profile.ts';
import type { Config } from '../../src/sync/config/config.ts';

/** Returns one setting of the stack by its key: `webdata:apiUrl`. */
export type Lookup = (key: string) => string | undefined;

export interface Configuration {
  config: Config;
  overrides: Overrides;
  /** Values that no message may show. */
  secrets: readonly string[];
}

const url = z.url({ protocol: /^https?$/ }).optional();
const flag = z
  .enum(['true', 'false'])
  .transform((text) => text === 'true')
  .optional();

const settings = z.object({
  apiUrl: url,
  managerUrl: url,
  apiKey: z.string().min(1).optional(),
  managerToken: z.string().min(1).optional(),
  triggersUrl: url,
  triggersToken: z.string().min(1).optional(),
  profile: z
    .string()
    .transform((text, context) => {
      try {
        return JSON.parse(text) as unknown;
      } catch {
        context.addIssue('must be an object, set with `pulumi config set --path webdata:profile.NAME VALUE`');
        return z.NEVER;
      }
    })
    .pipe(serviceProfile)
    .optional(),
  allowMoves: z.string().regex(/^\d+$/, 'must be a number of IPs').transform(Number).optional(),
  allowSelfLockout: flag,
  allowUnclearListing: flag,
  forcePorts: flag,
});

const names = Object.keys(settings.shape);

/** @throws ProblemError that names each invalid setting */
export function readConfiguration(lookup: Lookup, env: Readonly<Record<string, string | undefined>>): Configuration {
  const found = Object.fromEntries(names.map((name) => [name, lookup(`webdata:${name}`)]));
  const parsed = settings.safeParse(found);
  if (!parsed.success) throw new ProblemError(zodProblems(parsed.error, found, { schema: settings }).map(named));
  const { profile = serviceProfile.parse({}), ...given } = parsed.data;
  const { allowMoves, allowSelfLockout, allowUnclearListing: allowUnclearListings, forcePorts } = given;
  const apiKey = given.apiKey ?? env.WEBDATA_API_KEY;
  const token = given.managerToken ?? env.WEBDATA_MANAGER_TOKEN;
  const triggersToken = given.triggersToken ?? env.WEBDATA_TRIGGERS_TOKEN;
  return {
    config: {
      service: { url: given.apiUrl ?? env.WEBDATA_API_URL, apiKey, profile },
      manager: { url: given.managerUrl ?? env.WEBDATA_MANAGER_URL, token },
      triggers: { url: given.triggersUrl ?? env.WEBDATA_TRIGGERS_URL, token: triggersToken },
      // The engine runs a provider in the folder of the program.
      folder: '.',
      declared: [],
      locate: (problem) => problem,
    },
    overrides: { allowMoves, allowSelfLockout, allowUnclearListings, forcePorts },
    secrets: [apiKey, token, triggersToken].filter((secret) => secret !== undefined),
  };
}

/** `webdata:apiUrl`, as the stack's file writes it. */
function named(problem: Problem): Problem {
  const [name = '', ...deeper] = problem.path ?? [];
  return { ...problem, path: [`webdata:${String(name)}`, ...deeper] };
}
