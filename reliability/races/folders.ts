/** The receiver on a folder that its reader empties, and on one that is moved away, replaced and put back. */
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { start } from '../../test/e2e/process.ts';
import { kept, post, record } from '../../test/receiver/helpers.ts';
import { expected } from '../crashes/checks.ts';
import { saidBy } from '../crashes/killed.ts';
import type { CampaignStage } from '../frame/campaign.ts';
import type { Race, Raced } from './race.ts';

export const folders: readonly Race[] = [
  {
    name: 'a receiver whose reader moves deliveries away, killed and doubled',
    holds: 'each delivery is stored once, and the record says which were repeated, also after a restart and for others',
    times: 30,
    short: 1,
    run: movedAway,
  },
  {
    name: 'a receiver whose folder is moved away, replaced and put back',
    holds:
      '500 with the cause while it is gone; what was answered with 200 is in one of the folders, without a restart',
    times: 30,
    short: 1,
    run: replaced,
  },
];

type Sent = ReturnType<typeof delivery>;

async function movedAway({ folder: parent, short }: CampaignStage, random: () => number): Promise<Raced> {
  const folder = join(await mkdtemp(join(parent, 'read-')), 'kept');
  const [faults, sent, read]: [string[], Sent[], string[]] = [[], [], []];
  const receivers = [await receiving(folder), await receiving(folder)];
  const any = () => Math.floor(random() * receivers.length);
  const repeats: string[] = [];
  for (let step = 0; step < (short ? 15 : 40); step += 1) {
    const [known, chance] = [sent[Math.floor(random() * sent.length)], random()];
    if (chance < 0.1) {
      const index = any();
      await receivers[index]?.end('SIGKILL');
      receivers[index] = await receiving(folder);
    } else if (chance < 0.3) {
      const files = await kept(folder);
      read.push(...Object.values(files));
      for (const file of Object.keys(files)) await rm(join(folder, file));
    } else {
      const next = chance < 0.65 && known !== undefined ? known : delivery(step, random);
      if (next === known) repeats.push(next.text);
      else sent.push(next);
      const { status } = await post(receivers[any()]?.url ?? '', next.text, { path: next.path });
      faults.push(...expected(`the answer to ${next.path}`, 200, status));
    }
  }
  read.push(...Object.values(await kept(folder)));
  const texts = sent.map(({ text }) => text);
  faults.push(...expected('stored, each once', texts.toSorted(), read.toSorted()));
  const again = (await record(folder)).filter((line) => line.again === true);
  faults.push(...expected('repeated, by the record', repeats.length, again.length));
  for (const { end } of receivers) faults.push(...expected('the exit code', 0, await end('SIGTERM')));
  return { cameTo: 'stored once', figures: { 'deliveries repeated to a reader': repeats.length }, faults };
}

/** Delivers all the time, as the service does: until the answer is 200. */
async function replaced({ folder: parent, short }: CampaignStage, random: () => number): Promise<Raced> {
  const place = await mkdtemp(join(parent, 'replaced-'));
  const [folder, away] = [join(place, 'kept'), join(place, 'away')];
  const { url, end } = await receiving(folder);
  const faults: string[] = [];
  const sent: Sent[] = [];
  let [isOver, refused] = [false, 0];
  const deliver = async () => {
    while (!isOver) {
      const one = delivery(sent.length, random);
      sent.push(one);
      for (let status = 0; status !== 200; ) {
        const answer = await post(url, one.text, { path: one.path });
        status = answer.status;
        if (status === 200) continue;
        refused += 1;
        const words = `Not kept: folder ${folder} cannot be written: the folder no longer exists.\n`;
        faults.push(...expected('the answer without a folder', [500, words], [status, answer.text]));
        await sleep(20);
      }
    }
  };
  const delivering = [deliver(), deliver()];
  for (let turn = 0; turn < (short ? 2 : 6); turn += 1) {
    await sleep(200 * random());
    await rename(folder, away);
    await sleep(200 * random());
    const isReplaced = random() < 0.5;
    if (isReplaced) await mkdir(folder);
    await sleep(200 * random());
    if (isReplaced) await rename(folder, join(place, `other${turn}`));
    await rename(away, folder);
  }
  isOver = true;
  await Promise.all(delivering);
  faults.push(...expected('the exit code', 0, await end('SIGTERM')));
  const stored = new Set(Object.values(await kept(place)));
  faults.push(...sent.filter(({ text }) => !stored.has(text)).map(({ path }) => `answered, and in no folder: ${path}`));
  return { cameTo: 'all stored', figures: { 'deliveries refused while there was no folder': refused }, faults };
}

/** Half of them name their run. */
function delivery(index: number, random: () => number) {
  const text = JSON.stringify(Array.from({ length: 50 }, (_, row) => ({ index, row, value: random() })));
  return { path: random() < 0.5 ? `/acme/${index}?run=j_${index}` : `/acme/${index}`, text };
}

async function receiving(folder: string) {
  const { child, finished } = start(['receive', '--port', '0', '--folder', folder], { cwd: '/', env: {} });
  const [url = ''] = (await saidBy({ child, finished }, /http:\/\/\S+?\/(?=,)/)) ?? [];
  return {
    url,
    async end(signal: NodeJS.Signals) {
      child.kill(signal);
      return (await finished).code;
    },
  };
}
