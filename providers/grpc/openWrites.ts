/** The writes in progress. A process that ends waits for them, because their outcome must reach the state. */
export class OpenWrites {
  readonly #writes = new Set<Promise<void>>();
  #lastEnd = Number.NEGATIVE_INFINITY;

  /** Returns true while a write is in progress, or its answer, which takes this long, may be on its way. */
  isBusy(answeringMs: number): boolean {
    return this.#writes.size > 0 || performance.now() - this.#lastEnd < answeringMs;
  }

  /** Counts a write until the end of the block: `using _ = writes.begin()`. */
  begin(): Disposable {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#writes.add(promise);
    return {
      [Symbol.dispose]: () => {
        this.#writes.delete(promise);
        this.#lastEnd = performance.now();
        resolve();
      },
    };
  }

  /** Resolves when no write is in progress. */
  async idle(): Promise<void> {
    while (this.#writes.size > 0) await Promise.all(this.#writes);
  }
}
