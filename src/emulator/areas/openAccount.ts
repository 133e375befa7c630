/** Routes that public clients of such a service call, and that the specification does not have: about zones, their costs and the balance. */
import { Refusal } from '../core/refusal.ts';
import type { World } from '../core/world.ts';
import { optionalQueryOf, queryOf, type Route, type RouteAnswer, type RouteCall } from '../http/route.ts';

export function openAccountRoutes(): Route[] {
  const common = { server: 'api', method: 'GET', access: 'readers' } as const;
  return [
    { ...common, name: 'zone/get_active_zones', path: '/zone/get_active_zones', handle: activeZones },
    { ...common, name: 'zone', path: '/zone', handle: zoneDetails },
    { ...common, name: 'zone/cost', path: '/zone/cost', handle: cost },
    { ...common, name: 'customer/balance', path: '/customer/balance', handle: balance },
  ];
}

/** The types of zones as these routes name them. */
const wireTypes = {
  datacenter: 'dc',
  isp: 'isp',
  search: 'serp',
  unlocker: 'unblocker',
  residential: 'res_rotating',
  mobile: 'mobile',
  browser: 'browser_api',
} as const;

/** Answers `[{name, type}]`. */
function activeZones({ zones }: World): RouteAnswer {
  return { body: [...zones].map(([name, { type }]) => ({ name, type: wireTypes[type] })) };
}

/** Answers the details of a zone, with its password. */
function zoneDetails({ zones, inventory }: World, call: RouteCall): RouteAnswer {
  const name = queryOf(call, 'zone');
  const zone = zones.get(name);
  if (zone === undefined) throw new Refusal('unknown-zone', name);
  const { type, password, plan, created } = zone;
  const held = inventory.contents(name).map(({ ip }) => ip);
  return {
    body: {
      created,
      password: [password],
      ips: held,
      plan: {
        product: wireTypes[type],
        type: held.length > 0 ? 'static' : 'rotating',
        ips_type: 'shared',
        ips: plan.ips,
        bandwidth: plan.bandwidth,
        start: created,
      },
      perm: 'country',
      description: '',
    },
  };
}

const period = /^\d{4}-\d{2}-\d{2}$/;

/** Answers bytes and money by account and period: the current month and day, or the period that is asked for. */
function cost({ account, zones }: World, call: RouteCall): RouteAnswer {
  const name = optionalQueryOf(call, 'zone');
  const [from, to] = [optionalQueryOf(call, 'from'), optionalQueryOf(call, 'to')];
  for (const day of [from, to]) {
    if (day !== undefined && !period.test(day)) throw new Refusal('invalid-request', `${day} is not a date`);
  }
  if (name !== undefined && !zones.has(name)) throw new Refusal('unknown-zone', name);
  const asked = [...zones].filter(([zone]) => name === undefined || zone === name).map(([, { spent }]) => spent);
  const total = {
    bw: asked.reduce((sum, { bw }) => sum + bw, 0),
    cost: asked.reduce((sum, { cost: zoneCost }) => sum + zoneCost, 0),
  };
  const nothing = { bw: 0, cost: 0 };
  const periods =
    from === undefined && to === undefined
      ? { back_m0: total, back_m1: nothing, back_d0: total, back_d1: nothing }
      : { custom: total };
  return { body: { [account.id]: periods } };
}

function balance({ account }: World): RouteAnswer {
  const { amount, pending } = account.balance;
  return { body: { balance: amount, pending_balance: pending } };
}
