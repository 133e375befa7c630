/** The HTML report of many moves: the time to render and write it, and to show and filter it in a browser. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { executable, launch } from '../test/e2e/report/browser.ts';
import { absent, type Benchmark, limited, type Row, type Stage } from './frame/benchmark.ts';
import { measureInTurn, median } from './frame/pairs.ts';
import { runProcess } from './frame/process.ts';
import { inTime } from './frame/units.ts';

const moves = 50_000;
const most = { writeMs: 500, paintMs: 1000, filterMs: 100 };
const rounds = 5;
const what = (part: string) => `HTML report of ${moves.toLocaleString('en')} moves, ${part}`;
const program = join(import.meta.dirname, 'floors/htmlReport.mjs');

export const benchmark: Benchmark = {
  name: 'report',
  about: `**report**: rendering the HTML report of ${moves.toLocaleString('en')} moves and writing it to a file, once in a new process that has loaded the formatter and made the plan, against writing the same bytes; processor time is in parentheses. In Chromium: from the start of the navigation to the first contentful paint, and from an input event to the frame after its change, for the slowest of several filters and sortings. Medians of ${rounds}.`,
  async run(stage) {
    const file = join(stage.folder, 'report.html');
    const written = await writeRow(stage, file);
    if (executable === undefined)
      return [
        written,
        absent(what('first paint'), 'Chromium', `≤ ${inTime(most.paintMs)}`, '`apt-get install chromium`'),
      ];
    const browser = await launch();
    try {
      return [written, ...(await browserRows(browser, pathToFileURL(file).href))];
    } finally {
      await browser.close();
    }
  },
};

interface Written {
  ms: number;
  cpuMs: number;
}

async function writeRow(stage: Stage, file: string): Promise<Row> {
  const processorTimes: number[] = [];
  const written = async (which: 'ours' | 'floor') => {
    const { stdout } = await runProcess(stage, [process.execPath, program, which, file, `${moves}`]);
    return JSON.parse(stdout) as Written;
  };
  const { ours, floor } = await measureInTurn(
    {
      ours: async () => {
        const { ms, cpuMs } = await written('ours');
        processorTimes.push(cpuMs);
        return ms;
      },
      floor: async () => (await written('floor')).ms,
    },
    { count: rounds },
  );
  const ms = median(ours);
  return {
    what: what('write'),
    ours: `${inTime(ms)} (${inTime(median(processorTimes))})`,
    floor: inTime(median(floor)),
    must: `≤ ${inTime(most.writeMs)}`,
    reached: ms <= most.writeMs,
  };
}

async function browserRows(browser: Browser, url: string): Promise<Row[]> {
  const [paints, filters]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    const page = await context.newPage();
    await page.goto(url);
    paints.push(await page.evaluate<number>(firstPaint));
    filters.push(Math.max(...(await changeTimes(page))));
    await context.close();
  }
  return [row('first paint', median(paints), most.paintMs), row('slowest filter', median(filters), most.filterMs)];
}

function row(part: string, ms: number, limit: number): Row {
  return limited(what(part), inTime(ms), inTime(limit), ms <= limit);
}

const firstPaint = `new Promise((resolve) =>
  new PerformanceObserver((list) => {
    for (const { name, startTime } of list.getEntries()) if (name === 'first-contentful-paint') resolve(startTime);
  }).observe({ type: 'paint', buffered: true }),
)`;

/** Changes of the list, each as a script. The values of a select are indexes of words. */
const changes = [
  `form.elements.text.value = '1', form.dispatchEvent(new Event('input'))`,
  `form.elements.text.value = '198.18.2', form.dispatchEvent(new Event('input'))`,
  `form.elements.text.value = 'old-4', form.dispatchEvent(new Event('input'))`,
  `form.elements.from.value = '7', form.dispatchEvent(new Event('input'))`,
  `form.reset(), form.dispatchEvent(new Event('input'))`,
  `document.querySelector('[data-column=ip]').click()`,
  `document.querySelector('[data-column=to]').click()`,
];

/** Returns the time of each change until the end of the frame that shows it. */
async function changeTimes(page: Page): Promise<number[]> {
  const times: number[] = [];
  for (const change of changes) {
    const script = `new Promise((resolve) => {
      const form = document.getElementById('move-filters');
      const start = performance.now();
      ${change};
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - start)));
    })`;
    times.push(await page.evaluate<number>(script));
  }
  return times;
}
