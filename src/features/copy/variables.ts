/** The variables that lead commands to a copy instead of the live account. */
import { type Problem, ProblemError } from '../../base/diagnostics/problem.ts';
import type { Config } from '../../engine/doors/declaration.ts';
import { declaredManagers } from '../../kinds/declaredManagers.ts';

export type Variables = Readonly<Record<string, string>>;

/** An address or a secret of the live account, and what takes its place. */
export interface Replacement {
  live: string | undefined;
  copy: string;
  /** The variable that the commands read if the declaration names none. */
  variable?: string;
}

/** Returns the usual variables, and every other variable of this environment that has the value of the live account. */
export function variablesOf(
  replacements: readonly Replacement[],
  env: Readonly<Record<string, string | undefined>>,
): Variables {
  const usual = replacements.flatMap(({ variable, copy }) =>
    variable === undefined ? [] : [[variable, copy] as const],
  );
  const others = Object.entries(env).flatMap(([name, value]) => {
    const found = replacements.find(({ live }) => live !== undefined && live === value);
    return found === undefined ? [] : [[name, found.copy] as const];
  });
  return Object.fromEntries([...others, ...usual]);
}

/**
 * Refuses a declaration that would still lead to the live account with the variables of the copy: a rehearsal of it would be no rehearsal.
 * @throws ProblemError
 */
export function assertLeadsToCopy(config: Config, copies: readonly string[], file: readonly string[]): void {
  const { service, manager, triggers } = config;
  const addresses: (readonly [field: string, value: string | undefined, variable: string])[] = [
    ['service.url', service.url, 'WEBDATA_API_URL'],
    ['service.apiKey', service.apiKey, 'WEBDATA_API_KEY'],
    ['manager.url', manager.url, 'WEBDATA_MANAGER_URL'],
    ...declaredManagers(config).map((url) => ['url of managerSettings', url, 'WEBDATA_MANAGER_URL'] as const),
    ['triggers.url', triggers.url, 'WEBDATA_TRIGGERS_URL'],
    ['triggers.store', triggers.ledger?.store, 'WEBDATA_TRIGGERS_URL'],
    ['triggers.token', triggers.token, 'WEBDATA_TRIGGERS_TOKEN'],
  ];
  const fixed = addresses.filter(([, value]) => value !== undefined && !copies.includes(value));
  const problems = new Map(fixed.map(([field, , variable]) => [field, fixedAddress(field, variable, file)]));
  if (problems.size > 0) throw new ProblemError([...problems.values()]);
}

function fixedAddress(field: string, variable: string, file: readonly string[]): Problem {
  return {
    code: 'fixed-address',
    found: `${field} of ${file.join(' with ')} is written out, so a rehearsal would reach the live account`,
    allowed: 'a variable, which can lead to the copy',
    fix:
      field === 'triggers.store'
        ? 'name the trigger service by `url`'
        : `write "\${${variable}}", or leave the field out`,
  };
}
