/** Work that is under way at once, so much and no more; nobody waits for it but whoever stops. */
export interface Crew {
  readonly free: number;
  add(work: Promise<void>): void;
  /** All that is under way has ended. */
  done(): Promise<void>;
}

export function createCrew(most: number, onEnd: () => void, onFailure: (error: unknown) => void): Crew {
  const underWay = new Set<Promise<void>>();
  return {
    get free() {
      return most - underWay.size;
    },
    add(work) {
      const tracked = work.catch(onFailure).finally(() => {
        underWay.delete(tracked);
        onEnd();
      });
      underWay.add(tracked);
    },
    async done() {
      await Promise.all(underWay);
    },
  };
}
