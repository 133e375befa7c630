/** The servers campaign: attacks on the emulator, the trigger service and the receiver, each with its default options. */
import { setTimeout as sleep } from 'node:timers/promises';
import { deliverySourceIps } from '../../src/index.ts';
import type { Campaign, CampaignStage, Outcome } from '../frame/campaign.ts';
import { attemptsAt, made, written } from './attacks.ts';
import { machinesOwn, places, privateHosts } from './endpoints.ts';
import { hold, isOpen, say } from './raw.ts';
import { type AttackTarget, startTargets, type Targets } from './targets.ts';

export const servers: Campaign = {
  name: 'servers',
  about:
    'The API and the manager of the emulator, the trigger service and the receiver are attacked over loopback, byte by byte: with wrong authorization, names that resolve to this machine, requests from pages of other sites, malformed and oversized requests, hostile paths, unusual methods, made-up source addresses, endpoints on metadata services and private networks in every spelling, and hundreds of connections that stay silent or never finish a request. Each attack is rejected without details about the server, and correct requests are answered meanwhile.',
  repeat: 'npm run reliability -- servers',
  run,
};

/** The attempts, by kind, and the failures. */
interface Book {
  counts: Map<string, number>;
  failures: string[];
}

async function run(stage: CampaignStage): Promise<Outcome> {
  const book: Book = { counts: new Map(), failures: [] };
  await using targets = await startTargets(stage.folder);
  for (const target of targets.all) {
    await rightIsTaken(target, book);
    for (const attempt of attemptsAt(target))
      note(book, attempt.kind, `${target.name}: ${attempt.what}`, await made(target, attempt));
    stage.say(`${target.name}: ${book.failures.length} failures so far`);
  }
  await sourceAddresses(targets, book);
  await hostileEndpoints(targets, book);
  await strictPage(targets, book);
  for (const target of targets.all) await held(target, stage.short, book);
  for (const target of targets.all) await rightIsTaken(target, book);
  return { counts: [...book.counts], failures: book.failures };
}

function note({ counts, failures }: Book, kind: string, what: string, failure: string | undefined): void {
  counts.set(kind, (counts.get(kind) ?? 0) + 1);
  if (failure !== undefined) failures.push(`${kind}, ${what}: ${failure}`);
}

/** Checks that a correct request succeeds. Unless correct requests succeed, refusals prove nothing. */
async function rightIsTaken(target: AttackTarget, book: Book): Promise<void> {
  const { status } = await say(target.port, written(target));
  note(
    book,
    'correct requests accepted',
    target.name,
    status === target.status ? undefined : `expected ${target.status}, found ${status}`,
  );
}

/** Checks that the header is ignored without a proxy, and that only its last entry counts behind one. */
async function sourceAddresses({ all, receiver }: Targets, book: Book): Promise<void> {
  const [target] = all.filter(({ name }) => name === 'receiver');
  if (target === undefined) return;
  const [good = ''] = deliverySourceIps;
  const direct = await receiver({ onlyServiceAddresses: true });
  const proxied = await receiver({ onlyServiceAddresses: true, trustedProxies: 1 });
  const ask = async (port: number, header: string, value: string, expected: number) => {
    const { status } = await say(port, written(target, { [header]: value }));
    note(
      book,
      'source addresses',
      `${header}: ${value}`,
      status === expected ? undefined : `expected ${expected}, found ${status}`,
    );
  };
  for (const header of [
    'x-forwarded-for',
    'x-real-ip',
    'forwarded',
    'cf-connecting-ip',
    'true-client-ip',
    'x-client-ip',
  ]) {
    await ask(direct, header, header === 'forwarded' ? `for=${good}` : good, 403);
  }
  for (const value of [good, `${good}:1234`]) await ask(proxied, 'x-forwarded-for', value, 200);
  for (const value of [`${good}, 10.0.0.5`, `${good},`, '10.0.0.5', `${good}:x`, `::ffff:10.0.0.5`, '']) {
    await ask(proxied, 'x-forwarded-for', value, 403);
  }
}

async function hostileEndpoints({ register }: Targets, book: Book): Promise<void> {
  for (const [place, at] of Object.entries(places)) {
    for (const host of machinesOwn) {
      for (const allowPrivate of [false, true]) {
        await refused(
          `${place} at ${host}${allowPrivate ? ', private ones allowed' : ''}`,
          register(allowPrivate, at(`https://${host}/`)),
        );
      }
    }
    for (const host of privateHosts) await refused(`${place} at ${host}`, register(false, at(`https://${host}/`)));
    for (const url of [
      'file:///etc/passwd',
      'ftp://hooks.example.com/',
      'gopher://127.0.0.1:6379/',
      'http://hooks.example.com/',
      'javascript:1',
      '//evil.example',
      '',
    ]) {
      await refused(`${place} at ${url}`, register(true, at(url)));
    }
    const status = await register(false, at('https://hooks.example.com/'));
    note(
      book,
      'correct requests accepted',
      `${place} at a public name`,
      status === 200 ? undefined : `found ${status}`,
    );
  }
  async function refused(what: string, answer: Promise<number>): Promise<void> {
    const status = await answer;
    note(book, 'endpoints', what, status === 422 ? undefined : `expected 422, found ${status}`);
  }
}

async function strictPage({ all }: Targets, book: Book): Promise<void> {
  const [target] = all.filter(({ name }) => name === 'trigger service');
  const { headers } = await fetch(`http://127.0.0.1:${target?.port}/`);
  const policy = headers.get('content-security-policy') ?? '';
  const demands: [string, boolean][] = [
    ["default-src 'none'", policy.includes("default-src 'none'")],
    ["frame-ancestors 'none'", policy.includes("frame-ancestors 'none'")],
    ["base-uri 'none'", policy.includes("base-uri 'none'")],
    ["form-action 'none'", policy.includes("form-action 'none'")],
    ['trusted types', policy.includes("require-trusted-types-for 'script'")],
    ['nothing unsafe, and nothing from elsewhere', !/unsafe|\*|data:|https?:/.test(policy)],
    ['nosniff', headers.get('x-content-type-options') === 'nosniff'],
    ['no referrer', headers.get('referrer-policy') === 'no-referrer'],
  ];
  for (const [what, holds] of demands)
    note(book, 'requirements on the page', what, holds ? undefined : `found ${policy}`);
}

/** Holds connections open: correct requests are still answered, and slow headers time out. */
async function held(target: AttackTarget, short: boolean, book: Book): Promise<void> {
  const kinds = {
    'silent connections': '',
    'connections with unfinished headers': `POST ${target.right.path} HTTP/1.1\r\nhost: 127.0.0.1\r\nx-a: `,
  };
  for (const [kind, words] of Object.entries(kinds)) {
    const holding = await hold(target.port, short ? 250 : 1200, words);
    for (const _ of holding.sockets) note(book, kind, target.name, undefined);
    for (let asked = 0; asked < 5; asked += 1) {
      const { status } = await say(target.port, written(target), 10_000);
      note(
        book,
        'correct requests accepted',
        `${target.name}, among ${kind}`,
        status === target.status ? undefined : `found ${status}`,
      );
    }
    if (!short) await areEnded(target, holding.sockets, kind, book);
    holding.end();
  }
}

/** Checks that connections are closed. The limits are 15 s, checked every 5 s. */
async function areEnded(
  target: AttackTarget,
  sockets: Parameters<typeof isOpen>[0][],
  kind: string,
  book: Book,
): Promise<void> {
  for (const socket of sockets) socket.resume();
  const left = () => sockets.filter((socket) => isOpen(socket) && !socket.readableEnded).length;
  for (let seconds = 0; seconds < 40 && left() > 0; seconds += 1) await sleep(1000);
  note(
    book,
    'idle connections closed in time',
    `${target.name}, ${kind}`,
    left() === 0 ? undefined : `${left()} are open after 40 s`,
  );
}
