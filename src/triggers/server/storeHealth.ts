/** Whether the store behind the registry answers, for those who can't wait for long. */
import type { Problem } from '../../diagnostics/problem.ts';
import type { Registry } from '../registry.ts';

/** Whoever probes gives up after some seconds. */
const patienceMs = 2_000;

export async function answersSoon(registry: Registry): Promise<boolean> {
  return (await soon(registry.now())) !== undefined;
}

/** What the store answers; undefined where it fails, or takes its time. */
export async function soon<Answer>(asked: Promise<Answer>): Promise<Answer | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(resolve, patienceMs, undefined);
  return Promise.race([asked.catch(() => undefined), late]).finally(() => clearTimeout(timer));
}

export const storeAway: Problem = {
  code: 'store-away',
  found: 'the store does not answer',
  fix: 'see whether the database is up and can be reached; the trigger service keeps trying',
};
