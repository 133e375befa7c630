/** A store in memory, with a hand on its clock and on its failures. */
import type { ObjectStore } from '../../../src/engine/backend/store.ts';

export interface MemoryStore extends ObjectStore {
  objects: Map<string, { text: string; version: string; at: number }>;
  /** Runs before each request; it may throw, or wait. */
  before: (request: string, key: string) => Promise<void> | void;
  /** The timeline of the database that it stands for. */
  onTimeline: number | undefined;
  /** Makes all objects older. */
  age(ms: number): void;
}

export function memoryStore(): MemoryStore {
  const objects: MemoryStore['objects'] = new Map();
  let versions = 0;
  const put = (key: string, text: string) => {
    const version = String(++versions);
    objects.set(key, { text, version, at: Date.now() });
    return version;
  };
  const store: MemoryStore = {
    address: 'memory://test',
    objects,
    before: () => undefined,
    onTimeline: undefined,
    timeline: async () => store.onTimeline,
    age(ms) {
      for (const object of objects.values()) object.at -= ms;
    },
    async read(key) {
      await store.before('read', key);
      const found = objects.get(key);
      return found && { text: found.text, version: found.version, ageMs: Date.now() - found.at };
    },
    async create(key, text) {
      await store.before('create', key);
      return objects.has(key) ? undefined : put(key, text);
    },
    async replace(key, text, version) {
      await store.before('replace', key);
      return objects.get(key)?.version === version ? put(key, text) : undefined;
    },
    async remove(keys) {
      await store.before('remove', keys.join(' '));
      for (const key of keys) objects.delete(key);
    },
    async *list(prefix, { after = '' } = {}) {
      await store.before('list', prefix);
      yield* [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
    },
    async close() {},
  };
  return store;
}
