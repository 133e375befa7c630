/** Kills `webdata receive` while it takes deliveries, and delivers unanswered ones again, as the service does. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { openFolder } from '../../src/keeping/folder.ts';
import { recordName } from '../../src/keeping/record.ts';
import { filesIn, kept, open, post, sending } from '../../test/receiver/helpers.ts';
import type { CampaignStage } from '../frame/campaign.ts';
import { expected, isJson } from './checks.ts';
import { saidBy, startVictim, wasKilled } from './killed.ts';
import type { Kind, Played } from './kind.ts';
import { filePoints, type Point } from './points.ts';

export const receiver: Kind = {
  name: 'receiver',
  holds:
    'what was answered with 200 is stored completely; the next receiver accepts the rest; each delivery is one complete file; the record can be read line by line',
  spanMs: 120,
  async boundaries(stage) {
    const folder = await mkdtemp(join(stage.folder, 'receiver-'));
    const list = join(stage.folder, 'receiver-operations');
    const { child, finished } = await delivered(folder, undefined, list);
    child.kill('SIGKILL');
    await finished;
    return filePoints(list);
  },
  play: playReceiver,
};

export const deliveries = ['first', 'second', 'third'].map((name, index) => ({
  path: `/acme/${name}`,
  text: JSON.stringify(Array.from({ length: 2000 }, (_, row) => ({ name, row, value: (row * 7919 + index) % 10_007 }))),
}));

/** Sends all deliveries, each in two parts, and collects those that are answered with 200. */
async function delivered(folder: string, point: Point | undefined, list?: string) {
  const victim = { cwd: folder, env: {}, under: join(folder, 'kept') };
  const running = startVictim(['receive', '--port', '0', '--folder', 'kept'], victim, point, list);
  const [url] = (await saidBy(running, /http:\/\/\S+?\/(?=,)/)) ?? [];
  const answered = new Set<string>();
  if (url === undefined) return { ...running, answered };
  if (point?.at === 'instant') void sleep(point.ms).then(() => running.child.kill('SIGKILL'));
  for (const { path, text } of deliveries) {
    const body = gzipSync(text);
    const { outgoing, answer } = sending(url, { path, headers: { 'content-encoding': 'gzip' } });
    outgoing.write(body.subarray(0, body.length / 2));
    await sleep(10);
    outgoing.end(body.subarray(body.length / 2));
    if ((await answer.catch(() => undefined))?.status === 200) answered.add(path);
  }
  return { ...running, answered };
}

async function playReceiver(stage: CampaignStage, point: Point): Promise<Played> {
  const folder = await mkdtemp(join(stage.folder, 'receiver-'));
  const keptFolder = join(folder, 'kept');
  const { child, finished, answered } = await delivered(folder, point);
  // The process has ended, so later answers do not matter.
  await Promise.race([finished, sleep(2000)]);
  const isAlive = child.exitCode === null && child.signalCode === null;
  child.kill('SIGKILL');
  const killed = wasKilled(await finished) && !isAlive;
  const found = await wholeOnes(keptFolder);
  const again = await deliverAgain(keptFolder, answered);
  const faults = [
    ...expected(
      'answered, and not there after the kill',
      [],
      [...answered].filter((path) => !found.has(path)),
    ),
    ...again,
    ...(await tidyFaults(keptFolder)),
  ];
  await rm(folder, { recursive: true });
  return { killed, faults };
}

export async function wholeOnes(folder: string): Promise<Set<string>> {
  const texts = new Set(Object.values(await kept(folder).catch(() => ({}))));
  return new Set(deliveries.filter(({ text }) => texts.has(text)).map(({ path }) => path));
}

/** Delivers to a receiver in this process. */
export async function deliverAgain(folder: string, answered: ReadonlySet<string>): Promise<string[]> {
  await using next = await open({ destination: await openFolder(folder) });
  const faults: string[] = [];
  for (const { path, text } of deliveries) {
    if (answered.has(path)) continue;
    const { status } = await post(next.url, text, { path });
    faults.push(...expected(`the answer to ${path}, delivered again`, 200, status));
  }
  return faults;
}

export async function tidyFaults(folder: string): Promise<string[]> {
  const texts = Object.values(await kept(folder)).toSorted();
  const lines = (await readFile(join(folder, recordName), 'utf8')).split('\n').filter((line) => line !== '');
  const whole = lines.filter(isJson).map((line) => (JSON.parse(line) as { file: string }).file);
  const files = (await filesIn(folder)).filter((file) => file !== recordName);
  return [
    ...expected(
      'what is kept',
      deliveries
        .map(({ text }) => text)
        .toSorted()
        .map(digest),
      texts.map(digest),
    ),
    ...expected('what is left of what was being received', [], await readdir(join(folder, '.receiving'))),
    ...expected(
      'files without a line in the record',
      [],
      files.filter((file) => !whole.includes(file)),
    ),
    ...expected('lines of the record that were cut off: at most one', true, lines.length - whole.length <= 1),
  ];
}

function digest(text: string): string {
  return `${text.slice(0, 20)}… (${text.length})`;
}
