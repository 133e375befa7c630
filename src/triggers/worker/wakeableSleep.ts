/** A sleep that can be ended, also before it was begun. */
export interface Nap {
  end(): void;
  take(ms: number): Promise<void>;
}

export function createNap(): Nap {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  return {
    end,
    async take(ms) {
      const { promise: elapsed, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, ms);
      await Promise.race([ended, elapsed]);
      clearTimeout(timer);
    },
  };
}
