/**
 * Decides when a resource may write: once the program has declared its resources. An engine lets a resource be created as soon as it is declared, and
 * no call of its protocol says that it was the last one, so only silence shows it.
 */
import { setTimeout } from 'node:timers/promises';

/** A program declares independent resources at the same moment. Writing starts when nothing was declared for this long. */
const quietMs = 150;
/** While no resource writes, a resource waits this long for another declaration that could provide the IPs or registrations that it needs. */
const patienceMs = 1_000;
const pollMs = 25;

export class Declaring {
  #declaring = 0;
  #writing = 0;
  #lastDeclared = 0;
  /** The number of declarations and finished writes: each may help a resource that waits. */
  #events = 0;

  /** Runs a check or a diff: the program is still declaring resources. */
  async declare<T>(action: () => Promise<T>): Promise<T> {
    this.#declaring++;
    try {
      return await action();
    } finally {
      this.#declaring--;
      this.#events++;
      this.#lastDeclared = Date.now();
    }
  }

  /** Resolves once the program has stopped declaring resources. */
  quiet(): Promise<void> {
    return waitWhile(() => this.#declaring > 0 || Date.now() - this.#lastDeclared < quietMs);
  }

  /**
   * Yields when the program has stopped declaring resources, and again after each declaration or write of another resource, which may help one that
   * waits. Ends when nothing can help any more. Leave the loop with the first result that does not wait. One that `isAlone` does not depend on what is declared.
   */
  async *tries({ isAlone = false } = {}): AsyncGenerator<void, void> {
    for (;;) {
      if (!isAlone) await this.quiet();
      const seen = this.#events;
      let isWaiting = false;
      this.#writing++;
      try {
        yield;
        isWaiting = true;
      } finally {
        this.#writing--;
        if (!isWaiting) this.#events++;
      }
      const start = Date.now();
      const isPatient = () => this.#writing > 0 || Date.now() - Math.max(start, this.#lastDeclared) < patienceMs;
      await waitWhile(() => this.#events === seen && isPatient());
      if (this.#events === seen) return;
    }
  }
}

async function waitWhile(condition: () => boolean): Promise<void> {
  while (condition()) await setTimeout(pollMs);
}
