/** Fake values that depend on a seed alone, so that the same request has the same answer, also after a restart. */
import { createHash } from 'node:crypto';

export interface FakeData {
  /** Returns a whole number from 0 up to `below`, by name. */
  number(name: string, below: number): number;
  /** Returns sixteen hexadecimal digits, by name. */
  hex(name: string): string;
  pick<Item>(name: string, items: readonly [Item, ...Item[]]): Item;
}

export function fakeDataFrom(seed: string): FakeData {
  const hashOf = (name: string) =>
    createHash('sha256')
      .update(JSON.stringify([seed, name]))
      .digest();
  const number: FakeData['number'] = (name, below) => hashOf(name).readUInt32BE() % below;
  return {
    number,
    hex: (name) => hashOf(name).toString('hex').slice(0, 16),
    pick: (name, items) => items[number(name, items.length)] ?? items[0],
  };
}
