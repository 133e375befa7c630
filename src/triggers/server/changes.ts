/** Tells whoever watches that something has changed. One question at a time serves them all, and none is asked when nobody watches. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Totals } from '../model.ts';
import type { Registry } from '../registry.ts';

/** Undefined while the registry does not answer. */
export type News = (Totals & { now: number }) | undefined;

export interface Changes {
  readonly watchers: number;
  /** Told at once how things are, then whenever they have changed. Returns what ends it. */
  watch(tell: (news: News) => void): () => void;
}

export function watchChanges(registry: Registry, pollMs: number): Changes {
  const watchers = new Set<(news: News) => void>();
  let isAsking = false;
  let last: { news: News; key: string } | undefined;

  async function ask(): Promise<void> {
    const totals = await registry.totals().catch(() => undefined);
    const key = JSON.stringify(totals) ?? 'away';
    if (key === last?.key) return;
    const news = totals && { ...totals, now: await registry.now().catch(() => Date.now()) };
    last = { news, key };
    for (const tell of watchers) tell(news);
  }

  async function keepAsking(): Promise<void> {
    isAsking = true;
    while (watchers.size > 0) {
      await ask();
      await sleep(pollMs, undefined, { ref: false });
    }
    isAsking = false;
    last = undefined;
  }

  return {
    get watchers() {
      return watchers.size;
    },
    watch(tell) {
      watchers.add(tell);
      if (last !== undefined) tell(last.news);
      if (!isAsking) void keepAsking();
      return () => void watchers.delete(tell);
    },
  };
}
