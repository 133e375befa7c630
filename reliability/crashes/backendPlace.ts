/** An account whose runs are in a backend, a machine on which commands are killed, and other machines. */
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { type Emulator, startEmulator } from '../../src/emulator/index.ts';
import type { Finished } from '../../test/e2e/process.ts';
import type { CampaignStage } from '../frame/campaign.ts';
import { hoursOff, type Machine, newMachine } from '../races/machine.ts';
import type { CrashServer } from './crashStores.ts';
import { ended, startVictim } from './killed.ts';
import { movesAccount, movesDeclaration, placesOf, relayTo } from './moves.ts';
import type { Point } from './points.ts';

export interface BackendPlace extends AsyncDisposable {
  emulator: Emulator;
  /** Returns lines such as `198.18.0.1 in target0`, sorted. */
  places(): string[];
  /** Runs a command on the first machine, and kills it at the point if it gets there. */
  played(args: readonly string[], point: Point | undefined, list?: string): Promise<Finished>;
  /** Returns the number of writes of the last such command to the store. */
  writes(): number;
  /** Sets up another machine: a folder, a home, temporary files and a wrong clock of its own. */
  newMachine(name: string): Promise<Machine>;
}

/** The lock of a process that was killed blocks others for this long, and some seconds more. A busy machine must be able to renew it. */
const leaseMs = 4000;

export async function openBackendPlace(
  { folder: stage }: Pick<CampaignStage, 'folder'>,
  server: CrashServer,
): Promise<BackendPlace> {
  const [folder, store, emulator] = await Promise.all([
    mkdtemp(join(stage, 'machines-')),
    server.newStore(),
    startEmulator(movesAccount, { port: 0, managerPort: 0 }),
  ]);
  const { relay, armed } = await relayTo(emulator);
  const service = { WEBDATA_API_URL: relay.url, WEBDATA_MANAGER_URL: relay.url, WEBDATA_API_KEY: emulator.keys.ops };
  const machineWith = (name: string, env: Readonly<Record<string, string>>) =>
    newMachine(folder, name, movesDeclaration, { ...service, ...env }, store.isShared ? hoursOff(Math.random) : 0);
  const first = await machineWith('first', { ...store.victim, WEBDATA_LEASE_SECONDS: String(leaseMs / 1000) });

  return {
    emulator,
    places: () => placesOf(emulator),
    async played(args, point, list) {
      // Its clock is right: the program of the machine is not loaded.
      const { NODE_OPTIONS: _, ...env } = first.env;
      const victim = startVictim(args, { cwd: first.cwd, env, under: store.under }, point, list);
      const strike = () => victim.child.kill('SIGKILL');
      armed.at(point, strike);
      store.relay?.arm(point, strike);
      const finished = point === undefined ? await victim.finished : await ended(victim, point, relay.heard());
      armed.at(undefined, () => undefined);
      await Promise.all([relay.settled(), store.relay?.settled()]);
      return finished;
    },
    writes: () => store.relay?.writes() ?? 0,
    newMachine: (name) => machineWith(name, store.others),
    async [Symbol.asyncDispose]() {
      await Promise.all([relay.close(), store.relay?.close(), emulator.close()]);
    },
  };
}
