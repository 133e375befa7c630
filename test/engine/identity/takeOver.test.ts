/** What one memory of an account has and another lacks is copied: once, and nothing of other accounts. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Backend } from '../../../src/engine/backend/backend.ts';
import { openFolderBackend } from '../../../src/engine/backend/folder/folderBackend.ts';
import { takeOver } from '../../../src/engine/identity/takeOver.ts';
import { beginRun } from '../../../src/engine/run/journal.ts';
import { readJournal } from '../../../src/engine/run/journalReader.ts';
import { temporaryFolder } from '../../temporary.ts';
import { journalAt } from '../journalAt.ts';

async function emptyBackend(): Promise<Backend> {
  const folder = temporaryFolder();
  return journalAt(join(folder, 'journal.jsonl'));
}

async function addRun(backend: Backend, plan: string, account: string): Promise<void> {
  const writer = await beginRun(backend, {
    command: 'apply',
    origin: 'http://127.0.0.1:1',
    version: '1',
    account,
    plan,
  });
  await writer.end('done');
}

const isEu = ({ account }: { account?: string | undefined }) => account === 'eu';
const push = (folder: Backend, shared: Backend) => takeOver(folder, shared, isEu);
const plansIn = async (backend: Backend) => (await readJournal(backend)).map(({ plan }) => plan);

it('copies the runs of the account in their order, and those that are new with each repetition', async () => {
  const [folder, shared] = [await emptyBackend(), await emptyBackend()];
  expect(await push(folder, shared)).toEqual({ runs: 0, lines: 0, others: 0 });
  await addRun(folder, 'eu-1', 'eu');
  await addRun(folder, 'us-1', 'us');
  await addRun(folder, 'eu-2', 'eu');
  const first = await push(folder, shared);
  expect(first).toMatchObject({ runs: 2, others: 1 });
  expect(await plansIn(shared)).toEqual(['eu-1', 'eu-2']);
  expect(await push(folder, shared)).toEqual({ runs: 2, lines: 0, others: 1 });
  await addRun(folder, 'eu-3', 'eu');
  expect(await push(folder, shared)).toEqual({ runs: 3, lines: first.lines / 2, others: 1 });
  expect(await plansIn(shared)).toEqual(['eu-1', 'eu-2', 'eu-3']);
  // Runs that the shared backend has got since stay.
  await addRun(shared, 'eu-4', 'eu');
  expect(await push(folder, shared)).toMatchObject({ lines: 0 });
  expect(await plansIn(shared)).toHaveLength(4);
});

it('puts the runs before those that are there already', async () => {
  const [folder, shared] = [await emptyBackend(), await emptyBackend()];
  await addRun(shared, 'eu-9', 'eu');
  await addRun(folder, 'eu-1', 'eu');
  await addRun(folder, 'eu-2', 'eu');
  expect(await push(folder, shared)).toMatchObject({ runs: 2, lines: 4 });
  await addRun(shared, 'eu-10', 'eu');
  expect(await push(folder, shared)).toMatchObject({ runs: 2, lines: 0 });
  expect(await plansIn(shared)).toEqual(['eu-1', 'eu-2', 'eu-9', 'eu-10']);
});

it('adds the entries of the baseline that are missing, also under another key in one folder', async () => {
  const at = '2026-07-01T10:00:00.000Z';
  const entry = (name: string, spec: string) => ({ kind: 'Banner', collection: 'banners', name, spec, at });
  const textOf = (...accounts: [string, boolean, ReturnType<typeof entry>[]][]) =>
    JSON.stringify({
      format: 'webdata.baseline/1',
      accounts: accounts.map(([account, complete, resources]) => ({
        account,
        declarations: [{ places: ['../webdata.yaml'], complete, resources }],
      })),
    });
  const folder = temporaryFolder();
  const place = (account: string) =>
    openFolderBackend({ journal: join(folder, 'journal.jsonl'), account, env: process.env });
  const [old, own] = [place('old'), place('own')];
  await own.updateDocument('baseline', () =>
    textOf(['old', true, [entry('a', 'x'), entry('b', 'x')]], ['own', false, [entry('a', 'y')]], ['other', true, []]),
  );
  expect(await takeOver(old, own)).toMatchObject({ lines: 0, baseline: 'written' });
  const text = (await own.readDocument('baseline'))?.text ?? '';
  expect(JSON.parse(text)).toEqual(
    JSON.parse(textOf(['other', true, []], ['own', true, [entry('a', 'y'), entry('b', 'x')]])),
  );
  expect((await takeOver(old, own)).baseline).toBeUndefined();
});

it('copies lines without the zeros of a power cut, in the order of the journal', async () => {
  const folder = temporaryFolder();
  const at = '2026-07-01T10:00:00.000Z';
  const head = (run: string, account: string) =>
    JSON.stringify({ type: 'run', run, at, command: 'apply', origin: 'http://127.0.0.1:1', version: '1', account });
  const end = (run: string) => JSON.stringify({ type: 'end', run, at, result: 'done' });
  const lines = [head('a', 'eu'), head('b', 'eu'), head('c', 'us'), `\0${end('b')}\0\0 `, end('c'), end('a')];
  await writeFile(join(folder, 'journal.jsonl'), lines.map((line) => `${line}\n`).join(''));
  const shared = await emptyBackend();
  expect(await push(journalAt(join(folder, 'journal.jsonl')), shared)).toEqual({ runs: 2, lines: 4, others: 1 });
  const copied: string[] = [];
  const log = await shared.openLog();
  for await (const batch of log?.read({ offset: 0, lines: 0 }) ?? [])
    copied.push(...batch.lines.map(([, text]) => text));
  await log?.close();
  const earlier = (line: string) => JSON.stringify({ ...JSON.parse(line), isEarlier: true });
  expect(copied).toEqual([earlier(head('a', 'eu')), earlier(head('b', 'eu')), end('b'), end('a')]);
});

it('writes durable lines at once and closes the log, and does not open it for nothing', async () => {
  const folder = await emptyBackend();
  const done: string[] = [];
  const shared = {
    isShared: true,
    openLog: async () => undefined,
    appendToLog: async () => ({
      append: async (lines: readonly string[], urgency: string) => void done.push(`${lines.length} ${urgency}`),
      close: async () => void done.push('closed'),
    }),
    readDocument: async () => undefined,
  } as unknown as Backend;
  await push(folder, shared);
  expect(done).toEqual([]);
  await addRun(folder, 'eu-1', 'eu');
  expect(await push(folder, shared)).toEqual({ runs: 1, lines: 2, others: 0 });
  expect(done).toEqual(['2 now', 'closed']);
});
