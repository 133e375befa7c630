/** Secrets that a spec names rather than holds: looked up when a trigger is sent, and only where the operator allows it. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type Problem, ProblemError } from '../../input/problem.ts';
import { isReference } from '../secrets.ts';

export interface SecretSources {
  env: Readonly<Record<string, string | undefined>>;
  /** The variables that specs may name; `*` at its end stands for anything. */
  allowedEnv: readonly string[];
  /** Prints the secret of the name that it is given as its last argument. */
  command?: readonly string[] | undefined;
}

/** Every reference in a spec replaced by what it names. @throws ProblemError */
export async function withSecrets(value: unknown, sources: SecretSources): Promise<unknown> {
  if (isReference(value)) {
    return 'env' in value ? fromEnv(value.env, sources) : fromCommand(value.secret, sources);
  }
  if (Array.isArray(value)) return Promise.all(value.map((item) => withSecrets(item, sources)));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(async ([name, field]) => [
    name,
    name === 'inputs' ? field : await withSecrets(field, sources),
  ]);
  return Object.fromEntries(await Promise.all(entries));
}

/** What a spec names and the operator does not allow, without looking it up. */
export function referenceProblems(value: unknown, sources: SecretSources, path: PropertyKey[] = []): Problem[] {
  if (isReference(value)) {
    if ('secret' in value) return secretProblems(value.secret, sources, path);
    return isAllowed(value.env, sources) ? [] : [notAllowed(value.env, sources, path)];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, field]) =>
    name === 'inputs' ? [] : referenceProblems(field, sources, [...path, name]),
  );
}

/** A name that begins with a dash would be an option of the command. */
function secretProblems(name: string, { command }: SecretSources, path: PropertyKey[]): Problem[] {
  if (command === undefined) return [{ ...noCommand, path }];
  return name.startsWith('-') ? [{ ...dashed, path }] : [];
}

function isAllowed(name: string, { allowedEnv }: SecretSources): boolean {
  return allowedEnv.some((allowed) =>
    allowed.endsWith('*') ? name.startsWith(allowed.slice(0, -1)) : name === allowed,
  );
}

function fromEnv(name: string, sources: SecretSources): string {
  if (!isAllowed(name, sources)) throw new ProblemError([notAllowed(name, sources, [])]);
  const value = sources.env[name];
  if (!value) throw new ProblemError([notSet(name)]);
  return value;
}

const commandTimeoutMs = 10_000;

async function fromCommand(name: string, sources: SecretSources): Promise<string> {
  const [program, ...args] = sources.command ?? [];
  if (program === undefined || name.startsWith('-')) throw new ProblemError([noCommand]);
  try {
    const { stdout } = await promisify(execFile)(program, [...args, name], {
      timeout: commandTimeoutMs,
      env: environmentOf(sources),
    });
    if (stdout.trim() === '') throw new Error('it printed nothing');
    return stdout.replace(/\r?\n$/, '');
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? `it ended with ${error.code}` : 'it printed nothing';
    throw new ProblemError([commandFailed(name, why)]);
  }
}

/** It needs its own credentials, and none of this service: neither its keys and tokens nor what declarations may name. */
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

const dashed: Problem = {
  code: 'wrong-secret-name',
  found: 'the name of a secret begins with a dash',
  fix: 'rename it',
};

function notAllowed(name: string, { allowedEnv }: SecretSources, path: PropertyKey[]): Problem {
  return {
    code: 'secret-not-allowed',
    path,
    found: `the variable ${name} may not be used by declarations`,
    allowed: allowedEnv.join(', ') || 'none',
    fix: `name one of these, or start the trigger service with --secret-env ${name}`,
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
