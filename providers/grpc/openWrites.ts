/** The writes in progress. A process that ends waits for them, because their outcome must reach the state. */
export class OpenWrites {
  readonly #writes = new Set<Promise<unknown>>();
  #lastEnd = Number.NEGATIVE_INFINITY;

  /** Returns true while a write is in progress, or its answer, which takes this long, may be on its way. */
  isBusy(answeringMs: number): boolean {
    return this.#writes.size > 0 || performance.now() - this.#lastEnd < answeringMs;
  }

  async run<Result>(write: () => Promise<Result>): Promise<Result> {
    const writing = write();
    this.#writes.add(writing);
    try {
      return await writing;
    } finally {
      this.#writes.delete(writing);
      this.#lastEnd = performance.now();
    }
  }

  /** Resolves when no write is in progress. */
  async idle(): Promise<void> {
    while (this.#writes.size > 0) await Promise.allSettled(this.#writes);
  }
}
