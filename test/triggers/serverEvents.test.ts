/** Server-sent events, as a client that reads them by itself meets them. */
import { describe, expect, it } from 'vitest';
import type { ScheduleRegistry } from '../../src/triggers/ledger/scheduleRegistry.ts';
import { createTriggerServer, startListening } from '../../src/triggers/server/server.ts';
import { eventually } from '../eventually.ts';
import { openServing, owner, token } from './serving.ts';

interface Watching extends AsyncDisposable {
  status: number;
  /** The next event, comments left out. */
  next(): Promise<{ event: string; data: Record<string, unknown> } | 'ended'>;
}

async function watch(url: string): Promise<Watching> {
  const leaving = new AbortController();
  const response = await fetch(`${url}/v1/events`, {
    headers: { authorization: `Bearer ${token}` },
    signal: leaving.signal,
  });
  expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return {
    status: response.status,
    async next() {
      for (;;) {
        const found = /^event: (\w+)\ndata: (.*)\n\n/m.exec(text);
        if (found) {
          text = text.slice(found.index + found[0].length);
          return { event: found[1] ?? '', data: JSON.parse(found[2] ?? '') };
        }
        const { value, done } = (await reader?.read()) ?? { value: undefined, done: true };
        if (done) return 'ended';
        text += value;
      }
    },
    async [Symbol.asyncDispose]() {
      leaving.abort();
    },
  };
}

/** Counts how often it is asked, and can hold its answers back. */
function counted(registry: ScheduleRegistry) {
  let count = 0;
  let held = Promise.withResolvers<void>();
  held.resolve();
  const totals = async () => {
    count += 1;
    await held.promise;
    return registry.totals();
  };
  const hold = () => {
    held = Promise.withResolvers();
  };
  return { registry: { ...registry, totals }, asked: () => count, hold, release: () => held.resolve() };
}

describe('the events of the trigger service', () => {
  it('tell at once how things are, then each change, to everybody who watches', async () => {
    await using serving = await openServing();
    await using one = await watch(serving.url);
    expect(await one.next()).toMatchObject({ event: 'changed', data: { schedules: 0, now: expect.any(Number) } });
    await using other = await watch(serving.url);
    expect(await other.next()).toMatchObject({ event: 'changed', data: { schedules: 0 } });
    await serving.schedule('nightly');
    for (const each of [one, other]) expect(await each.next()).toMatchObject({ data: { schedules: 1, paused: 0 } });
    await serving.call('POST', `/v1/owners/${owner}/schedules/nightly/pause`);
    for (const each of [one, other]) expect(await each.next()).toMatchObject({ data: { paused: 1 } });
    await serving.run('nightly');
    for (const each of [one, other]) expect(await each.next()).toMatchObject({ data: { runs: { waiting: 1 } } });
  });

  it('ask the registry once for all who watch, and not at all when nobody does', async () => {
    await using serving = await openServing();
    const { registry, asked, hold, release } = counted(serving.registry);
    const server = createTriggerServer({ registry, token, pollMs: 50 });
    const url = await startListening(server, '127.0.0.1', 0);
    await new Promise((done) => setTimeout(done, 150));
    expect(asked()).toBe(0);
    const watching = await Promise.all(Array.from({ length: 20 }, () => watch(url)));
    for (const each of watching) await each.next();
    // While one answer is awaited, nobody else asks.
    hold();
    const before = asked();
    await eventually(() => expect(asked()).toBeGreaterThan(before));
    await new Promise((done) => setTimeout(done, 300));
    expect(asked()).toBe(before + 1);
    release();
    for (const each of watching) await each[Symbol.asyncDispose]();
    await eventually(async () => {
      const left = asked();
      await new Promise((done) => setTimeout(done, 200));
      expect(asked()).toBe(left);
    });
    await server.close();
  });

  it('say when the store is away, and end when the service stops', async () => {
    await using serving = await openServing();
    let isAway = false;
    const registry: ScheduleRegistry = {
      ...serving.registry,
      totals: () => (isAway ? Promise.reject(new Error('away')) : serving.registry.totals()),
    };
    const server = createTriggerServer({ registry, token, pollMs: 20 });
    const url = await startListening(server, '127.0.0.1', 0);
    await using watching = await watch(url);
    expect(await watching.next()).toMatchObject({ event: 'changed' });
    isAway = true;
    expect(await watching.next()).toMatchObject({ event: 'away' });
    isAway = false;
    expect(await watching.next()).toMatchObject({ event: 'changed' });
    const closed = server.close();
    expect(await watching.next()).toBe('ended');
    await closed;
  });
});
