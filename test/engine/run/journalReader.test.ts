import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Backend, LogSummary, NumberedLine, Position } from '../../../src/engine/backend/backend.ts';
import type { Run } from '../../../src/engine/run/journal.ts';
import { readJournal, readRecentRuns, runOfPlan } from '../../../src/engine/run/journalReader.ts';
import { allocationId, migrate, portsCall } from '../../report/samples.ts';
import { journalAt } from '../journalAt.ts';

const folder = await mkdtemp(join(tmpdir(), 'webdata-reader-'));
afterAll(() => rm(folder, { recursive: true }));

const at = '2026-07-01T10:00:00.000Z';
const call = migrate('pricing', 'checkout', ['192.0.2.10', '192.0.2.11']);
const ips = { moved: ['192.0.2.10'], notMoved: ['192.0.2.11'], elsewhere: [], notVisible: [] };

const header = (run: string, more = {}) => ({
  type: 'run',
  run,
  at,
  command: 'apply',
  origin: 'https://api.example.com',
  version: '0.1.0',
  ...more,
});
const sending = (run: string, seq = 0, more = {}) => ({
  type: 'sending',
  run,
  seq,
  at,
  resource: allocationId,
  call,
  ...more,
});
const seen = (run: string, seq = 0) => ({ type: 'seen', run, seq, at, ...ips });
const end = (run: string, time = at) => ({ type: 'end', run, at: time, result: 'done' });

async function journal(...lines: (object | string)[]): Promise<string> {
  const file = join(folder, `${crypto.randomUUID()}.jsonl`);
  await writeFile(file, lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''));
  return file;
}

async function runsOf(...lines: (object | string)[]): Promise<Run[]> {
  return readJournal(journalAt(await journal(...lines)));
}

function damageOf({ damage = [] }: Pick<Run, 'damage'> = {}): string[] {
  return damage.map(({ line, found }) => `line ${line} ${found}`);
}

describe('a journal', () => {
  it('has no runs if the file does not exist, or is empty', async () => {
    expect(await readJournal(journalAt(join(folder, 'nowhere.jsonl')))).toEqual([]);
    expect(await runsOf()).toEqual([]);
    expect(await runsOf('', '  ')).toEqual([]);
    expect(await runOfPlan(journalAt(join(folder, 'nowhere.jsonl')), 'p-1')).toBeUndefined();
    expect(await readRecentRuns(journalAt(join(folder, 'nowhere.jsonl')))).toMatchObject({ runs: [] });
  });

  it('returns runs with their calls in order, also where the lines of two runs alternate', async () => {
    const answered = { type: 'answered', run: 'a', seq: 0, at, count: 1 };
    const failed = { type: 'failed', run: 'b', seq: 0, at, code: 'timed-out', message: 'slow', effect: 'unknown' };
    const lines = [header('a'), header('b', { command: 'undo', undoes: 'a' }), sending('b'), sending('a'), failed];
    const [a, b, ...others] = await runsOf(...lines, answered, seen('a'), sending('a', 1), end('a'));
    expect(others).toEqual([]);
    expect(a).toMatchObject({ id: 'a', command: 'apply', startedAt: at, ended: { at, result: 'done' } });
    expect(a?.calls).toMatchObject([{ seq: 0, answered: { at, count: 1 }, seen: { at, ...ips } }, { seq: 1 }]);
    expect(b).toMatchObject({
      id: 'b',
      command: 'undo',
      undoes: 'a',
      calls: [{ seq: 0, failed: { code: 'timed-out' } }],
    });
    expect([a?.damage, b?.damage, b?.ended]).toEqual([undefined, undefined, undefined]);
  });

  it('is refused if no line is of a run', async () => {
    await expect(runsOf('hello', '{"some": "json"}')).rejects.toThrow(/is not a journal of runs$/);
    await expect(readRecentRuns(journalAt(await journal('hello')))).rejects.toThrow(/is not a journal of runs$/);
  });
});

describe('a line that cannot be read', () => {
  it('is no damage if a crash cut it off: its call was never sent', async () => {
    const line = JSON.stringify(sending('a'));
    for (const length of [1, 5, 9, 40, line.length - 1]) {
      const [a] = await runsOf(header('a'), `${line.slice(0, length)}\0\0\0`, end('a'));
      expect([a?.calls, a?.damage]).toEqual([[], undefined]);
    }
  });

  it('belongs to the run that it names, or to that of the line before it', async () => {
    const [a, b] = await runsOf(header('a'), header('b'), '{"type":"sending","run":"a","seq":0,]', 'garbage');
    expect(damageOf(a)).toEqual(['line 3 is not JSON', 'line 4 is not JSON']);
    expect(damageOf(b)).toEqual([]);
  });

  it('names the field that was edited', async () => {
    const [a] = await runsOf(header('a'), sending('a', 0, { at: 'yesterday' }), {
      ...sending('a', 1),
      call: { type: '?' },
    });
    expect(damageOf(a)).toEqual([
      expect.stringMatching(/^line 2 was edited, or written by a newer version: at at: /),
      expect.stringMatching(/^line 3 was edited, or written by a newer version: at call\.type: /),
    ]);
    expect(a?.calls).toEqual([]);
  });

  it('between two runs counts as the lost first line of the next one', async () => {
    const [a, b] = await runsOf(header('a'), end('a'), 'garbage', sending('b'));
    expect(damageOf(a)).toEqual([]);
    expect(b).toMatchObject({ id: 'b', command: 'unknown', calls: [{ seq: 0 }] });
    expect(damageOf(b)).toEqual(['line 3 is not JSON']);
  });

  it('between two runs is a run of its own if the next one is whole', async () => {
    const runs = await runsOf(header('a'), end('a'), 'garbage', header('b'), end('b'));
    expect(runs.map(({ id }) => id)).toEqual(['a', 'line-3', 'b']);
    expect(damageOf(runs[1])).toEqual(['line 3 is not JSON']);
  });
});

describe('lines that contradict each other', () => {
  it('are damage: a run without its first line, a call twice, a result without its call, a second first line', async () => {
    const [a, b] = await runsOf(
      sending('a'),
      seen('a', 5),
      sending('a'),
      header('b'),
      header('b', { command: 'undo' }),
    );
    expect(damageOf(a)).toEqual([
      'line 1 is the first known line of its run: the line that starts the run is missing',
      'line 2 is about call 5, whose own line is missing or damaged; it moved 1 IP: 192.0.2.10',
      'line 3 repeats call 0 of its run',
    ]);
    expect(a?.calls).toHaveLength(1);
    expect(damageOf(b)).toEqual(['line 5 starts a run that has already started']);
    expect(b?.command).toBe('apply');
  });

  it('are listed up to twenty', async () => {
    const [a] = await runsOf(header('a'), ...Array.from({ length: 30 }, () => 'garbage'));
    expect(damageOf(a)).toHaveLength(20);
  });
});

describe('the runs that matter to a plan', () => {
  const deletePorts = sending('ports', 0, {
    call: portsCall,
    resource: { ...allocationId, collection: 'managerSettings' },
  });
  const deleted = { type: 'answered', run: 'ports', seq: 0, at };
  const accepted = { type: 'answered', run: 'open', seq: 0, at, count: 2 };

  it('are those with open calls and the last ones that moved anything; of the others, it keeps which ports are deleted', async () => {
    const times = (index: number) => new Date(Date.parse(at) - index * 86_400_000).toISOString();
    const moved = (run: string, time: string) => [
      header(run, { at: time }),
      sending(run, 0, { at: time }),
      seen(run),
      end(run, time),
    ];
    const file = await journal(
      ...moved('old', at),
      ...[header('open'), sending('open'), accepted, end('open')],
      ...[header('ports'), deletePorts, deleted, end('ports')],
      ...[header('empty'), end('empty')],
      // The clock of each is a day behind the one before.
      ...Array.from({ length: 20 }, (_, index) => moved(`run-${index}`, times(index))).flat(),
    );
    const { runs, facts } = await readRecentRuns(journalAt(file));
    expect(runs.map(({ id }) => id)).toEqual(['open', ...Array.from({ length: 20 }, (_, index) => `run-${index}`)]);
    expect([...facts]).toEqual([['deleted ports of loopback:22999', new Set(['24010', '24011'])]]);
  });

  it('are interrupted runs, too, of which the last ones are kept', async () => {
    const file = await journal(...Array.from({ length: 21 }, (_, index) => header(`run-${index}`)));
    const { runs } = await readRecentRuns(journalAt(file));
    expect(runs).toHaveLength(20);
    expect(runs[0]).toMatchObject({ id: 'run-1', ageMs: expect.any(Number) });
  });
});

describe('the facts of all runs', () => {
  it('are those of dropped runs and of runs that matter still, each item once', async () => {
    const ports = (run: string, ports: number[]) => [
      header(run),
      sending(run, 0, { call: { ...portsCall, ports } }),
      { type: 'answered', run, seq: 0, at },
    ];
    const file = await journal(...ports('a', [1, 2]), end('a'), ...ports('b', [2, 3]), end('b'), ...ports('c', [3, 4]));
    const { runs, facts } = await readRecentRuns(journalAt(file));
    expect(runs.map(({ id }) => id)).toEqual(['c']);
    expect([...facts]).toEqual([['deleted ports of loopback:22999', new Set(['1', '2', '3', '4'])]]);
  });
});

describe('a summary of the log', () => {
  /** A log with these lines, of which the first were summarized before. */
  function summarized(lines: object[], summary?: LogSummary & { end: Position }) {
    const texts = lines.map((line, index): NumberedLine => [index + 1, JSON.stringify(line)]);
    const written: (LogSummary & { from: Position; end: Position })[] = [];
    const closings: string[] = [];
    const log = {
      readSummary: async () => summary,
      async *read(from: Position) {
        const rest = texts.slice(from.lines);
        // The last line may still be under way.
        if (rest.length > 0) yield { lines: rest, end: { offset: 0, lines: texts.length - 1 } };
      },
      writeSummary: async (from: Position, end: Position, makeSummary: () => LogSummary) =>
        void written.push({ ...makeSummary(), from, end }),
      ageMs: async () => 0,
      close: async () => void closings.push('closed'),
    };
    const backend = { openLog: async () => log, logName: 'journal.jsonl' } as unknown as Backend;
    return { backend, written, closed: () => closings.length, texts };
  }

  it('has the lines of runs that matter, in their order, without a last line that may be under way', async () => {
    const { backend, written, closed, texts } = summarized([
      header('old'),
      end('old'),
      header('a'),
      header('b'),
      sending('a'),
      sending('b'),
    ]);
    expect((await readRecentRuns(backend)).runs.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(written).toEqual([
      { kept: texts.slice(2, 5), facts: {}, from: { offset: 0, lines: 0 }, end: { offset: 0, lines: 5 } },
    ]);
    expect(closed()).toBe(1);
  });

  it('is where the next reading begins, with its lines and facts', async () => {
    const lines = [header('old'), end('old'), header('a'), sending('a'), header('b'), sending('b')];
    const before = {
      kept: [
        [3, JSON.stringify(lines[2])],
        [4, JSON.stringify(lines[3])],
      ] as [number, string][],
      facts: { 'deleted ports of m': ['1'] },
      end: { offset: 0, lines: 4 },
    };
    const { backend, written, texts } = summarized(lines, before);
    const { runs, facts } = await readRecentRuns(backend);
    expect(runs.map(({ id }) => id)).toEqual(['a', 'b']);
    expect([...facts]).toEqual([['deleted ports of m', new Set(['1'])]]);
    expect(written).toEqual([
      { kept: texts.slice(2, 5), facts: before.facts, from: { offset: 0, lines: 4 }, end: { offset: 0, lines: 5 } },
    ]);
  });

  it('is trusted: a log of which nothing else is left is a journal', async () => {
    const before = { kept: [], facts: {}, end: { offset: 0, lines: 0 } };
    const { backend } = summarized([{ some: 'json' }], before);
    expect((await readRecentRuns(backend)).runs.map(({ id }) => id)).toEqual(['line-1']);
    const { backend: other, closed } = summarized([{ some: 'json' }]);
    await expect(readRecentRuns(other)).rejects.toMatchObject({
      problems: [
        {
          code: 'not-a-journal',
          found: 'journal.jsonl is not a journal of runs',
          fix: 'name another file with --journal',
        },
      ],
    });
    expect(closed()).toBe(1);
  });
});

describe('the run of a plan file', () => {
  it('is the one whose first line names the plan', async () => {
    const file = await journal(header('a', { plan: 'p-1' }), end('a'), header('b', { plan: 'p-2' }), end('b'));
    expect((await runOfPlan(journalAt(file), 'p-2'))?.id).toBe('b');
    expect(await runOfPlan(journalAt(file), 'p-3')).toBeUndefined();
  });

  it('is one with a damaged line that names the plan, so that no plan is applied twice', async () => {
    const file = await journal('{"type":"run","run":"a","plan":"p-1",]', header('b'), end('b'));
    expect((await runOfPlan(journalAt(file), 'p-1'))?.id).toBe('a');
    expect(await runOfPlan(journalAt(file), 'p-2')).toBeUndefined();
  });
});
