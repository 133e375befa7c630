/** What a diagnosis finds out about the lock, the journal and the baseline. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ProblemError } from '../../../src/base/diagnostics/problem.ts';
import type { Backend } from '../../../src/engine/backend/backend.ts';
import { createSharedBackend } from '../../../src/engine/backend/shared/sharedBackend.ts';
import { updateBaseline } from '../../../src/engine/baseline/baselineDocument.ts';
import { bareConfig } from '../../../src/engine/declaration/config.ts';
import { beginRun } from '../../../src/engine/run/journal.ts';
import { backendChecks } from '../../../src/features/doctor/backendChecks.ts';
import { memoryStore } from '../../engine/backend/memoryStore.ts';
import { journalAt } from '../../engine/journalAt.ts';
import { allocationId, migrate, scheduleId, settingsId } from '../../report/samples.ts';

const config = bareConfig({ env: { WEBDATA_API_URL: 'http://service.example', WEBDATA_API_KEY: 'key' } });
const lock = { timeoutMs: 0, command: 'webdata apply', folder: '/srv/infra' };
const header = { command: 'apply', origin: 'http://service.example', version: '1.0.0' } as const;
const move = migrate('pricing', 'checkout', ['192.0.2.10']);

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'webdata-doctor-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function sharedBackend() {
  const store = memoryStore();
  return { store, backend: createSharedBackend(store, { account: 'service.example' }) };
}

async function found(backend: Backend) {
  const { checks, runs } = await backendChecks(config, (action) => action(backend));
  return { checks: Object.fromEntries(checks.map(({ name, ...check }) => [name, check])), runs };
}

describe('the backend', () => {
  it('is a folder of this machine, which the first run creates', async () => {
    const folder = temporaryFolder();
    const { checks } = await found(journalAt(join(folder, 'journal.jsonl')));
    expect(checks.backend).toEqual({ result: 'ok', text: `folder ${folder}, for this machine only` });
    const later = join(folder, 'later');
    expect((await found(journalAt(join(later, 'journal.jsonl')))).checks).toEqual({
      backend: { result: 'ok', text: `folder ${later} does not exist; the first run creates it` },
      lock: { result: 'ok', text: 'free' },
      journal: { result: 'ok', text: 'no runs yet' },
      baseline: {
        result: 'ok',
        text: 'none yet: drift and pending changes cannot be told apart until the first apply',
      },
    });
  });

  it('is named alone if it cannot be used', async () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    const { checks, runs } = await found(journalAt(join(file, 'inside', 'journal.jsonl')));
    expect(checks).toEqual({
      backend: {
        result: 'failed',
        text: `folder ${join(file, 'inside')} cannot be read and written (ENOTDIR)`,
        fix: 'make this user the owner of the folder, or name another one with --backend',
      },
    });
    expect(runs).toEqual([]);
  });

  it('is a store that a team shares, of which a check shows only that it can be read', async () => {
    const { backend, store } = sharedBackend();
    expect((await found(backend)).checks.backend).toEqual({
      result: 'ok',
      text: 'memory://test can be read; only a run shows whether it can be written',
    });
    expect(store.objects.size).toBe(0);
    store.before = () => {
      throw new ProblemError([{ code: 'unreachable', found: 'the store does not answer' }]);
    };
    expect((await found(backend)).checks).toEqual({
      backend: { result: 'failed', text: 'the store does not answer', fix: undefined },
    });
  });
});

describe('the lock', () => {
  it('is noted with its holder while a run holds it', async () => {
    const { backend } = sharedBackend();
    await backend.withLock(lock, async () => {
      expect((await found(backend)).checks.lock).toEqual({
        result: 'note',
        text: expect.stringMatching(/^`webdata apply` has held the lock .*, in \/srv\/infra$/),
        fix: 'wait until it ends; if it no longer runs, `webdata unlock` takes the lock away',
      });
    });
    expect((await found(backend)).checks.lock).toEqual({ result: 'ok', text: 'free' });
  });
});

describe('the journal', () => {
  const openJournal = () => {
    const file = join(temporaryFolder(), 'journal.jsonl');
    return { file, backend: journalAt(file) };
  };
  const about = (count: string, end: string) =>
    expect.stringMatching(
      new RegExp(`^${count}; the last one, apply [0-9a-f]{8} of \\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ, ${end}$`),
    );

  it('shows how the last run ended', async () => {
    const { backend } = openJournal();
    await (await beginRun(backend, header)).end('done');
    expect((await found(backend)).checks.journal).toEqual({ result: 'ok', text: about('1 run', 'is done') });
    await (await beginRun(backend, header)).end('failed');
    expect((await found(backend)).checks.journal).toEqual({ result: 'ok', text: about('2 runs', 'failed') });
    await beginRun(backend, header);
    const { checks, runs } = await found(backend);
    expect(checks.journal).toEqual({
      result: 'note',
      text: about('3 runs', 'was interrupted or is under way'),
      fix: '`webdata plan` shows what is left to do',
    });
    expect(runs.map(({ ended }) => ended?.result)).toEqual(['done', 'failed', undefined]);
  });

  it('shows calls whose outcome is open, and damage before them', async () => {
    const { file, backend } = openJournal();
    const run = await beginRun(backend, header);
    await run.sending(allocationId, move);
    await run.end('failed');
    expect((await found(backend)).checks.journal).toEqual({
      result: 'note',
      text: expect.stringMatching(/^the outcome of 1 call is open; 1 run; the last one, apply .*, failed$/),
      fix: '`webdata plan` looks them up; `webdata history` shows them',
    });
    writeFileSync(file, '{"type":"run"}\n', { flag: 'a' });
    expect((await found(backend)).checks.journal).toEqual({
      result: 'note',
      text: expect.stringMatching(/^journal\.jsonl is damaged in 1 run; 2 runs; /),
      fix: '`webdata history` shows what is known of them',
    });
  });
});

describe('the baseline', () => {
  it('shows the latest apply, and one failure leaves the other checks', async () => {
    const folder = temporaryFolder();
    const backend = journalAt(join(folder, 'journal.jsonl'));
    const applied = (resource: typeof allocationId) => ({ resource, is: 'applied', spec: {}, sent: true }) as const;
    await updateBaseline(backend, config, [applied(allocationId)], 'run');
    await updateBaseline(backend, config, [applied(scheduleId)], 'run');
    expect((await found(backend)).checks.baseline).toEqual({
      result: 'ok',
      text: expect.stringMatching(/^2 applied resources, the latest of \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    });
    const entry = (resource: typeof allocationId, day: number) => ({
      ...resource,
      spec: {},
      at: `2026-07-0${day}T10:00:00.000Z`,
    });
    const resources = [entry(allocationId, 1), entry(scheduleId, 3), entry(settingsId, 2)];
    const accounts = [{ account: 'service.example', complete: true, resources }];
    writeFileSync(join(folder, 'baseline.json'), JSON.stringify({ format: 'webdata.baseline/1', accounts }));
    expect((await found(backend)).checks.baseline?.text).toBe(
      '3 applied resources, the latest of 2026-07-03T10:00:00Z',
    );
    await updateBaseline(backend, config, [{ resource: settingsId, is: 'removed' }], 'run');
    await updateBaseline(backend, config, [{ resource: scheduleId, is: 'removed' }], 'run');
    await updateBaseline(backend, config, [{ resource: allocationId, is: 'removed' }], 'run');
    expect((await found(backend)).checks.baseline).toEqual({ result: 'ok', text: '0 applied resources' });
    writeFileSync(join(folder, 'baseline.json'), 'damaged');
    const { checks } = await found(backend);
    expect(checks.baseline).toMatchObject({ result: 'failed', text: expect.stringContaining('is damaged') });
    expect(checks.journal).toMatchObject({ result: 'ok' });
  });
});
