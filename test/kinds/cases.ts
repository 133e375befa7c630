/** One case for each kind, built-in or not: a declaration, a change without the tool, and a Pulumi program. */
import './sampleKind/provides.ts';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { collectorSchedule } from '../../src/kinds/collectorSchedule/kind.ts';
import { managerSettings } from '../../src/kinds/managerSettings/kind.ts';
import type { AnyKind } from '../../src/kinds/seam/kind.ts';
import { webhookDelivery } from '../../src/kinds/webhookDelivery/kind.ts';
import { zoneIpAllocation } from '../../src/kinds/zoneIpAllocation/kind.ts';
import { openRegistering, type Registering } from '../cli/registrations/registrations.ts';
import { owner } from '../triggers/serving.ts';
import { type Relay, startRelay } from './relay.ts';
import { banner } from './sampleKind/kind.ts';
import { type BannerServer, startBannerServer } from './sampleKind/server.ts';

/** An account, a manager, a trigger service and a banner server, each behind a relay. */
export interface ConformancePlace extends Pick<Registering, 'serving' | 'folder' | 'write' | 'read'>, AsyncDisposable {
  emulator: Registering['emulator'];
  banners: BannerServer;
  /** The URL of the banner server. */
  bannerUrl: string;
  env: Readonly<Record<string, string>>;
  /** Writes webdata.yaml with this resource. */
  declare(text: string): Promise<void>;
  webdata: Registering['webdata'];
  /** All writes so far, whichever server they were sent to. */
  writes(): string[];
  loseNextAnswer(): void;
  /** Refuses the write with this number to each server. */
  refuseWrite(number: number): void;
  /** Makes everything as it was when it was opened, so that cases can share it: the servers are what takes long to start. */
  reset(): Promise<void>;
}

export async function openConformancePlace(): Promise<ConformancePlace> {
  const [registering, banners] = await Promise.all([openRegistering(), startBannerServer()]);
  const { emulator, serving, folder } = registering;
  const zones = Object.keys(emulator.state().zones ?? {}).map((zone) => [zone, emulator.ips(zone)] as const);
  const settings = emulator.settings();
  const relays = await Promise.all(
    [emulator.apiUrl, emulator.managerUrl, serving.url, banners.url].map((url) => startRelay(url)),
  );
  const [api, manager, triggers, bannerRelay] = relays as [Relay, Relay, Relay, Relay];
  const env = {
    WEBDATA_API_URL: api.url,
    WEBDATA_MANAGER_URL: manager.url,
    WEBDATA_TRIGGERS_URL: triggers.url,
  };
  return {
    ...registering,
    banners,
    bannerUrl: bannerRelay.url,
    env,
    webdata: (...args) => registering.webdataWith(env, ...args),
    writes: () => relays.flatMap(({ writes }) => writes),
    loseNextAnswer() {
      for (const relay of relays) relay.loseNextAnswer();
    },
    refuseWrite(number) {
      for (const relay of relays) relay.refuseWrite(number);
    },
    async reset() {
      for (const [zone, ips] of zones)
        emulator.move(
          ips.filter((ip) => !emulator.ips(zone).includes(ip)),
          zone,
        );
      emulator.setSettings(settings);
      const { deliveries, schedules } = await serving.registry.records(owner);
      for (const { name } of schedules) await serving.registry.deleteSchedule(owner, name);
      for (const { name } of deliveries) await serving.registry.deleteDelivery(owner, name);
      banners.banners.clear();
      for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true });
      for (const relay of relays) {
        relay.writes.length = 0;
        relay.refuseWrite(0);
      }
    },
    async [Symbol.asyncDispose]() {
      for (const relay of relays) await relay[Symbol.asyncDispose]();
      await banners[Symbol.asyncDispose]();
      await registering[Symbol.asyncDispose]();
    },
  };
}

export interface KindCase {
  kind: AnyKind;
  /** The resource, named `it`, as YAML and JSON at once. */
  spec(place: ConformancePlace): object;
  /** The same resource, declared otherwise where `disturb` changes it. */
  changed(place: ConformancePlace): object;
  /** Something else changes the live object, so that a call of this kind is needed again. */
  disturb(place: ConformancePlace): Promise<unknown>;
  /** The resource can be removed by a call. */
  isRemovable: boolean;
  /** What a Pulumi program declares beside the spec. */
  identity?: object;
  /** A field that `changed` and `disturb` change, and that can be ignored on every front. */
  ignored?: string;
  /** A spec with a secret, which is nowhere shown. */
  secret?: { spec: object; canary: string };
  /** A spec that needs two calls. */
  inTwoCalls?: object;
  /** The guards of the kind: specs that break one at once, after `violate`, and when they are removed. */
  guarded?: {
    refusedSpec: object;
    spec: object;
    violate(place: ConformancePlace): Promise<unknown>;
    keptSpec: object;
    reason: RegExp;
  };
}

const twoMoves = {
  zones: { checkout: { ips: ['192.0.2.10', '192.0.2.11', '192.0.2.12'] } },
  sources: ['pricing', 'parked'],
};
const canary = 'Bearer canary-4711-promises';
const hourly = { collector: 'c_prices', every: '1h', inputs: [{ url: 'https://shop.example.com/a' }] };

export const kindCases: readonly KindCase[] = [
  {
    kind: zoneIpAllocation,
    spec: () => ({ zones: { checkout: { ips: ['192.0.2.10', '192.0.2.11'] } }, sources: ['pricing', 'parked'] }),
    changed: () => ({
      zones: { pricing: { ips: ['192.0.2.10'] }, checkout: { ips: ['192.0.2.11'] } },
      sources: ['parked'],
    }),
    disturb: async ({ emulator }) => emulator.move(['192.0.2.10'], 'parked'),
    isRemovable: false,
    inTwoCalls: { zones: { checkout: { ips: ['192.0.2.10', '192.0.2.77'] } }, sources: ['pricing', 'archive'] },
    guarded: {
      refusedSpec: { ...twoMoves, maxMoves: 1 },
      spec: { ...twoMoves, maxMoves: 2 },
      violate: async ({ emulator }) => emulator.move(['192.0.2.12'], 'parked'),
      keptSpec: { ...twoMoves, sources: ['pricing'], spare: 'parked', onDelete: 'release', protect: ['192.0.2.10'] },
      reason: /would move/,
    },
  },
  {
    kind: managerSettings,
    spec: () => ({ logs: 500, whitelistIps: ['10.0.0.0/8'] }),
    changed: () => ({ logs: 600, whitelistIps: ['10.0.0.0/8'] }),
    disturb: async ({ emulator }) => emulator.setSettings({ logs: 7 }),
    isRemovable: false,
    ignored: 'logs',
  },
  {
    kind: webhookDelivery,
    spec: () => ({ endpoint: 'https://hooks.example.com/webdata' }),
    changed: () => ({ endpoint: 'https://hooks.example.com/changed' }),
    disturb: ({ serving }) =>
      serving.call('PUT', `/v1/owners/${owner}/deliveries/it`, { endpoint: 'https://hooks.example.com/other' }),
    isRemovable: true,
    identity: { name: 'it', owner },
    secret: { spec: { endpoint: 'https://hooks.example.com/webdata', authorization: canary }, canary },
  },
  {
    kind: collectorSchedule,
    spec: () => hourly,
    changed: () => ({ ...hourly, every: '3h' }),
    disturb: ({ serving }) => serving.call('PUT', `/v1/owners/${owner}/schedules/it`, { ...hourly, every: '2h' }),
    isRemovable: true,
    identity: { name: 'it', owner },
  },
  {
    kind: banner,
    spec: ({ bannerUrl }) => ({ server: bannerUrl, text: 'Closed on Sundays' }),
    changed: ({ bannerUrl }) => ({ server: bannerUrl, text: 'Always open' }),
    disturb: async ({ banners }) => banners.banners.set('it', 'Open on Sundays'),
    isRemovable: true,
    identity: { banner: 'it' },
  },
];
