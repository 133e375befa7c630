/** The writes in progress. A process that ends waits for them, because their outcome must reach the state. */
export class OpenWrites {
  readonly #writes = new Set<Promise<unknown>>();

  get count(): number {
    return this.#writes.size;
  }

  async run<Result>(write: () => Promise<Result>): Promise<Result> {
    const writing = write();
    this.#writes.add(writing);
    try {
      return await writing;
    } finally {
      this.#writes.delete(writing);
    }
  }

  /** Resolves when no write is in progress. */
  async idle(): Promise<void> {
    while (this.#writes.size > 0) await Promise.allSettled(this.#writes);
  }
}
