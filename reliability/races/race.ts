/** A race between two or more processes, and the invariant for every order. */
import type { CrashServer, CrashStore } from '../crashes/crashStores.ts';
import type { CampaignStage } from '../frame/campaign.ts';

export interface Race {
  name: string;
  /** The invariant for every outcome. */
  holds: string;
  /** The requirement that this machine does not meet, if any. */
  lacks?: string | undefined;
  /** The number of runs, in the long and in the short form. */
  times: number;
  short: number;
  /** It needs the whole machine, and runs alone. */
  isLarge?: boolean;
  /** Wraps all its runs, for example in a server that they share. */
  around?<T>(runs: () => Promise<T>, stage: CampaignStage): Promise<T>;
  run(stage: CampaignStage, random: () => number): Promise<Raced>;
}

export interface Raced {
  /** The outcome in a word or two. The page counts each outcome. */
  cameTo: string;
  /** Counts of what happened, which the page adds up. */
  figures?: Readonly<Record<string, number>>;
  /** The violations. */
  faults: string[];
}

interface RaceOnStore extends Pick<Race, 'name' | 'holds' | 'times' | 'short'> {
  play(stage: CampaignStage, random: () => number, server: CrashServer): Promise<Raced>;
}

/** Returns a race whose runs share a server of this store. */
export function raceOn(store: CrashStore, { play, ...about }: RaceOnStore): Race {
  let server: CrashServer | undefined;
  return {
    ...about,
    lacks: store.lacks,
    async around(runs, stage) {
      await using opened = await store.open(stage);
      server = opened;
      return await runs();
    },
    run: async (stage, random) => {
      if (server === undefined) throw new Error('the store is not open');
      return play(stage, random, server);
    },
  };
}
