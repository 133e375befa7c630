/** Functions of the package: live data that programs read. */

import { z } from 'zod';
import { ProblemError } from '../../src/base/diagnostics/problem.ts';
import { parse } from '../../src/base/diagnostics/zodProblems.ts';
import { deliverySourceIps } from '../../src/client/areas/jobs/delivery.ts';
import { settingSchemas } from '../../src/client/areas/manager/settings.ts';
import { liveSettings } from '../../src/kinds/managerSettings/diff.ts';
import { registeredView } from '../../src/kinds/registered/view.ts';
import { accountView } from '../../src/kinds/seam/accountView.ts';
import { sortedIps } from '../../src/kinds/seam/ipOrder.ts';
import type { RegisteredSchedule } from '../../src/triggers/api/records.ts';
import type { Stack } from './stack.ts';

interface PackageFunction {
  description: string;
  inputs: z.ZodObject;
  outputs: z.ZodObject;
  call(inputs: never, stack: () => Stack): Promise<Readonly<Record<string, unknown>>>;
}

const zone = z.string().min(1).describe('Name of the zone.');

const getZoneIps = {
  description: 'Returns the static IPs that a zone holds.',
  inputs: z.object({ zone }),
  outputs: z.object({
    ips: z.array(z.string()).describe('Sorted by address.'),
    countries: z.record(z.string(), z.string()).describe('The country of each IP, in two letters.'),
  }),
  async call({ zone }: { zone: string }, stack: () => Stack) {
    // Another resource of the program may have changed the zone since it was last listed.
    const account = stack().run.live.withFreshAccount().view(accountView);
    const listing = (await account.list([zone])).get(zone) ?? new Map<string, { country: string }>();
    const ips = sortedIps(listing.keys());
    return { ips, countries: Object.fromEntries(ips.map((ip) => [ip, listing.get(ip)?.country ?? ''])) };
  },
} satisfies PackageFunction;

const getZones = {
  description: 'Returns the zones that were used lately, which may not be all.',
  inputs: z.object({}),
  outputs: z.object({ zones: z.array(z.string()).describe('Names of zones, sorted.') }),
  async call(_inputs: object, stack: () => Stack) {
    return { zones: Object.keys(await stack().run.live.client().zones.recentIps('*')).sort() };
  },
} satisfies PackageFunction;

const scheduled = z.object({
  name: z.string(),
  collector: z.string().optional(),
  dataset: z.string().optional(),
  cron: z.string().optional(),
  every: z.string().optional(),
  timeZone: z.string().optional(),
  paused: z.boolean(),
  nextTick: z.string().optional().describe('ISO 8601. Missing if there is none.'),
  lastTick: z.string().optional().describe('ISO 8601. Missing before the first one.'),
  lastRun: z.string().optional().describe('State of the run of that tick.'),
});

const getSchedules = {
  description: 'Returns the schedules of an owner in the trigger service, with their next and last ticks.',
  inputs: z.object({ owner: z.string().min(1).describe('Owner of the schedules.') }),
  outputs: z.object({ schedules: z.array(scheduled).describe('Sorted by name.') }),
  async call({ owner }: { owner: string }, stack: () => Stack) {
    const registered = stack().run.live.view(registeredView);
    registered.forget();
    const schedules = [...(await registered.of(owner)).schedules.values()].map(scheduleShown);
    return { schedules: schedules.toSorted((a, b) => (a.name < b.name ? -1 : 1)) };
  },
} satisfies PackageFunction;

function scheduleShown({ name, spec, nextTickAt, lastRun }: RegisteredSchedule): z.output<typeof scheduled> {
  const { collector, dataset, cron, every, timeZone, paused = false } = spec;
  const shown = {
    ...{ name, collector, dataset, cron, every, timeZone, paused },
    nextTick: nextTickAt === null ? undefined : new Date(nextTickAt).toISOString(),
    lastTick: lastRun === null ? undefined : new Date(lastRun.tickAt).toISOString(),
    lastRun: lastRun?.state,
  };
  return scheduled.parse(shown);
}

const getAsns = {
  description: 'Returns the autonomous systems that a zone can exit from.',
  inputs: z.object({ zone }),
  outputs: z.object({
    asns: z.array(z.object({ asn: z.int(), name: z.string() })).describe('Numbers and names.'),
  }),
  async call({ zone }: { zone: string }, stack: () => Stack) {
    const asns = await stack().run.live.client().reseller.asns(zone);
    return { asns: asns.map(({ asn, title }) => ({ asn: Number(/\d+/.exec(asn)?.[0]), name: title })) };
  },
} satisfies PackageFunction;

const getManagerSettings = {
  description: 'Returns the settings of a local proxy manager.',
  inputs: z.object({
    url: z.url().optional().describe('URL of the manager. Defaults to `managerUrl` of the configuration.'),
  }),
  outputs: z.object({ manager: z.string().describe('URL of the manager.'), settings: z.object(settingSchemas()) }),
  async call({ url }: { url?: string | undefined }, stack: () => Stack) {
    const manager = stack().run.live.manager(url);
    const { settings } = await manager.readSettings();
    return { manager: manager.url, settings: { ...liveSettings(settings) } };
  },
} satisfies PackageFunction;

const deliverySources = {
  description: 'Returns the addresses from which the service calls webhooks, for firewalls and security groups.',
  inputs: z.object({}),
  outputs: z.object({ ips: z.array(z.string()).describe('IPv4 addresses.') }),
  call: async () => ({ ips: [...deliverySourceIps] }),
} satisfies PackageFunction;

export const packageFunctions: Readonly<Record<string, PackageFunction>> = {
  getZoneIps,
  getZones,
  getSchedules,
  getAsns,
  getManagerSettings,
  deliverySourceIps: deliverySources,
};

/** Calls a function by its name. @throws ProblemError for an unknown name and for invalid arguments, with their paths; ServiceError */
export async function callFunction(
  name: string,
  args: Readonly<Record<string, unknown>>,
  stack: () => Stack,
): Promise<Readonly<Record<string, unknown>>> {
  const called = Object.hasOwn(packageFunctions, name) ? packageFunctions[name] : undefined;
  if (called === undefined) {
    const allowed = Object.keys(packageFunctions).join(', ');
    throw new ProblemError([
      { code: 'unknown-function', found: `${name} is not a function of this provider`, allowed },
    ]);
  }
  const parsed = parse(called.inputs, args);
  if (!parsed.ok) throw new InvalidArguments(parsed.problems);
  return called.call(parsed.value as never, stack);
}

/** Arguments that a function does not take. Paths begin at the arguments. */
export class InvalidArguments extends ProblemError {
  override name = 'InvalidArguments';
}
