import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pastRuns } from '../../bench/frame/pastRuns.ts';
import { openFolderBackend } from '../../src/backend/folder/folderBackend.ts';
import { readHistoryPage, readJournal, readRecentRuns } from '../../src/sync/run/journalReader.ts';

const many = 3000;

function backendOf(text: string) {
  const journal = join(mkdtempSync(join(tmpdir(), 'webdata-page-')), 'journal.jsonl');
  writeFileSync(journal, text, { mode: 0o600 });
  return openFolderBackend({ journal, lockKey: journal });
}

describe('a page of a long history', () => {
  const text = pastRuns(many);

  it.each([
    ['without an index', false],
    ['with an index', true],
  ])('holds the same runs as the whole journal, %s', async (_, isIndexed) => {
    const backend = backendOf(text);
    if (isIndexed) await readRecentRuns(backend, 1000);
    const all = await readJournal(backend);
    expect(await readHistoryPage(backend, { limit: 20 })).toEqual(all.slice(-20));
    expect(await readHistoryPage(backend, { limit: 20, before: all.at(-20)?.id })).toEqual(all.slice(-40, -20));
    expect(await readHistoryPage(backend, { limit: 5, before: all.at(5)?.id })).toEqual(all.slice(0, 5));
    expect(await readHistoryPage(backend, { since: all.at(-3)?.startedAt })).toEqual(all.slice(-3));
    expect(await readHistoryPage(backend, { limit: many * 2 })).toEqual(all);
    await expect(readHistoryPage(backend, { before: 'abcdef' })).rejects.toThrow('does not exist');
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

  it('names the lines of damage, and has the whole of a run whose beginning is missing', async () => {
    const lines = text.trimEnd().split('\n');
    const damaged = lines.with(-4, '{"type":"sending"').with(-10, 'oops');
    const backend = backendOf(`${damaged.join('\n')}\n`);
    const all = await readJournal(backend);
    const page = await readHistoryPage(backend, { limit: 3 });
    expect(page).toEqual(all.slice(-3));
    expect(page.flatMap(({ damage = [] }) => damage.map(({ line }) => line))).toContain(lines.length - 9);
  });

  it('is the whole of a short journal, and empty without one', async () => {
    const backend = backendOf(pastRuns(3));
    expect(await readHistoryPage(backend, { limit: 2 })).toHaveLength(2);
    expect(await readHistoryPage(backend, { limit: 9 })).toHaveLength(3);
    const none = openFolderBackend({ journal: join(tmpdir(), 'webdata-none', 'journal.jsonl'), lockKey: 'none' });
    expect(await readHistoryPage(none, { limit: 2 })).toEqual([]);
  });
});
