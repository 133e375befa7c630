import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type Lock, sharedLock } from '../../../src/engine/run/sharedLock.ts';

/** A lock that records its events. `lose` aborts the signal of the current holder. */
function recordedLock(): { lock: Lock; events: string[]; lose(): void } {
  const events: string[] = [];
  let current = new AbortController();
  return {
    events,
    lose: () => current.abort(),
    async lock(action) {
      await setTimeout(5);
      events.push('take');
      current = new AbortController();
      try {
        return await action(current.signal);
      } finally {
        await setTimeout(5);
        events.push('release');
      }
    },
  };
}

const action = (events: string[], name: string, ms: number) => async () => {
  events.push(`${name} begins`);
  await setTimeout(ms);
  events.push(`${name} ends`);
  return name;
};

describe('a lock that actions share', () => {
  it('is taken once for actions at the same time, and released after the last one', async () => {
    const { lock, events } = recordedLock();
    const shared = sharedLock(lock);
    const results = await Promise.all([shared(action(events, 'a', 10)), shared(action(events, 'b', 60))]);
    expect(results).toEqual(['a', 'b']);
    expect(events).toEqual(['take', 'a begins', 'b begins', 'a ends', 'b ends', 'release']);
    await shared(action(events, 'c', 0));
    expect(events.slice(6)).toEqual(['take', 'c begins', 'c ends', 'release']);
  });

  it('is released before an action that comes meanwhile takes it again', async () => {
    const { lock, events } = recordedLock();
    const shared = sharedLock(lock);
    const first = shared(action(events, 'a', 0));
    while (!events.includes('a ends')) await setTimeout(1);
    await Promise.all([first, shared(action(events, 'b', 0))]);
    expect(events.filter((event) => /take|release/.test(event))).toEqual(['take', 'release', 'take', 'release']);
  });

  it('fails every action that waits for it if it cannot be taken, and is tried again by later ones', async () => {
    let isFree = false;
    const shared = sharedLock(async (act) => {
      if (!isFree) throw new Error('locked');
      return act(new AbortController().signal);
    });
    const failed = await Promise.allSettled([shared(async () => 1), shared(async () => 2)]);
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    isFree = true;
    expect(await shared(async () => 3)).toBe(3);
  });

  it('passes on the error of an action, and releases the lock', async () => {
    const { lock, events } = recordedLock();
    const shared = sharedLock(lock);
    await expect(shared(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(events).toEqual(['take', 'release']);
  });

  it('is taken again for an action after it was lost', async () => {
    const { lock, events, lose } = recordedLock();
    const shared = sharedLock(lock);
    const first = shared(action(events, 'a', 50));
    while (!events.includes('a begins')) await setTimeout(1);
    lose();
    await Promise.all([first, shared(action(events, 'b', 0))]);
    expect(events.filter((event) => event === 'take')).toHaveLength(2);
    expect(events).toContain('b ends');
  });
});
