/** Runs as they are collected from lines: whose line is whose, and what is damaged. */
import { describe, expect, it } from 'vitest';
import { type CollectedRun, RunCollector } from '../../../src/engine/run/journalRuns.ts';
import { addresses, allocationId, migrate } from '../../report/samples.ts';

const start = Date.parse('2026-07-01T10:00:00.000Z');
const at = (second: number) => new Date(start + second * 1000).toISOString();
const header = (run: string, second: number) => ({
  type: 'run',
  run,
  at: at(second),
  command: 'apply',
  origin: 'https://api.example.com',
  version: '0.1.0',
});
const call = migrate('pricing', 'checkout', ['192.0.2.10']);
const sending = (run: string, second: number, seq = 0) => ({
  type: 'sending',
  run,
  seq,
  at: at(second),
  resource: allocationId,
  call,
});
const end = (run: string, second: number) => ({ type: 'end', run, at: at(second), result: 'done' });
const seen = (run: string, second: number, moved: string[]) => ({
  type: 'seen',
  run,
  seq: 3,
  at: at(second),
  moved,
});

function collect(lines: (object | string)[], options?: { keepsLines: boolean }) {
  const collector = new RunCollector(options);
  const owners = lines.map((line, index) => {
    const text = typeof line === 'string' ? line : JSON.stringify(line);
    return collector.add([index + 1, text])?.run.id;
  });
  return { collector, owners, runs: collector.collected() };
}

const shown = ({ run: { id, startedAt, damage = [] } }: CollectedRun) => ({
  id,
  startedAt,
  damage: damage.map(({ line, found }) => `line ${line} ${found}`),
});

describe('a line', () => {
  it('is kept with its run only if the reader keeps lines', () => {
    const lines = ['garbage', sending('a', 0), header('b', 1), '{"run":"a",', end('a', 2)];
    expect(collect(lines).runs.map((each) => each.lines)).toEqual([[], []]);
    expect(collect(lines, { keepsLines: true }).runs.map((each) => each.lines.map(([number]) => number))).toEqual([
      [1, 2, 4, 5],
      [3],
    ]);
  });

  it('is the latest of its run by its time, not by its number', () => {
    const { runs } = collect([header('a', 5), end('a', 3), header('b', 1), sending('b', 9), end('b', 4)]);
    expect(runs.map(({ lastAt }) => lastAt)).toEqual([at(5), at(9)]);
  });
});

describe('a run', () => {
  it('starts with its header, also if that comes late', () => {
    const { runs } = collect([sending('a', 3), header('a', 1)]);
    expect(runs.map(shown)).toEqual([
      {
        id: 'a',
        startedAt: at(1),
        damage: ['line 1 is the first known line of its run: the line that starts the run is missing'],
      },
    ]);
    expect(runs[0]?.run).toMatchObject({ command: 'apply', origin: 'https://api.example.com', version: '0.1.0' });
  });

  it('of a damaged line starts at its time, or at that of the line before it', () => {
    const { runs } = collect([
      '{"run":"x",',
      header('a', 1),
      end('a', 2),
      '{"run":"b","at":"2026-07-02T00:00:00.000Z",',
      '{"run":"c",',
      end('c', 1),
    ]);
    expect(runs.map(({ run: { id, startedAt }, lastAt }) => [id, startedAt, lastAt])).toEqual([
      ['x', '1970-01-01T00:00:00.000Z', '1970-01-01T00:00:00.000Z'],
      ['a', at(1), at(2)],
      ['b', '2026-07-02T00:00:00.000Z', '2026-07-02T00:00:00.000Z'],
      ['c', '2026-07-02T00:00:00.000Z', '2026-07-02T00:00:00.000Z'],
    ]);
  });

  it('that was dropped is forgotten, and a damaged line after it is its own', () => {
    const { collector } = collect([header('a', 0), header('b', 1)]);
    const [a, b] = collector.collected();
    if (a === undefined || b === undefined) throw new Error('no runs');
    collector.drop(a.run);
    expect(collector.add([3, 'garbage'])?.run.id).toBe('b');
    collector.drop(b.run);
    expect(collector.add([4, 'garbage'])).toBeUndefined();
    expect(collector.collected().map(shown)).toEqual([
      { id: 'line-4', startedAt: at(1), damage: ['line 4 is not JSON'] },
    ]);
  });
});

it('an answer without its call names the IPs that it moved, at most 10', () => {
  const about = 'is about call 3, whose own line is missing or damaged';
  const damage = (moved: string[]) => collect([header('a', 0), seen('a', 1, moved)]).runs.map(shown)[0]?.damage;
  const ips = addresses(12);
  expect(damage([])).toEqual([`line 2 ${about}`]);
  expect(damage(ips.slice(0, 1))).toEqual([`line 2 ${about}; it moved 1 IP: ${ips[0]}`]);
  expect(damage(ips)).toEqual([`line 2 ${about}; it moved 12 IPs: ${ips.slice(0, 10).join(', ')}`]);
  const answered = { type: 'answered', run: 'a', seq: 3, at: at(1) };
  expect(collect([header('a', 0), answered]).runs.map(shown)[0]?.damage).toEqual([`line 2 ${about}`]);
});
