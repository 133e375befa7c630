/** Secrets that a delivery names rather than holds: looked up when a trigger is sent, and only where the operator allows it. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type Problem, ProblemError } from '../../diagnostics/problem.ts';
import { shorten } from '../../diagnostics/valueWords.ts';
import { isMapValue } from '../../values/plain.ts';
import {
  destinationOf,
  isBound,
  isSecretPath,
  matchesName,
  notBound,
  type SecretBinding,
} from '../secrets/secretBinding.ts';
import { isReference } from '../secrets/secrets.ts';
import type { DeliverySpec } from '../spec/deliverySpec.ts';
import type { ScheduleSpec } from '../spec/scheduleSpec.ts';

export interface SecretSources {
  env: Readonly<Record<string, string | undefined>>;
  /** The variables that deliveries may name; `*` at its end stands for any rest. Those that are bound may be named too. */
  allowedEnv: readonly string[];
  /** Prints the secret whose name is its last argument. */
  command?: readonly string[] | undefined;
  /** Where each secret may be sent. A secret without a binding is sent nowhere. */
  bindings?: readonly SecretBinding[] | undefined;
}

/** A place in a delivery: its first field decides where the secret goes. */
type Field = PropertyKey | undefined;

/** The delivery with each reference replaced by its secret. @throws ProblemError where one is not allowed or cannot be had */
export async function withSecrets(delivery: DeliverySpec, sources: SecretSources): Promise<DeliverySpec> {
  const problems = deliveryReferenceProblems(delivery, sources, []);
  if (problems.length > 0) throw new ProblemError(problems);
  return (await replaced(delivery, sources)) as DeliverySpec;
}

async function replaced(value: unknown, sources: SecretSources): Promise<unknown> {
  if (isReference(value)) {
    return 'env' in value ? fromEnv(value.env, sources) : fromCommand(value.secret, sources);
  }
  if (Array.isArray(value)) return Promise.all(value.map((item) => replaced(item, sources)));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(async ([name, field]) => [name, await replaced(field, sources)]);
  return Object.fromEntries(await Promise.all(entries));
}

/** Whether the same preparation may succeed later: the secret command is a program of its own, with a server behind it. */
export function canPass(error: unknown): boolean {
  return error instanceof ProblemError && error.problems.every(({ code }) => code === 'secret-command-failed');
}

/** The references of a delivery or a schedule that the operator does not allow, without looking them up. */
export function referenceProblems(spec: DeliverySpec | ScheduleSpec, sources: SecretSources): Problem[] {
  if (!('overlap' in spec)) return deliveryReferenceProblems(spec, sources, []);
  const { delivery } = spec;
  return isMapValue(delivery) ? deliveryReferenceProblems(delivery, sources, ['delivery']) : [];
}

function deliveryReferenceProblems(delivery: DeliverySpec, sources: SecretSources, path: PropertyKey[]): Problem[] {
  return Object.entries(delivery).flatMap(([field, value]) =>
    problemsIn(value, [...path, field], (name, at) => bindingProblems(delivery, field, name, at, sources), sources),
  );
}

type CheckBinding = (name: string, path: PropertyKey[]) => Problem[];

function problemsIn(value: unknown, path: PropertyKey[], check: CheckBinding, sources: SecretSources): Problem[] {
  if (isReference(value)) {
    const name = 'env' in value ? value.env : value.secret;
    const problems =
      'env' in value ? envProblems(value.env, sources, path) : secretProblems(value.secret, sources, path);
    return problems.length > 0 ? problems : check(name, path);
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, field]) => problemsIn(field, [...path, name], check, sources));
}

function bindingProblems(
  delivery: DeliverySpec,
  field: Field,
  name: string,
  path: PropertyKey[],
  { bindings = [] }: SecretSources,
): Problem[] {
  const destination = destinationOf(delivery, field);
  return isBound(name, destination, bindings) ? [] : [notBound(name, destination, bindings, path)];
}

function envProblems(name: string, sources: SecretSources, path: PropertyKey[]): Problem[] {
  return isAllowed(name, sources) ? [] : [notAllowed(name, sources, path)];
}

/** The name becomes an argument of the command. */
function secretProblems(name: string, { command }: SecretSources, path: PropertyKey[]): Problem[] {
  if (!isSecretPath(name)) return [{ ...wrongName(name), path }];
  return command === undefined ? [{ ...noCommand, path }] : [];
}

function isAllowed(name: string, { allowedEnv, bindings = [] }: SecretSources): boolean {
  return [...allowedEnv, ...bindings.map((binding) => binding.name)].some((pattern) => matchesName(name, pattern));
}

function fromEnv(name: string, sources: SecretSources): string {
  const value = sources.env[name];
  if (!value) throw new ProblemError([notSet(name)]);
  return value;
}

const commandTimeoutMs = 10_000;

async function fromCommand(name: string, sources: SecretSources): Promise<string> {
  const [program, ...args] = sources.command ?? [];
  if (program === undefined) throw new ProblemError([noCommand]);
  try {
    const { stdout } = await promisify(execFile)(program, [...args, name], {
      timeout: commandTimeoutMs,
      env: environmentOf(sources),
    });
    if (stdout.trim() === '') throw new Error('it printed nothing');
    return stdout.replace(/\r?\n$/, '');
  } catch (error) {
    throw new ProblemError([commandFailed(name, whyFailed(error))]);
  }
}

function whyFailed(error: unknown): string {
  const { killed, code, signal } = error as { killed?: boolean; code?: unknown; signal?: unknown };
  if (killed) return `it took longer than ${commandTimeoutMs / 1000} s`;
  if (signal) return `it was ended by ${String(signal)}`;
  return code === undefined ? 'it printed nothing' : `it ended with ${String(code)}`;
}

/** The variables that the command gets: its own credentials, and neither keys of this service nor secrets of deliveries. */
function environmentOf(sources: SecretSources): NodeJS.ProcessEnv {
  const given = Object.entries(sources.env).filter(
    ([name]) => !name.startsWith('WEBDATA_') && !isAllowed(name, sources),
  );
  return Object.fromEntries(given);
}

const noCommand: Problem = {
  code: 'no-secret-command',
  found: 'a secret is named, and this trigger service has no secret command',
  allowed: '{env: NAME}, or a trigger service with --secret-command',
};

function wrongName(name: string): Problem {
  return {
    code: 'wrong-secret-name',
    found: `${JSON.stringify(shorten(name))} is not the name of a secret`,
    allowed: 'parts of letters, digits and _.:@#+- with / between them, each beginning with a letter, a digit or _',
    fix: 'rename the secret',
  };
}

function notAllowed(name: string, { allowedEnv }: SecretSources, path: PropertyKey[]): Problem {
  return {
    code: 'secret-not-allowed',
    path,
    found: `the variable ${name} may not be used by deliveries`,
    allowed: allowedEnv.join(', ') || 'none',
    fix: `name one of these, or start the trigger service with --secret-for '${name}=ORIGIN'`,
  };
}

function notSet(name: string): Problem {
  return {
    code: 'secret-not-set',
    found: `the variable ${name} is not set at the trigger service`,
    fix: 'set it where `webdata triggers serve` runs, and start that again',
  };
}

function commandFailed(name: string, why: string): Problem {
  return {
    code: 'secret-command-failed',
    found: `the secret command gave nothing for ${name}: ${why}`,
    fix: 'run the command by hand to see why; what it prints on stderr is kept from the log',
  };
}
