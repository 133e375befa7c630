/** Looks up the secrets that a delivery names, when a trigger is sent, and only as far as the operator allows it. */
import { assertNoProblems, type Problem, ProblemError } from '../../base/diagnostics/problem.ts';
import { shorten } from '../../base/diagnostics/valueWords.ts';
import { CommandError, outputOf } from '../../base/drivers/command.ts';
import { isMapValue } from '../../base/values/plain.ts';
import type { DeliverySpec } from '../declared/deliverySpec.ts';
import type { ScheduleSpec } from '../declared/scheduleSpec.ts';
import {
  isBound,
  isSecretPath,
  matchesName,
  notBound,
  type SecretBinding,
  secretDestination,
} from '../secrets/secretBinding.ts';
import { isReference } from '../secrets/secrets.ts';

export interface SecretSources {
  env: Readonly<Record<string, string | undefined>>;
  /** A command that prints the secret whose name is its last argument. */
  command?: readonly string[] | undefined;
  /** The destinations to which each secret may be sent. A secret without a binding may not be sent at all. */
  bindings?: readonly SecretBinding[] | undefined;
}

/** Returns the delivery with secrets in place of references. @throws ProblemError for a secret that is not allowed or not available */
export async function withSecrets(delivery: DeliverySpec, sources: SecretSources): Promise<DeliverySpec> {
  const problems = deliveryReferenceProblems(delivery, sources, []);
  assertNoProblems(problems);
  return (await resolveReferences(delivery, sources)) as DeliverySpec;
}

async function resolveReferences(value: unknown, sources: SecretSources): Promise<unknown> {
  if (isReference(value)) {
    return 'env' in value ? fromEnv(value.env, sources) : fromCommand(value.secret, sources);
  }
  if (Array.isArray(value)) return Promise.all(value.map((item) => resolveReferences(item, sources)));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(async ([name, field]) => [name, await resolveReferences(field, sources)]);
  return Object.fromEntries(await Promise.all(entries));
}

/** Returns whether the same preparation may succeed later: only the secret command depends on something outside this process. */
export function isTemporaryFailure(error: unknown): boolean {
  return error instanceof ProblemError && error.problems.every(({ code }) => code === 'secret-command-failed');
}

/** Returns the references of a spec that the operator does not allow. Looks no secret up. */
export function referenceProblems(spec: DeliverySpec | ScheduleSpec, sources: SecretSources): Problem[] {
  if (!('overlap' in spec)) return deliveryReferenceProblems(spec, sources, []);
  const { delivery } = spec;
  return isMapValue(delivery) ? deliveryReferenceProblems(delivery, sources, ['delivery']) : [];
}

function deliveryReferenceProblems(delivery: DeliverySpec, sources: SecretSources, path: PropertyKey[]): Problem[] {
  return Object.entries(delivery).flatMap(([field, value]) =>
    problemsIn(value, [...path, field], secretDestination(delivery, field), sources),
  );
}

function problemsIn(value: unknown, path: PropertyKey[], destination: string, sources: SecretSources): Problem[] {
  if (isReference(value)) {
    const problem = referenceProblem(value, destination, sources);
    return problem === undefined ? [] : [{ ...problem, path }];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, field]) => problemsIn(field, [...path, name], destination, sources));
}

/** Checks the name of a secret for the command, because it becomes an argument of the command. */
function referenceProblem(
  reference: { env: string } | { secret: string },
  destination: string,
  sources: SecretSources,
): Problem | undefined {
  const { command, bindings = [] } = sources;
  if ('secret' in reference && !isSecretPath(reference.secret)) {
    return {
      code: 'wrong-secret-name',
      found: `${JSON.stringify(shorten(reference.secret))} is not a valid name of a secret`,
      allowed: 'parts of letters, digits and _.:@#+- separated by /, each starting with a letter, a digit or _',
      fix: 'rename the secret',
    };
  }
  if ('secret' in reference && command === undefined) return noCommand;
  const name = 'env' in reference ? reference.env : reference.secret;
  return isBound(name, destination, bindings) ? undefined : notBound(name, destination, bindings);
}

function fromEnv(name: string, sources: SecretSources): string {
  const value = withoutLastBreak(sources.env[name] ?? '');
  if (value !== '') return value;
  const found = `the variable ${name} is not set in the environment of the trigger service`;
  const fix = 'set it where `webdata triggers serve` runs, and restart the service';
  throw new ProblemError([{ code: 'secret-not-set', found, fix }]);
}

/** A file of a secret often ends with a line break, which is no part of the secret. */
function withoutLastBreak(text: string): string {
  return text.replace(/\r?\n$/, '');
}

async function fromCommand(name: string, sources: SecretSources): Promise<string> {
  const { command = [], env, bindings = [] } = sources;
  if (command.length === 0) throw new ProblemError([noCommand]);
  try {
    // The command gets its own credentials, and no secrets of deliveries.
    const isWithheld = (variable: string) => bindings.some((binding) => matchesName(variable, binding.name));
    return withoutLastBreak(await outputOf([...command, name], { env, isWithheld }));
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    const found = `the secret command failed for ${name}: ${error.message}`;
    const fix = 'run the command by hand to see why; its stderr is not logged';
    throw new ProblemError([{ code: 'secret-command-failed', found, fix }]);
  }
}

const noCommand: Problem = {
  code: 'no-secret-command',
  found: 'the delivery names a secret, but this trigger service has no secret command',
  allowed: '{env: NAME}, or a trigger service with --secret-command',
};
