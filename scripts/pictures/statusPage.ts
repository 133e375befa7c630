/** The status page of a real trigger service, with the scheduled runs of a morning. */
import type { Page } from 'playwright-core';
import { type ScheduleSpec, scheduleSpec } from '../../src/triggers/declared/scheduleSpec.ts';
import { tickDue } from '../../src/triggers/ledger/ticking.ts';
import type { Transition } from '../../src/triggers/ledger/transition.ts';
import { moveClock } from '../../test/triggers/moveClock.ts';
import { openServing, type Serving, token } from '../../test/triggers/serving.ts';

interface StatusPage extends AsyncDisposable {
  show(page: Page): Promise<void>;
}

type Outcome = Pick<Transition, 'to' | 'text' | 'set'>;

const [minute, hour] = [60_000, 3_600_000];
/** The clock of the service when the picture is taken: a Tuesday, 10:05 in Berlin. */
const now = Date.parse('2026-06-02T08:05:00Z');
const from = now - 8 * hour;

const inputs = [{ url: 'https://shop.example.com/a' }];
const schedules: Record<string, Partial<ScheduleSpec>> = {
  'nightly-prices': { collector: 'c_prices', cron: '10 3 * * *', timeZone: 'Europe/Berlin' },
  'stock-levels': { collector: 'c_stock', cron: '*/30 * * * *' },
  companies: { dataset: 'gd_companies', cron: '0 6 * * 1', timeZone: 'Europe/Berlin' },
  'flash-sales': { collector: 'c_sales', every: '2h', paused: true },
};

export async function openStatusPage(): Promise<StatusPage> {
  const serving = await openServing();
  const clockIs = (time: number) => moveClock(serving.database, time - Date.now());
  await clockIs(from - hour);
  for (const [name, spec] of Object.entries(schedules)) {
    await serving.registry.putSchedule('acme', name, scheduleSpec().parse({ inputs, ...spec }));
  }
  for (let time = from; time <= now; time += 5 * minute) {
    await clockIs(time);
    await tickDue(serving.database);
    await endRuns(serving);
  }
  return {
    async show(page) {
      await clockIs(now);
      await page.goto(serving.url);
      await page.getByRole('textbox', { name: 'Token' }).fill(token);
      await page.keyboard.press('Enter');
      await page.locator('#runs tr').first().waitFor();
      await page.getByText('Live', { exact: true }).waitFor();
    },
    [Symbol.asyncDispose]: () => serving[Symbol.asyncDispose](),
  };
}

async function endRuns(serving: Serving): Promise<void> {
  const waiting = await serving.registry.runs({ states: ['waiting'] });
  for (const run of waiting) await serving.change(run, outcomeOf(run.schedule, run.tickAt));
}

function outcomeOf(schedule: string, tickAt: number): Outcome {
  const minutesAgo = Math.round((now - tickAt) / minute);
  const set = { triggered_at: tickAt + 400, collection_id: `j_${schedule.slice(0, 3)}${tickAt / minute}` };
  if (minutesAgo < 10) return { to: 'running', text: 'building', set };
  if (minutesAgo < 40) return { to: 'unknown', text: 'the connection was lost before the answer' };
  if (minutesAgo > 180 && minutesAgo < 200) return { to: 'failed', text: 'the collector is not known' };
  const rows = 800 + ((tickAt / minute) % 97) * 13;
  return { to: 'finished', text: `${rows} rows`, set: { ...set, row_count: rows } };
}
