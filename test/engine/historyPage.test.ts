import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pastRuns } from '../../bench/frame/pastRuns.ts';
import type { Backend, Position } from '../../src/engine/backend/backend.ts';
import { openFolderBackend } from '../../src/engine/backend/folder/folderBackend.ts';
import { readHistoryPage, readJournal, readRecentRuns } from '../../src/engine/run/journalReader.ts';

const many = 3000;

function backendOf(text: string) {
  const journal = join(mkdtempSync(join(tmpdir(), 'webdata-page-')), 'journal.jsonl');
  writeFileSync(journal, text, { mode: 0o600 });
  return openFolderBackend({ journal, account: journal, env: process.env });
}

describe('a page of a long history', () => {
  const text = pastRuns(many);

  it.each([
    ['without an index', false],
    ['with an index', true],
  ])('holds the same runs as the whole journal, %s', async (_, isIndexed) => {
    const backend = backendOf(text);
    if (isIndexed) await readRecentRuns(backend);
    const all = await readJournal(backend);
    expect(await readHistoryPage(backend, { limit: 20 })).toEqual(all.slice(-20));
    expect(await readHistoryPage(backend, { since: all.at(-3)?.startedAt })).toEqual(all.slice(-3));
    expect(await readHistoryPage(backend, { limit: many * 2 })).toEqual(all);
  });

  it('reads a part of the journal only', async () => {
    const backend = backendOf(text);
    let read = 0;
    const counting = {
      ...backend,
      async openLog() {
        const log = await backend.openLog();
        return (
          log && {
            ...log,
            async *read(from: Parameters<typeof log.read>[0]) {
              for await (const batch of log.read(from)) {
                read += batch.lines.length;
                yield batch;
              }
            },
          }
        );
      },
    };
    await readHistoryPage(counting, { limit: 20 });
    expect(read).toBeLessThan((many * 5) / 4);
  });
});

describe('a page', () => {
  const at = (day: number) => `2026-07-${String(day).padStart(2, '0')}T10:00:00.000Z`;
  const ids = [1, 2, 3, 4, 5, 6].map((day) => `aaaa000${day}`);
  const lines: object[] = ids.flatMap((run, index) => [
    { type: 'run', run, at: at(index + 1), command: 'apply', origin: 'https://api.example.com', version: '1' },
    { type: 'end', run, at: at(index + 1), result: 'done' },
  ]);

  /** Reads a page of a log whose parts near its end begin at these lines; shows its runs, and where each reading began. */
  async function read(
    page: Parameters<typeof readHistoryPage>[1],
    of: number[] | { lines: object[]; starts: number[] },
  ) {
    const { lines: written, starts } = Array.isArray(of) ? { lines, starts: of } : of;
    const readings: number[] = [];
    const asked: number[] = [];
    let closings = 0;
    const log = {
      positionNearEnd: async (bytes: number) => {
        const start = starts[asked.push(bytes) - 1];
        return start === undefined ? undefined : { offset: 0, lines: start };
      },
      async *read({ lines: start }: Position) {
        readings.push(start);
        const rest = written.slice(start).map((line, index) => [start + index + 1, JSON.stringify(line)] as const);
        yield { lines: rest, end: { offset: 0, lines: written.length } };
      },
      close: async () => {
        closings += 1;
      },
    };
    const backend = { openLog: async () => log, logName: 'journal.jsonl' } as unknown as Backend;
    const runs = await readHistoryPage(backend, page);
    expect(closings).toBe(readings.at(-1) === 0 ? 2 : 1);
    return { days: runs.map(({ id }) => Number(id.at(-1))), readings, asked };
  }

  it('needs the run before its first one, which may have begun before the position', async () => {
    expect(await read({ limit: 2 }, [8])).toMatchObject({ days: [5, 6], readings: [8, 0] });
    expect(await read({ limit: 2 }, [6])).toMatchObject({ days: [5, 6], readings: [6] });
    expect(await read({ limit: 2 }, [8, 6])).toMatchObject({ days: [5, 6], readings: [8, 6] });
  });

  it('is read from further and further before the end', async () => {
    const { asked, days } = await read({ limit: 5 }, [10, 8, 6]);
    expect(days).toEqual([2, 3, 4, 5, 6]);
    expect(asked).toEqual([2 ** 18, 2 ** 21, 2 ** 24, 2 ** 27]);
  });

  it('since a time ends where an older run is known', async () => {
    expect(await read({ since: at(5) }, [4])).toMatchObject({ days: [5, 6], readings: [4] });
    // A run of the very time may have others of that time before it.
    expect(await read({ since: at(4) }, [4])).toMatchObject({ days: [4, 5, 6], readings: [4, 0] });
    expect(await read({ since: at(7) }, [4])).toMatchObject({ days: [], readings: [4] });
  });

  it('needs the first line of each of its runs', async () => {
    expect(await read({ limit: 1 }, [7])).toMatchObject({ days: [6], readings: [7] });
    expect(await read({}, [6])).toMatchObject({ days: [1, 2, 3, 4, 5, 6], readings: [6, 0] });
    expect(await read({ limit: 1 }, [12])).toMatchObject({ days: [6], readings: [12, 0] });
  });

  it('needs the first line of each of its runs, also where the lines of two runs alternate', async () => {
    // The runs 4 and 5 begin at the lines 6 and 7, and end at the lines 8 and 9.
    const alternating = [6, 8, 7, 9].map((index) => lines[index] ?? {});
    const mixed = [...lines.slice(0, 6), ...alternating, ...lines.slice(10)];
    expect(await read({ limit: 1 }, { lines: mixed, starts: [8, 4] })).toMatchObject({ days: [6], readings: [8, 4] });
    expect(await read({ limit: 1 }, { lines: mixed, starts: [6] })).toMatchObject({ days: [6], readings: [6] });
  });
});
