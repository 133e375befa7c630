/** Servers that store what they receive, on a disk that is full for a while. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openStore } from '../../src/triggers/store/open.ts';
import type { SmallDisk } from '../../test/base/files/smallDisk.ts';
import { start } from '../../test/e2e/process.ts';
import { allRuns, atMostOnce, pauseAll, registerAll, untilSettled } from '../../test/e2e/triggers/chaos.ts';
import { post } from '../../test/receiver/helpers.ts';
import { expected } from '../crashes/checks.ts';
import { saidBy } from '../crashes/killed.ts';
import { deliverAgain, deliveries, tidyFaults, wholeOnes } from '../crashes/receiver.ts';
import { serving } from './outages.ts';
import type { Raced } from './race.ts';

export async function receiverOn(disk: SmallDisk, random: () => number): Promise<Raced> {
  const folder = join(disk.folder, 'kept');
  const running = start(['receive', '--port', '0', '--folder', folder], { cwd: disk.folder, env: {} });
  const [url = ''] = (await saidBy(running, /http:\/\/\S+?\/(?=,)/)) ?? [];
  disk.fill(random() * 280_000);
  const answers = await Promise.all(deliveries.map(({ path, text }) => post(url, text, { path })));
  const answered = new Set(deliveries.flatMap(({ path }, index) => (answers[index]?.status === 200 ? [path] : [])));
  const found = await wholeOnes(folder);
  const others = answers.filter(({ status }) => status !== 200);
  const faults = [
    ...others.flatMap(({ status, text }) =>
      expected('the answer where there is no space', refusal(folder), [status, text]),
    ),
    ...expected(
      'answered, and not there',
      [],
      [...answered].filter((path) => !found.has(path)),
    ),
  ];
  disk.empty();
  for (const { path, text } of deliveries.filter(({ path }) => !answered.has(path)))
    faults.push(...expected('the answer once there is room', 200, (await post(url, text, { path })).status));
  running.child.kill('SIGTERM');
  faults.push(...expected('the exit code', 0, (await running.finished).code));
  // Another receiver stores all deliveries.
  faults.push(...(await deliverAgain(folder, new Set())), ...(await tidyFaults(folder)));
  return { cameTo: `${others.length} of ${answers.length} without space`, faults };
}

const refusal = (folder: string) => [
  507,
  `Not kept: folder ${folder} cannot be written: no space is left on the disk.\n`,
];

const schedules = 5;
/** Long enough that even a slow machine does not reach a second tick. */
const periodMs = 60 * 60_000;
const token = 'token';

export async function storeOn(disk: SmallDisk, random: () => number): Promise<Raced> {
  const folder = join(disk.folder, 'store');
  await mkdir(folder);
  const store = join(folder, 'triggers.db');
  await using ends = new AsyncDisposableStack();
  const database = ends.adopt(await openStore(store), (each) => each.close());
  const { url, log, child, finished } = await serving(store, ends);
  const { ticks, step } = await registerAll(database, { schedules, steps: 1, periodMs });
  const registering = registrar(url);
  disk.fill(random() * 60_000);
  // The clock of the server is a file on the same disk.
  await step(1).catch(() => undefined);
  for (let index = 0; index < 8; index += 1) await registering.put(`other${index}`);
  await sleep(1500 * random());
  disk.empty();
  await step(1);
  await registering.put('last');
  const faults = [
    ...registering.faults,
    ...expected('the last answer, once there was room', 'last', registering.taken.at(-1)),
    ...expected('registered', registering.taken.toSorted(), await registering.listed()),
  ];
  while ((await allRuns(database)).length < ticks.length) await sleep(100);
  await pauseAll(database, { schedules });
  await step(2);
  await untilSettled(database);
  faults.push(...atMostOnce({ runs: await allRuns(database), ticks, accepted: log.read() }));
  child.kill('SIGTERM');
  faults.push(...expected('the exit code', 0, (await finished).code));
  return { cameTo: registering.refused() > 0 ? 'no space' : 'enough space', faults };
}

/** Registers schedules that never tick here, and remembers which were accepted. */
function registrar(url: string) {
  const taken: string[] = [];
  const faults: string[] = [];
  const owner = `${url}/v1/owners/disk`;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  let asked = 0;
  return {
    taken,
    faults,
    refused: () => asked - taken.length,
    async put(name: string) {
      asked += 1;
      const inputs = Array.from({ length: 80 }, (_, index) => ({ url: `https://shop.example.com/${name}/${index}` }));
      const body = JSON.stringify({ collector: 'c_prices', cron: '0 3 1 1 *', inputs });
      const answer = await fetch(`${owner}/schedules/${name}`, { method: 'PUT', headers, body });
      const text = await answer.text();
      if (answer.ok) taken.push(name);
      else faults.push(...expected(`words in "${text}"`, true, answer.status >= 500 && text.includes('"found"')));
    },
    async listed(): Promise<string[]> {
      const answer = await fetch(owner, { headers });
      const { schedules } = (await answer.json()) as { schedules: { name: string }[] };
      return schedules.map(({ name }) => name).toSorted();
    },
  };
}
