/** Two names for one account: runs under both at once, which want the same moves, and moves that are wanted again later. */
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startEmulator } from '../../src/emulator/index.ts';
import { expected, quiet } from '../crashes/checks.ts';
import { type CrashServer, crashStores } from '../crashes/crashStores.ts';
import { ipsOf, movesOver, placesOf } from '../crashes/moves.ts';
import type { CampaignStage } from '../frame/campaign.ts';
import { endedInWords } from './agreement.ts';
import { type Machine, newMachine } from './machine.ts';
import { type Race, type Raced, raceOn } from './race.ts';
import { migrations, sentTwice } from './turns.ts';

const moves = movesOver(3);
const settleMs = 1000;

export const twoNames: readonly Race[] = crashStores.map((store) =>
  raceOn(store, {
    name: `two names of an account at once on ${store.name}`,
    holds:
      'no move is sent twice; a run that is refused says so; once the listings have settled, either name makes what is left, and makes again what the other one made and a user took back',
    times: 14,
    short: 1,
    play,
  }),
);

async function play(stage: CampaignStage, random: () => number, server: CrashServer): Promise<Raced> {
  const [folder, { others: place, isShared }, emulator] = await Promise.all([
    mkdtemp(join(stage.folder, 'names-')),
    server.newStore(),
    startEmulator(moves.account, { port: 0, managerPort: 0 }),
  ]);
  try {
    const env = {
      WEBDATA_API_URL: emulator.apiUrl,
      WEBDATA_API_KEY: emulator.keys.ops,
      WEBDATA_LEASE_SECONDS: '3',
      ...(!isShared && { WEBDATA_STATE_FOLDER: `${folder}-machine` }),
      ...place,
    };
    const named = (name: string) => newMachine(folder, name, declared(name), env);
    const [one, other] = await Promise.all([named('main'), named('main-new')]);
    const apply = ({ run }: Machine) => run('apply', '--yes', '--format', 'json', '--lock-timeout', '60');
    // Both may look and list before either sends.
    emulator.addFault({ route: 'zone/ips', fault: { kind: 'delay', ms: Math.round(900 * random()) } });
    emulator.addFault({ route: 'zone/ips/migrate', fault: { kind: 'delay', ms: Math.round(1500 * random()) } });
    const stagger = Math.round(300 * random());
    const ends = await Promise.all([apply(one), sleep(stagger).then(() => apply(other))]);
    emulator.clearFaults();
    const atOnce = sentTwice(migrations(emulator));
    await sleep(3 * settleMs);
    const rest = await apply(random() < 0.5 ? one : other);
    const inPlace = placesOf(emulator, moves);
    for (const pair of moves.pairs) emulator.move(ipsOf(pair), `source${pair}`);
    await sleep(3 * settleMs);
    const again = await apply(random() < 0.5 ? one : other);
    const refused = ends.filter(({ code }) => code === 1).length;
    return {
      cameTo: refused === 0 ? 'none was refused' : `${refused} refused`,
      faults: [
        ...ends.flatMap((end) => endedInWords('a run at once', end)),
        ...expected('moves that were sent twice', [], atOnce),
        ...quiet('the apply of the rest', rest),
        ...expected('places after the rest', moves.after, inPlace),
        ...quiet('the apply after moves by hand', again),
        ...expected('places in the end', moves.after, placesOf(emulator, moves)),
      ],
      figures: { 'calls that moved IPs': migrations(emulator).length },
    };
  } finally {
    await emulator.close();
  }
}

function declared(account: string): string {
  const zones = moves.pairs.map((pair) => [`target${pair}`, { ips: ipsOf(pair) }]);
  const sources = moves.pairs.map((pair) => `source${pair}`);
  const service = { profile: { settleSeconds: settleMs / 1000 } };
  return JSON.stringify({
    account,
    service,
    zoneIpAllocations: { all: { zones: Object.fromEntries(zones), sources } },
  });
}
