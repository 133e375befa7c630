/** Whether the store behind the registry answers, for those who can't wait for long. */
import type { Problem } from '../../input/problem.ts';
import type { Registry } from '../registry.ts';

/** Whoever probes gives up after some seconds. */
const patienceMs = 2_000;

export async function answersSoon(registry: Registry): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((done) => {
    timer = setTimeout(() => done(false), patienceMs);
  });
  const answer = registry.now().then(
    () => true,
    () => false,
  );
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}

export const storeAway: Problem = {
  code: 'store-away',
  found: 'the store does not answer',
  fix: 'see whether the database is up and can be reached; the trigger service keeps trying',
};
