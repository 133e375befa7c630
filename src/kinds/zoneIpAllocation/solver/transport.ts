/** The transport problem with a fixed number of moves: finds the shipments through given pairs of zones, if there are any. */
import type { Demand, Supply } from './demand.ts';
import type { Filling } from './fill.ts';
import { FlowNetwork } from './maxFlow.ts';
import type { PairSet, Shipment } from './pairs.ts';

export type Pair = Pick<Shipment, 'from' | 'to'>;

/** A route from one supply to a deficit or to the spare. */
interface Lane extends Pair {
  supply: Supply;
  /** Index of the deficit it serves; `undefined` when it leads to the spare. */
  deficit?: number;
  capacity: number;
}

/** The total that a zone takes or must give, and for which it needs pairs. */
export interface Load {
  end: 'from' | 'to';
  zone: string;
  amount: number;
}

export class TransportProblem {
  readonly lanes: readonly Lane[];
  readonly loads: readonly Load[];
  readonly #demand: Demand;
  /** The number of IPs that must leave and that no zone needs. */
  readonly #leftOver: number;
  readonly #lacked: number;
  readonly #donated: number;

  constructor(demand: Demand, filling: Filling, spare: string | undefined) {
    this.#demand = demand;
    this.#leftOver = sum(filling.leftOver.map(({ amount }) => amount));
    this.#lacked = sum(demand.deficits.map(({ need }) => need));
    const must = sum(demand.surpluses.map((surplus) => surplus.must));
    this.#donated = this.#lacked - (must - this.#leftOver);
    this.lanes = [
      ...demand.surpluses.flatMap(({ supplies }) => supplies).flatMap((supply) => this.#lanesOf(supply, spare)),
      ...demand.donors.flatMap((supply) => this.#lanesOf(supply, undefined)),
    ];
    this.loads = [
      ...demand.surpluses.map(({ zone, must: amount }): Load => ({ end: 'from', zone, amount })),
      ...demand.deficits.map(({ zone, need: amount }): Load => ({ end: 'to', zone, amount })),
      ...(spare === undefined ? [] : [{ end: 'to' as const, zone: spare, amount: this.#leftOver }]),
    ];
  }

  #lanesOf(supply: Supply, spare: string | undefined): Lane[] {
    const { zone: from, country, ips } = supply;
    const lanes = this.#demand.deficits.flatMap((deficit, index): Lane[] => {
      if (deficit.country !== undefined && deficit.country !== country) return [];
      return [{ supply, from, to: deficit.zone, deficit: index, capacity: Math.min(ips.length, deficit.need) }];
    });
    if (spare === undefined || this.#leftOver === 0) return lanes;
    return [...lanes, { supply, from, to: spare, capacity: Math.min(ips.length, this.#leftOver) }];
  }

  /** Returns the shipments through these pairs, or nothing if the pairs do not suffice. */
  shipThrough(pairs: PairSet): Shipment[] | undefined {
    const network = new FlowNetwork();
    const [source, sink, donors, spare] = [network.node(), network.node(), network.node(), network.node()];
    network.edge(source, donors, this.#donated);
    network.edge(spare, sink, this.#leftOver);
    const suppliers = new Map<Supply, number>();
    const supplier = (supply: Supply, from: number) => {
      const node = network.node();
      suppliers.set(supply, node);
      network.edge(from, node, supply.ips.length);
    };
    for (const { must, supplies } of this.#demand.surpluses) {
      const node = network.node();
      network.edge(source, node, must);
      for (const supply of supplies) supplier(supply, node);
    }
    for (const donor of this.#demand.donors) supplier(donor, donors);
    const takers = this.#demand.deficits.map(({ need }) => {
      const node = network.node();
      network.edge(node, sink, need);
      return node;
    });
    const open = this.lanes.filter(({ from, to }) => pairs.has(from, to));
    const used = open.map((lane) => {
      const taker = lane.deficit === undefined ? spare : (takers[lane.deficit] ?? spare);
      return { lane, edge: network.edge(suppliers.get(lane.supply) ?? source, taker, lane.capacity) };
    });
    if (network.augment(source, sink) < this.#lacked + this.#leftOver) return undefined;
    return used
      .map(({ lane, edge }) => ({
        from: lane.from,
        to: lane.to,
        country: lane.supply.country,
        amount: network.flow(edge),
      }))
      .filter(({ amount }) => amount > 0);
  }
}

export function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}
