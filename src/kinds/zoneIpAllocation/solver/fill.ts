/**
 * The fewest moves. IPs that have to leave their zone anyway are used first, because they cost no move of their own; spare and
 * sources give the rest. Both are one maximum flow, supplies → countries → zones that lack IPs, augmented twice: what the
 * first augmentation sends is never taken back by the second.
 */
import type { Deficit, Demand, Supply } from './demand.ts';
import { type EdgeRef, FlowNetwork } from './maxFlow.ts';

export interface Filling {
  /** The number of IPs that each supply gives to zones that lack some. */
  given: { supply: Supply; amount: number }[];
  received: { deficit: Deficit; country: string; amount: number }[];
  /** IPs beyond a count that no zone needs: they go to the spare. */
  leftOver: { supply: Supply; amount: number }[];
  unmet: { deficit: Deficit; missing: number }[];
}

export function fill({ surpluses, deficits, donors }: Demand): Filling {
  const network = new FlowNetwork();
  const source = network.node();
  const sink = network.node();
  const hubs = new Map<string, number>();
  const supplyEdges: { supply: Supply; edge: EdgeRef }[] = [];

  const offer = (supply: Supply, from: number) => {
    const hub = hubs.get(supply.country);
    if (hub !== undefined) supplyEdges.push({ supply, edge: network.edge(from, hub, supply.ips.length) });
  };
  for (const { country } of [...surpluses.flatMap((surplus) => surplus.supplies), ...donors]) {
    if (!hubs.has(country)) hubs.set(country, network.node());
  }
  const wanted = deficits.map((deficit) => connectDeficit(network, deficit, hubs, sink));
  for (const { must, supplies } of surpluses) {
    const node = network.node();
    network.edge(source, node, must);
    for (const supply of supplies) offer(supply, node);
  }
  network.augment(source, sink);
  for (const donor of donors) offer(donor, source);
  network.augment(source, sink);

  const given = supplyEdges.map(({ supply, edge }) => ({ supply, amount: network.flow(edge) }));
  const received = wanted.flatMap(({ deficit, edges }) =>
    edges.map(({ country, edge }) => ({ deficit, country, amount: network.flow(edge) })),
  );
  const givenBy = new Map(given.map(({ supply, amount }) => [supply, amount]));
  return {
    given: given.filter(({ amount }) => amount > 0),
    received: received.filter(({ amount }) => amount > 0),
    leftOver: surpluses.flatMap((surplus) => leftOverOf(surplus, givenBy)),
    unmet: wanted
      .map(({ deficit, total }) => ({ deficit, missing: deficit.need - network.flow(total) }))
      .filter(({ missing }) => missing > 0),
  };
}

function connectDeficit(network: FlowNetwork, deficit: Deficit, hubs: ReadonlyMap<string, number>, sink: number) {
  const node = network.node();
  const total = network.edge(node, sink, deficit.need);
  const fitting = [...hubs].filter(([country]) => deficit.country === undefined || deficit.country === country);
  const edges = fitting.map(([country, hub]) => ({ country, edge: network.edge(hub, node, deficit.need) }));
  return { deficit, total, edges };
}

function leftOverOf({ must, supplies }: Demand['surpluses'][number], given: ReadonlyMap<Supply, number>) {
  let rest = must - supplies.reduce((sum, supply) => sum + (given.get(supply) ?? 0), 0);
  return supplies.flatMap((supply) => {
    const amount = Math.min(rest, supply.ips.length - (given.get(supply) ?? 0));
    rest -= amount;
    return amount > 0 ? [{ supply, amount }] : [];
  });
}
