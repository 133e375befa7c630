/** The status page as people meet it: in a browser, on a trigger service whose runs the test moves along. */
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Readable } from 'node:stream';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenRows } from '../../../src/triggers/server/keptRoute.ts';
import { openServing, owner, type Serving, token } from '../../triggers/serving.ts';
import { type Axe, isMissing, launch, screenshots } from '../report/browser.ts';

interface PageOptions extends BrowserContextOptions {
  prepare?: (serving: Serving) => Promise<void>;
  openRows?: OpenRows;
  /** What the browser itself notes of an answer that the test means to get. */
  noted?: RegExp;
}

const evil = '<img src=x onerror="document.title=1">';

describe.skipIf(isMissing)('the status page in a browser', () => {
  let browser: Browser;

  beforeAll(async () => {
    mkdirSync(screenshots, { recursive: true });
    browser = await launch();
  });
  afterAll(async () => browser?.close());

  /** Opens the page with the token, and afterwards nothing went wrong that a console would tell. */
  async function withPage(
    use: (page: Page, serving: Serving) => Promise<void>,
    { prepare = twoSchedules, noted, openRows, ...options }: PageOptions = {},
  ) {
    await using serving = await openServing(openRows === undefined ? {} : { openRows });
    await prepare(serving);
    const context = await browser.newContext({
      viewport: { width: 1280, height: 900 },
      locale: 'en-GB',
      timezoneId: 'Europe/Berlin',
      ...options,
    });
    try {
      const page = await context.newPage();
      const wrongs = watch(page, serving.url);
      await page.goto(serving.url);
      await page.getByRole('textbox', { name: 'Token' }).fill(token);
      await page.keyboard.press('Enter');
      await page.locator('#schedules tr').first().waitFor();
      await use(page, serving);
      expect(wrongs.filter((wrong) => !noted?.test(wrong))).toEqual([]);
    } finally {
      await context.close();
    }
  }

  it('puts schedules whose last run failed first, in red, and says when they fire in words', async () => {
    await withPage(
      async (page, { database }) => {
        await eventually(() => page.locator('#schedules tr').first().textContent()).toMatch('acme/zz-failing');
        const [first, second] = [page.locator('#schedules tr').first(), page.locator('#schedules tr').nth(1)];
        expect(await first.getAttribute('class')).toBe('is-bad-row');
        expect(await second.getAttribute('class')).toBe('');
        expect(await first.textContent()).toMatch('weekdays at 03:30, Europe/Berlin (30 3 * * 1-5)');
        expect(await second.textContent()).toMatch(/acme\/a-paused.*every 15 minutes, UTC.*paused in the declaration/);
        const run = page.locator('#runs tr').first();
        expect(await run.textContent()).toMatch(/the page has changed \(job failed\)/);
        expect(await run.locator('.figure').textContent()).toBe('90 s');
        expect(await run.locator('time').getAttribute('title')).toMatch(/\d\d:\d\d/);
        await database.query(`UPDATE runs SET state = 'finished', reason = NULL`);
        await page.reload();
        await eventually(() => page.locator('#schedules tr').first().textContent()).toMatch('acme/a-paused');
      },
      {
        async prepare(serving) {
          await serving.schedule('a-paused', { cron: '*/15 * * * *', paused: true });
          await serving.schedule('zz-failing', { cron: '30 3 * * 1-5', timeZone: 'Europe/Berlin' });
          const text = 'the page has changed (job failed)';
          const { id } = await serving.run('zz-failing', { to: 'failed', text });
          await serving.database.query('UPDATE runs SET triggered_at = ended_at - 90000 WHERE id = ?', [id]);
        },
      },
    );
  });

  it('links to the file with the kept rows of a run', async () => {
    const opened: string[] = [];
    const openRows: OpenRows = async (run) => {
      opened.push(run);
      return { name: 'tick.ndjson', content: Readable.from(['{"title":"A"}\n']) };
    };
    const prepare = async (serving: Serving) => {
      await twoSchedules(serving);
      await serving.run('nightly', { to: 'finished', text: 'done', set: { kept: './rows/nightly/tick.ndjson' } });
    };
    await withPage(
      async (page, { registry }) => {
        const downloading = page.waitForEvent('download');
        await page.getByRole('button', { name: /^Rows of acme\/nightly/ }).click();
        const download = await downloading;
        expect(download.suggestedFilename()).toBe('tick.ndjson');
        expect(readFileSync(await download.path(), 'utf8')).toBe('{"title":"A"}\n');
        expect(opened).toEqual((await registry.runs({})).map(({ id }) => id));
      },
      { prepare, openRows },
    );
  });

  async function twoSchedules(serving: Serving): Promise<void> {
    await serving.schedule('nightly');
    await serving.schedule('weekly', { dataset: 'gd_profiles', collector: undefined, cron: undefined, every: '7d' });
  }

  const row = (page: Page, name: string) => page.locator('#schedules tr').filter({ hasText: `${owner}/${name}` });
  const axe = async (page: Page) => {
    await page.evaluate(readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
    const { violations } = await page.evaluate<Axe>('axe.run()');
    return violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html) }));
  };

  it('asks for the token until it is the right one, keeps it over a reload, and forgets it when told to', async () => {
    await using serving = await openServing();
    await serving.schedule('nightly');
    const page = await browser.newPage();
    await page.goto(serving.url);
    const field = page.getByRole('textbox', { name: 'Token' });
    await field.fill('wrong');
    await page.keyboard.press('Enter');
    await eventually(() => page.locator('#token-why').textContent()).toMatch(/Wrong token/);
    expect(await page.locator('#schedules tr').count()).toBe(0);
    await field.fill(token);
    await page.keyboard.press('Enter');
    await row(page, 'nightly').waitFor();
    await page.reload();
    await row(page, 'nightly').waitFor();
    expect(await page.content()).not.toContain(token);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await field.waitFor();
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
    await page.close();
  });

  it('shows what is scheduled, and pauses and resumes it', async () => {
    await withPage(async (page, { registry }) => {
      expect(await row(page, 'nightly').textContent()).toMatch(/c_prices · UTC \(0 3 1 1 \*\).*in \d+ days/);
      expect(await row(page, 'weekly').textContent()).toMatch(/gd_profiles · every 7d/);
      expect(await page.locator('th').allTextContents()).toEqual(expect.arrayContaining(['Tick', 'Rows', 'Job']));
      await page.getByRole('button', { name: 'Pause acme/nightly' }).click();
      await eventually(() => row(page, 'nightly').textContent()).toMatch(/paused by hand, \d+ seconds? ago/);
      expect((await registry.schedules({ text: 'nightly' }))[0]?.spec.paused).toBe(true);
      expect(await page.evaluate("document.activeElement?.getAttribute('aria-label')")).toBe('Resume acme/nightly');
      await page.keyboard.press('Enter');
      await eventually(() => row(page, 'nightly').textContent()).not.toMatch(/paused/);
      expect((await registry.schedules({ text: 'nightly' }))[0]?.spec.paused).toBe(false);
    });
  });

  it('runs a schedule now once that is confirmed, and not when it is cancelled', async () => {
    await withPage(async (page, { registry }) => {
      const button = page.getByRole('button', { name: 'Run now: acme/nightly' });
      await button.click();
      const dialog = page.getByRole('dialog');
      expect(await dialog.textContent()).toMatch(/billed/);
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      expect(await registry.runs({})).toEqual([]);
      await button.click();
      await dialog.getByRole('button', { name: 'Run now' }).click();
      await eventually(() => page.locator('#runs tr').count()).toBe(1);
      expect(await registry.runs({})).toMatchObject([{ schedule: 'nightly', origin: 'hand' }]);
      expect(await page.locator('#runs tr').textContent()).toMatch(/waiting.*acme\/nightly.*by hand/);
    });
  });

  it('puts unknown runs on top, and resolves them with an id, as lost, or by sending again', async () => {
    await withPage(async (page, serving) => {
      const lost = { to: 'unknown', text: 'its answer was lost' } as const;
      const runs = [
        await serving.run('nightly', lost),
        await serving.run('weekly', lost),
        await serving.run('nightly', lost),
      ];
      const cards = page.locator('#unknown-runs li');
      await eventually(() => cards.count()).toBe(3);
      expect(await page.locator('#needs-you').textContent()).toMatch(/may or may not have accepted and billed them/);
      const open = (index: number) =>
        page
          .getByRole('button', { name: `, ${runs[index]?.id}` })
          .filter({ hasText: 'Resolve' })
          .click();
      const dialog = page.getByRole('dialog');
      const resolve = dialog.getByRole('button', { name: 'Resolve' });

      await open(0);
      await resolve.click();
      expect(await dialog.getByRole('alert').textContent()).toMatch(/Enter the collection id/);
      await dialog.getByLabel('Collection id').fill('j_found');
      await resolve.click();
      await eventually(() => cards.count()).toBe(2);

      await open(1);
      await dialog.getByLabel('It is lost').check();
      await resolve.click();
      await eventually(() => cards.count()).toBe(1);

      await open(2);
      await dialog.getByLabel('Send it again').check();
      await resolve.click();
      expect(await dialog.getByRole('alert').textContent()).toMatch(/both may be billed/);
      expect((await serving.registry.run(runs[2]?.id ?? '')).run.state).toBe('unknown');
      await dialog.getByLabel(/both are billed if the first request did arrive/).check();
      await resolve.click();
      await eventually(() => page.locator('#needs-you').isVisible()).toBe(false);

      const states = await Promise.all(runs.map(async ({ id }) => (await serving.registry.run(id)).run));
      expect(states).toMatchObject([
        { state: 'running', collectionId: 'j_found' },
        { state: 'lost' },
        { state: 'waiting' },
      ]);
    });
  });

  it('says what the service refuses, in its words', async () => {
    await withPage(
      async (page, { registry }) => {
        await page.getByRole('button', { name: 'Run now: acme/nightly' }).click();
        await registry.deleteSchedule(owner, 'nightly');
        await page.getByRole('dialog').getByRole('button', { name: 'Run now' }).click();
        await eventually(() => page.locator('#alert-text').textContent()).toMatch(/nightly/);
        await page.getByRole('button', { name: 'Dismiss' }).click();
        expect(await page.locator('#alert').isVisible()).toBe(false);
      },
      { noted: /status of 404/ },
    );
  });

  it('shows changes as they happen, without losing the focus', async () => {
    await withPage(async (page, serving) => {
      await eventually(() => page.locator('#live').textContent()).toBe('Live');
      await page.getByRole('button', { name: 'Pause acme/weekly' }).focus();
      const run = await serving.run('nightly');
      await eventually(() => page.locator('#runs tr').textContent()).toMatch(/waiting/);
      await serving.change(run, {
        to: 'finished',
        text: '1,200 rows',
        set: { row_count: 1200, collection_id: 'j_abc', triggered_at: run.tickAt + 400 },
      });
      await eventually(() => page.locator('#runs tr').textContent()).toMatch(/finished.*\d s.*1,200.*j_abc/);
      await eventually(() => row(page, 'nightly').textContent()).toMatch(/finished/);
      await serving.registry.setPaused(owner, 'weekly', true);
      await eventually(() => row(page, 'weekly').textContent()).toMatch(/paused/);
      expect(await page.evaluate("document.activeElement?.getAttribute('aria-label')")).toBe('Resume acme/weekly');
      await serving.schedule('added-later');
      await eventually(() => page.locator('#totals').textContent()).toMatch(/3 schedules/);
      await row(page, 'added-later').waitFor();
    });
  });

  it('asks once for what a filter chooses, and for nothing besides', async () => {
    await withPage(async (page) => {
      await eventually(() => page.locator('#live').textContent()).toBe('Live');
      await page.locator('#no-runs').waitFor();
      const asked: string[] = [];
      page.on('request', (request) => asked.push(new URL(request.url()).search));
      for (const state of ['failed', 'finished', 'lost']) {
        const answered = page.waitForResponse((response) => response.url().includes(`state=${state}&`));
        await page.locator('#run-filters select[name=state]').selectOption(state);
        await answered;
      }
      expect(asked).toEqual(['?state=failed&limit=500', '?state=finished&limit=500', '?state=lost&limit=500']);
    });
  });

  it('says when the connection is lost, and goes on by itself when the service is back', async () => {
    await withPage(
      async (page, serving) => {
        const live = () => page.locator('#live').textContent();
        await eventually(live).toBe('Live');
        await serving.stop();
        await eventually(live).toBe('Connection lost, retrying');
        await serving.schedule('meanwhile');
        await serving.start();
        await eventually(live).toBe('Live');
        await row(page, 'meanwhile').waitFor();
      },
      { noted: /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED_ENCODING/ },
    );
  });

  it('shows a run in full, and keeps it up to date while it is read', async () => {
    await withPage(async (page, serving) => {
      const run = await serving.run('nightly');
      await page.getByRole('button', { name: `Details of acme/nightly, ${run.id}` }).click();
      const dialog = page.getByRole('dialog');
      await eventually(() => dialog.locator('li').count()).toBe(1);
      await serving.change(run, { to: 'failed', text: 'the collector is not known' });
      await eventually(() => dialog.locator('li').count()).toBe(2);
      expect(await dialog.textContent()).toMatch(/failed.*Target.*c_prices.*the collector is not known/s);
      await page.keyboard.press('Escape');
      expect(await dialog.count()).toBe(0);
      await eventually(() => page.evaluate('document.activeElement?.textContent')).toBe('Details');
    });
  });

  it('draws the runs of the last hours, with signs as well as colours', async () => {
    await withPage(async (page, serving) => {
      for (const to of ['finished', 'failed', 'skipped'] as const) await serving.run('nightly', { to, text: 'so' });
      await serving.run('weekly', { to: 'finished', text: 'so' });
      await eventually(() => page.locator('#timeline-about').textContent()).toMatch(
        /^4 runs since .*: 1 failed, 1 skipped, 2 finished$/,
      );
      expect(await page.locator('#timeline-marks .lane-name').allTextContents()).toEqual([
        'acme/nightly',
        'acme/weekly',
      ]);
      expect(await page.locator('#timeline-marks .mark text').allTextContents()).toEqual(['✕', '✓']);
      expect(await page.locator('#timeline-marks title').first().textContent()).toMatch(
        /1 failed, 1 skipped, 1 finished/,
      );
      expect(await page.locator('#legend li').allTextContents()).toEqual(['✕failed', 'Sskipped', '✓finished']);
      await row(page, 'weekly').getByRole('button', { name: 'acme/weekly', exact: true }).click();
      await eventually(() => page.locator('#runs tr').count()).toBe(1);
      await page.getByRole('combobox', { name: 'State' }).selectOption('failed');
      await eventually(() => page.locator('#no-runs').isVisible()).toBe(true);
      await page.getByRole('button', { name: 'Show all' }).click();
      await eventually(() => page.locator('#runs tr').count()).toBe(1);
    });
  });

  it('folds repeated runs, so that a schedule of one minute shows hours', async () => {
    const prepare = async (serving: Serving) => {
      await twoSchedules(serving);
      for (const job of ['j_1', 'j_2', 'j_3']) await serving.run('weekly', { to: 'failed', text: `${job} failed` });
      const { id } = await serving.run('nightly', { to: 'finished', text: 'so', set: { row_count: 10 } });
      await serving.database.query(`UPDATE runs SET tick_at = tick_at - 300000 WHERE id <> '${id}'`);
      await repeatEveryMinute(serving, id, 300);
    };
    await withPage(
      async (page, serving) => {
        await eventually(() => page.locator('#runs tr').count()).toBe(2);
        const fold = page.locator('#runs tr').filter({ hasText: 'acme/nightly' }).first();
        expect(await fold.textContent()).toMatch(
          /^301 × ✓ finished.*acme\/nightly.*\d\d:\d\d\s?–\s?(\w+ \d+, )?\d\d:\d\d.*3,010/,
        );
        expect(await page.locator('#runs tr').last().textContent()).toMatch(/^3 × ✕ failed.*acme\/weekly.*j_3 failed/);
        const button = page.getByRole('button', { name: /^(Show 301|Hide): runs of acme\/nightly, / });
        expect(await button.textContent()).toBe('Show 301');
        await button.press('Enter');
        await eventually(() => page.locator('#runs tr').count()).toBe(303);
        // A run that joins an open fold is shown in it, and the focus stays.
        await serving.run('nightly', { to: 'finished', text: 'so' });
        await eventually(() => page.locator('#runs tr').count()).toBe(304);
        expect(await page.evaluate('document.activeElement?.textContent')).toBe('Hide');
        await page.screenshot({ path: `${screenshots}/trigger-page-folds.png` });
        await page.keyboard.press('Enter');
        await eventually(() => page.locator('#runs tr').count()).toBe(2);
        expect(await page.locator('#timeline-about').textContent()).toMatch(/^305 runs since/);
        expect(await axe(page)).toEqual([]);
      },
      { prepare },
    );
  });

  it('shows names as text, whatever they hold', async () => {
    await withPage(
      async (page, serving) => {
        expect(await page.locator('#schedules').textContent()).toContain(`${owner}/${evil}`);
        await serving.run(evil, { to: 'unknown', text: evil });
        await eventually(() => page.locator('#unknown-runs').textContent()).toContain(evil.slice(0, 20));
        await eventually(() => page.locator('#timeline-marks').textContent()).toContain(evil.slice(0, 20));
        await page.getByRole('button', { name: 'Resolve' }).first().click();
        expect(await page.getByRole('dialog').textContent()).toContain(evil);
        expect(await page.title()).toBe('webdata triggers');
        expect(await page.locator('img').count()).toBe(0);
      },
      {
        // No such name can be registered; the page trusts nobody all the same.
        prepare: async (serving) => {
          await serving.schedule('plain');
          await serving.database.query('UPDATE schedules SET name = ?', [evil]);
        },
      },
    );
  });

  it('is worked with the keyboard alone', async () => {
    await withPage(async (page, serving) => {
      await serving.run('nightly', { to: 'unknown', text: 'its answer was lost' });
      await page.locator('#unknown-runs li').waitFor();
      const press = async (until: string, key = 'Tab') => {
        for (let presses = 0; presses < 40; presses += 1) {
          await page.keyboard.press(key);
          const label = await page.evaluate<string>(
            "document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? ''",
          );
          const outline = await page.evaluate<string>(
            "document.activeElement === document.body ? 'none' : getComputedStyle(document.activeElement).outlineStyle",
          );
          if (label.startsWith(until)) return outline;
        }
        throw new Error(`nothing called ${until} gets the focus`);
      };
      expect(await press('Skip to the schedules')).toBe('solid');
      expect(await press('Resolve acme/nightly')).toBe('solid');
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await eventually(() => page.locator('#needs-you').isVisible()).toBe(false);
      expect(await serving.registry.runs({ states: ['lost'] })).toHaveLength(1);
      expect(await page.evaluate('document.activeElement?.id')).toBe('main');
      expect(await press('Run now: acme/weekly')).toBe('solid');
      await page.keyboard.press('Enter');
      await press('Run now');
      await page.keyboard.press('Enter');
      await eventually(async () => (await serving.registry.runs({ schedule: 'weekly' })).length).toBe(1);
    });
  });

  it('has nothing that axe finds fault with, light or dark, and fits a phone', async () => {
    for (const [colorScheme, width] of [
      ['light', 1280],
      ['dark', 390],
    ] as const) {
      await withPage(
        async (page, serving) => {
          await busy(serving);
          await eventually(() => page.locator('#runs tr').count()).toBe(12);
          expect(await axe(page)).toEqual([]);
          const room = await page.evaluate<number[]>('[document.documentElement.scrollWidth, innerWidth]');
          expect(room[0]).toBeLessThanOrEqual(room[1] ?? 0);
          await page.screenshot({ path: `${screenshots}/triggers-${colorScheme}-${width}.png`, fullPage: true });
          await page.getByRole('button', { name: 'Resolve' }).first().click();
          expect(await axe(page)).toEqual([]);
          await page.screenshot({ path: `${screenshots}/triggers-resolve-${colorScheme}-${width}.png` });
        },
        { colorScheme, viewport: { width, height: 844 } },
      );
    }
  });

  async function busy(serving: Serving): Promise<void> {
    const rows = { row_count: 1200, collection_id: 'j_m1k2x9', triggered_at: Date.now() + 300 };
    const ends = [
      { to: 'finished', text: '1,200 rows', set: rows },
      {
        to: 'failed',
        text: 'the inputs do not match the schema: https://api.example.com/dca/trigger?collector=c_prices&name=nightly (answered 422)',
      },
      { to: 'skipped', text: 'an earlier run of this schedule was still active (overlap: skip)' },
      { to: 'unknown', text: 'its answer was lost: time-out after 30 s' },
      { to: 'running', text: 'accepted as j_m1k2x9', set: rows },
      { to: 'finished', text: '80 rows', set: rows },
    ] as const;
    for (const name of ['nightly', 'weekly']) {
      for (const [index, end] of ends.entries()) {
        const { id } = await serving.run(name, end);
        const back = Date.now() - index * 50 * 60_000;
        await serving.database.query(
          'UPDATE runs SET tick_at = ?, triggered_at = CASE WHEN triggered_at IS NULL THEN NULL ELSE ? END WHERE id = ?',
          [back, back + 400, id],
        );
      }
    }
    await serving.registry.setPaused(owner, 'weekly', true);
  }
});

/** The machine may be busy with other things. */
function eventually<T>(read: () => T) {
  return expect.poll(read);
}

/** What the page must not do: fail, or ask anybody else for anything. */
function watch(page: Page, url: string): string[] {
  const wrongs: string[] = [];
  page.on('console', (message) => wrongs.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => wrongs.push(`pageerror: ${error.message}`));
  page.on('request', (request) => {
    if (!request.url().startsWith(url)) wrongs.push(`request: ${request.url()}`);
  });
  return wrongs;
}

/** Copies a run to the minutes before it. */
async function repeatEveryMinute({ database }: Serving, id: string, times: number): Promise<void> {
  const [run = {}] = await database.query(`SELECT * FROM runs WHERE id = '${id}'`);
  const changed: Record<string, string> = { id: `id || '-' || n`, tick_at: 'tick_at - n * 60000' };
  const columns = Object.keys(run);
  await database.query(
    `INSERT INTO runs (${columns}) WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${times})
     SELECT ${columns.map((column) => changed[column] ?? column)} FROM (SELECT * FROM runs WHERE id = '${id}'), numbers`,
  );
}
