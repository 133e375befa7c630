/** What a run writes, when it is durable, and what it knows of its own calls. */
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Backend } from '../../../src/engine/backend/backend.ts';
import { beginRun, recordFindings } from '../../../src/engine/run/journal.ts';
import { allocationId, migrate, portsCall, settingsId } from '../../report/samples.ts';

const start = '2026-07-01T10:00:00.000Z';
const move = migrate('pricing', 'checkout', ['192.0.2.10']);
const header = { command: 'apply', origin: 'https://api.example.com', version: '0.1.0' } as const;

/** A backend that records what is appended; each line takes a second. */
function recording() {
  vi.useFakeTimers({ now: Date.parse(start) });
  onTestFinished(() => void vi.useRealTimers());
  const written: [object | string, string][] = [];
  const fails = { next: false };
  const log = {
    append: async (lines: readonly string[], urgency: string) => {
      if (fails.next) throw new Error('disk full');
      for (const line of lines) written.push([JSON.parse(line), urgency]);
      vi.advanceTimersByTime(1000);
    },
    close: async () => void written.push(['closed', '']),
  };
  const backend = { appendToLog: async () => log } as unknown as Backend;
  return { backend, written, fails, take: () => written.splice(0) };
}

const at = (second: number) => new Date(Date.parse(start) + second * 1000).toISOString();

describe('a run', () => {
  it('writes its header, each call before it is sent and after its answer, and its end', async () => {
    const { backend, take } = recording();
    const { run, ...writer } = await beginRun(backend, { ...header, account: 'eu', plan: 'p-1', undoes: 'a' });
    const { id } = run;
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(take()).toEqual([
      [{ type: 'run', run: id, at: start, ...header, account: 'eu', plan: 'p-1', undoes: 'a' }, 'can wait'],
    ]);
    const first = await writer.sending(allocationId, move);
    const second = await writer.sending(settingsId, portsCall);
    expect(take()).toEqual([
      [{ type: 'sending', run: id, seq: 0, at: at(1), resource: allocationId, call: move }, 'now'],
      [{ type: 'sending', run: id, seq: 1, at: at(2), resource: settingsId, call: portsCall }, 'now'],
    ]);
    await first.answered({ count: 1 });
    const ips = { moved: ['192.0.2.10'], notMoved: [], elsewhere: [], notVisible: [] };
    await first.seen(ips);
    await second.failed({ code: 'timed-out', message: 'slow', effect: 'unknown' });
    expect(take()).toEqual([
      [{ type: 'answered', run: id, seq: 0, at: at(3), count: 1 }, 'can wait'],
      [{ type: 'seen', run: id, seq: 0, at: at(4), ...ips }, 'can wait'],
      [
        { type: 'failed', run: id, seq: 1, at: at(5), code: 'timed-out', message: 'slow', effect: 'unknown' },
        'can wait',
      ],
    ]);
    await writer.end('failed');
    expect(take()).toEqual([
      [{ type: 'end', run: id, at: at(6), result: 'failed' }, 'now'],
      ['closed', ''],
    ]);
    expect(run).toEqual({
      ...header,
      account: 'eu',
      plan: 'p-1',
      undoes: 'a',
      id,
      startedAt: start,
      calls: [
        {
          seq: 0,
          resource: allocationId,
          call: move,
          sentAt: at(1),
          answered: { at: at(3), count: 1 },
          seen: { at: at(4), ...ips },
        },
        {
          seq: 1,
          resource: settingsId,
          call: portsCall,
          sentAt: at(2),
          failed: { at: at(5), code: 'timed-out', message: 'slow', effect: 'unknown' },
        },
      ],
      ended: { at: at(6), result: 'failed' },
    });
  });

  it('forgets a call whose line could not be written: it is not sent', async () => {
    const { backend, fails } = recording();
    const writer = await beginRun(backend, header);
    await writer.sending(allocationId, move);
    fails.next = true;
    await expect(writer.sending(settingsId, portsCall)).rejects.toThrow('disk full');
    fails.next = false;
    await writer.sending(settingsId, portsCall);
    expect(writer.run.calls.map(({ seq, resource }) => [seq, resource])).toEqual([
      [0, allocationId],
      [2, settingsId],
    ]);
  });

  it('forgets a call that was withdrawn, and writes that it was not sent', async () => {
    const { backend, take } = recording();
    const writer = await beginRun(backend, header);
    const first = await writer.sending(allocationId, move);
    await writer.sending(settingsId, portsCall);
    take();
    await first.withdraw();
    expect(take()).toEqual([
      [
        {
          type: 'failed',
          run: writer.run.id,
          seq: 0,
          at: at(3),
          code: 'not-sent',
          message: 'was not sent: another call had failed, or another run had recorded the same move',
          effect: 'none',
        },
        'can wait',
      ],
    ]);
    expect(writer.run.calls.map(({ seq }) => seq)).toEqual([1]);
  });
});

describe('findings about calls of earlier runs', () => {
  it('are written with their runs, and are final unless they say otherwise', async () => {
    const { backend, take } = recording();
    const writer = await beginRun(undefined, header);
    await writer.sending(allocationId, move);
    await writer.sending(settingsId, portsCall);
    const [call, second] = writer.run.calls;
    if (call === undefined || second === undefined) throw new Error('no calls');
    const seen = { moved: ['192.0.2.10'], notMoved: [], elsewhere: [], notVisible: [] };
    await recordFindings(backend, [
      { run: writer.run, call, seen },
      { run: writer.run, call: second, seen: { took: true } },
    ]);
    expect(take()).toEqual([
      [{ type: 'seen', run: writer.run.id, seq: 0, at: start, final: true, ...seen }, 'can wait'],
      [{ type: 'seen', run: writer.run.id, seq: 1, at: start, final: true, took: true }, 'can wait'],
      ['closed', ''],
    ]);
    expect(call.seen).toEqual({ at: start, final: true, ...seen });
  });

  it('open no log if there are none', async () => {
    const backend = { appendToLog: () => Promise.reject(new Error('opened')) } as unknown as Backend;
    await expect(recordFindings(backend, [])).resolves.toBeUndefined();
  });
});
