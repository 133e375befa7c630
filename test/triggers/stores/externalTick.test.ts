/** Ticks that another scheduler starts: which one is meant, and why one is refused. */
import { expect, it } from 'vitest';
import { claimTick } from '../../../src/triggers/ledger/externalTick.ts';
import { forgetOld } from '../../../src/triggers/ledger/pending.ts';
import { eventsOf, type LedgerSetting, ledgerSetting } from '../ledgerSetting.ts';
import { frozenAt } from '../moveClock.ts';
import { describeStores } from '../stores.ts';

const hour = 3_600_000;

describeStores('a tick of another scheduler', (newStore) => {
  const cron = { every: undefined, cron: '0 * * * *', timeZone: 'UTC' };
  const time = (at: number) => new Date(at).toISOString();

  /** A schedule that was registered at a quarter past an hour. */
  async function hourly(setting: LedgerSetting, spec: object = {}) {
    const { put, registry, pass, database } = setting;
    await pass((hour - ((await registry.now()) % hour)) / 1000 + 900);
    await put('often', { ...cron, ...spec });
    const full = Math.floor((await registry.now()) / hour) * hour;
    const goTo = async (at: number) => pass((at - (await registry.now())) / 1000);
    return { full, goTo, claim: (tick: number | 'now') => claimTick(database, 'acme', 'often', tick) };
  }

  it('is the one that is due, also if the clock of that scheduler is up to 5 seconds ahead', async (end) => {
    const setting = await ledgerSetting(newStore, end);
    const { full, goTo, claim } = await hourly(setting);
    const next = full + hour;
    await goTo(next - 20_000);
    expect(await claim('now')).toBeUndefined();
    await goTo(next - 3000);
    const made = await claim('now');
    expect(made).toMatchObject({ isNew: true, run: { tickAt: next, state: 'waiting', origin: 'tick' } });
    expect(await eventsOf(setting, made?.run.id ?? '')).toEqual(['waiting: started by another scheduler']);
    expect(await claim('now')).toMatchObject({ isNew: false, run: { id: made?.run.id } });
  });

  it('can be claimed from its very moment on', async (end) => {
    const { put, database } = await ledgerSetting(newStore, end);
    await put('often', cron);
    const next = (Math.floor(Date.now() / hour) + 2) * hour;
    const claimAt = (now: number) => claimTick(frozenAt(database, now), 'acme', 'often', next);
    await expect(claimAt(next - 1)).rejects.toMatchObject({ problems: [{ code: 'tick-in-future' }] });
    expect(await claimAt(next)).toMatchObject({ isNew: true, run: { tickAt: next } });
  });

  it('says why it cannot be claimed', async (end) => {
    const setting = await ledgerSetting(newStore, end);
    const { full, goTo, claim } = await hourly(setting);
    const [since = 0] = (await setting.database.query<{ since_at: number }>('SELECT since_at FROM schedules')).map(
      ({ since_at }) => since_at,
    );
    const next = `a tick of the schedule; the next one is at ${time(full + hour)}`;
    await expect(claim(full)).rejects.toMatchObject({
      problems: [
        { found: `${time(full)} is before often was registered or last resumed: ${time(since)}`, allowed: next },
      ],
    });
    await expect(claim(full + hour)).rejects.toMatchObject({
      problems: [
        {
          found: expect.stringContaining(`${time(full + hour)} of often is in the future: the ledger's clock shows 20`),
        },
      ],
    });
    await goTo(full + hour + 60_000);
    await expect(claim(full + hour + 1)).rejects.toMatchObject({
      problems: [
        {
          code: 'no-such-tick',
          found: `often does not tick at ${time(full + hour + 1)}`,
          allowed: `a tick of the schedule; the next one is at ${time(full + 2 * hour)}`,
        },
      ],
    });
    expect(await claim(full + hour)).toMatchObject({ isNew: false, run: { tickAt: full + hour } });
    await expect(claimTick(setting.database, 'acme', 'none', 'now')).rejects.toThrow('schedule none is not registered');
  });

  it('is skipped with the reason if the schedule is paused', async (end) => {
    const setting = await ledgerSetting(newStore, end);
    const { full, goTo, claim } = await hourly(setting, { paused: true });
    await goTo(full + hour + 1000);
    const made = await claim('now');
    expect(made?.run).toMatchObject({
      state: 'skipped',
      reason: 'the schedule is paused',
      endedAt: expect.any(Number),
    });
  });

  it('is refused if its run may have been deleted', async (end) => {
    const setting = await ledgerSetting(newStore, end);
    const { full, goTo, claim } = await hourly(setting, { paused: true });
    await goTo(full + 100 * hour);
    const retention = { eventsMs: 24 * hour, runsMs: 48 * hour };
    await forgetOld(setting.database, retention);
    const [row] = await setting.database.query<{ value: number }>(
      `SELECT value FROM meta WHERE key = 'forgotten_until'`,
    );
    await expect(claim(full + 10 * hour)).rejects.toMatchObject({
      problems: [
        {
          code: 'no-such-tick',
          found: `${time(full + 10 * hour)} of often is too long ago: its run, if it had one, has been deleted`,
          allowed: `a tick after ${time((row?.value ?? 0) + 5000)}`,
        },
      ],
    });
    expect(await claim(full + 60 * hour)).toMatchObject({ isNew: true });
    // A shorter retention that is set for a while does not bring deleted runs back.
    await forgetOld(setting.database, { ...retention, runsMs: 99 * hour });
    await expect(claim(full + 10 * hour)).rejects.toThrow('too long ago');
    // The moment of a registration belongs to the time before it, and has no run that could have been deleted.
    await setting.database.query('UPDATE schedules SET since_at = ?', [full + 10 * hour]);
    await expect(claim(full + 10 * hour)).rejects.toThrow('was registered or last resumed');
  });
});
