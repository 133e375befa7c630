/** Tables of IPv4 addresses that stay small and fast with millions of them. */
import { addressNumber, addressText } from './ipOrder.ts';

/** More distinct values than any table has: with an address of 32 bits, an entry still fits into the 53 bits of a whole number. */
const mostValues = 2 ** 21;

/**
 * A read-only map from IPv4 addresses to values of which there are few, in the order of the addresses. An entry takes 8 bytes; in a Map of
 * texts it would take about 100.
 */
export class AddressMap<Value> implements ReadonlyMap<string, Value> {
  /** Addresses that were given more than once, each with its values in the order in which the values were first given. */
  readonly repeated: ReadonlyMap<string, readonly Value[]>;
  /** Address × `mostValues` + the index of the value, ascending. One for each address. */
  readonly #entries: Float64Array;
  readonly #values: readonly Value[];

  private constructor(
    entries: Float64Array,
    values: readonly Value[],
    repeated: ReadonlyMap<string, readonly Value[]> = new Map(),
  ) {
    this.#entries = entries;
    this.#values = values;
    this.repeated = repeated;
  }

  /**
   * Makes a table. If an address is given more than once, `get` returns the one of its values that occurs first in `given`, with any
   * address; `repeated` has all. @throws RangeError for other text
   */
  static of<Value>(given: Iterable<readonly [string, Value]>): AddressMap<Value> {
    return AddressMap.filled((add) => {
      for (const [ip, value] of given) add(ip, value);
    });
  }

  /** Returns the same for entries that are added one by one, without an object for each. */
  static filled<Value>(fill: (add: (ip: string, value: Value) => void) => void): AddressMap<Value> {
    const indexes = new Map<Value, number>();
    let entries = new Float64Array(64);
    let size = 0;
    let isAscending = true;
    fill((ip, value) => {
      let index = indexes.get(value);
      if (index === undefined) {
        index = indexes.size;
        indexes.set(value, index);
      }
      const address = addressNumber(ip);
      if (address === undefined || index >= mostValues) throw new RangeError(`${ip} cannot be an entry`);
      if (size === entries.length) entries = enlarged(entries);
      entries[size] = address * mostValues + index;
      isAscending &&= size === 0 || addressIn(entries, size - 1) < address;
      size += 1;
    });
    return AddressMap.#distinct(entries.slice(0, size), isAscending, [...indexes.keys()]);
  }

  /**
   * Returns the addresses of all tables, each with the value given for its table. Copies the numbers of the addresses, and makes no texts.
   */
  static joined<Value>(tables: Iterable<readonly [Value, AddressMap<unknown>]>): AddressMap<Value> {
    const given = [...tables];
    const entries = new Float64Array(given.reduce((sum, [, { size }]) => sum + size, 0));
    let size = 0;
    let isAscending = true;
    for (const [index, [, table]] of given.entries()) {
      for (let at = 0; at < table.size; at += 1) {
        const address = addressIn(table.#entries, at);
        entries[size] = address * mostValues + index;
        isAscending &&= size === 0 || addressIn(entries, size - 1) < address;
        size += 1;
      }
    }
    const values = given.map(([value]) => value);
    return AddressMap.#distinct(entries, isAscending, values);
  }

  /** Keeps the first entry of each address, and moves those that come more than once to `repeated`. */
  static #distinct<Value>(
    entries: Float64Array<ArrayBuffer>,
    isAscending: boolean,
    values: readonly Value[],
  ): AddressMap<Value> {
    if (isAscending) return new AddressMap(entries, values);
    const sorted = entries.sort();
    const repeated = new Map<string, Value[]>();
    let kept = 0;
    for (let at = 0; at < sorted.length; at += 1) {
      const value = values[valueIn(sorted, at)] as Value;
      if (kept > 0 && addressIn(sorted, kept - 1) === addressIn(sorted, at)) {
        const ip = addressText(addressIn(sorted, at));
        const known = repeated.get(ip) ?? [values[valueIn(sorted, kept - 1)] as Value];
        repeated.set(ip, known.includes(value) ? known : [...known, value]);
      } else {
        sorted[kept] = sorted[at] ?? 0;
        kept += 1;
      }
    }
    return new AddressMap(sorted.subarray(0, kept), values, repeated);
  }

  /** Returns the same addresses with other values. `change` is called once for each distinct value. */
  map<Other>(change: (value: Value) => Other): AddressMap<Other> {
    const repeated = [...this.repeated].map(([ip, values]) => [ip, values.map(change)] as const);
    return new AddressMap(this.#entries, this.#values.map(change), new Map(repeated));
  }

  /** Returns the addresses with certain values. `isWanted` is called once for each distinct value. */
  addressesOf(isWanted: (value: Value) => boolean): string[] {
    const wanted = this.#values.map(isWanted);
    if (!wanted.includes(true)) return [];
    const found = this.#entries.filter((_, at) => wanted[valueIn(this.#entries, at)]);
    return Array.from(found, (_, at) => addressText(addressIn(found, at)));
  }

  /** Returns the addresses that another table does not have. */
  addressesOutside(other: AddressMap<unknown>): string[] {
    const outside: string[] = [];
    for (let at = 0; at < this.size; at += 1) {
      const address = addressIn(this.#entries, at);
      if (other.#indexOf(address) === undefined) outside.push(addressText(address));
    }
    return outside;
  }

  /** Returns true if the tables have an address in common. Tables of separate ranges are compared at once. */
  overlaps(other: AddressMap<unknown>): boolean {
    if (this.size > other.size) return other.overlaps(this);
    if (this.size === 0 || this.#isBefore(other) || other.#isBefore(this)) return false;
    return this.#entries.some((_, at) => other.#indexOf(addressIn(this.#entries, at)) !== undefined);
  }

  /** Returns the number of addresses of each value that an address has. */
  counts(): Map<Value, number> {
    const counts = new Map<Value, number>();
    for (let at = 0; at < this.size; at += 1) {
      const value = this.#values[valueIn(this.#entries, at)] as Value;
      counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    return counts;
  }

  get size(): number {
    return this.#entries.length;
  }

  get(ip: string): Value | undefined {
    const at = this.#find(ip);
    return at === undefined ? undefined : this.#values[valueIn(this.#entries, at)];
  }

  has(ip: string): boolean {
    return this.#find(ip) !== undefined;
  }

  forEach(callback: (value: Value, ip: string, map: ReadonlyMap<string, Value>) => void): void {
    for (const [ip, value] of this) callback(value, ip, this);
  }

  *keys(): Generator<string, undefined> {
    for (let at = 0; at < this.size; at += 1) yield addressText(addressIn(this.#entries, at));
    return undefined;
  }

  *values(): Generator<Value, undefined> {
    for (let at = 0; at < this.size; at += 1) yield this.#values[valueIn(this.#entries, at)] as Value;
    return undefined;
  }

  *entries(): Generator<[string, Value], undefined> {
    for (let at = 0; at < this.size; at += 1) {
      yield [addressText(addressIn(this.#entries, at)), this.#values[valueIn(this.#entries, at)] as Value];
    }
    return undefined;
  }

  [Symbol.iterator](): Generator<[string, Value], undefined> {
    return this.entries();
  }

  toJSON(): [string, Value][] {
    return [...this];
  }

  #isBefore(other: AddressMap<unknown>): boolean {
    return addressIn(this.#entries, this.size - 1) < addressIn(other.#entries, 0);
  }

  #find(ip: string): number | undefined {
    const address = addressNumber(ip);
    return address === undefined ? undefined : this.#indexOf(address);
  }

  #indexOf(address: number): number | undefined {
    let [low, high] = [0, this.#entries.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (addressIn(this.#entries, middle) < address) low = middle + 1;
      else high = middle;
    }
    return low < this.#entries.length && addressIn(this.#entries, low) === address ? low : undefined;
  }
}

function enlarged(entries: Float64Array): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(entries.length * 2);
  larger.set(entries);
  return larger;
}

function addressIn(entries: Float64Array, at: number): number {
  return Math.floor((entries[at] ?? 0) / mostValues);
}

function valueIn(entries: Float64Array, at: number): number {
  return (entries[at] ?? 0) % mostValues;
}
