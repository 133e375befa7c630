/** A spinner on stderr for work that takes longer than a second, with a clock. Shown only on a terminal. */
import yoctoSpinner from 'yocto-spinner';
import { printableLine } from '../../base/values/printable.ts';
import type { Pause } from '../../client/transport/requestedPauses.ts';
import { pauseText } from '../../engine/doors/run.ts';
import type { Io } from '../output/io.ts';

const clockMs = 1_000;

/** Returns the text of a step now, such as `call 4 of 8, 12 s`. Waits are limited, and `leftMs` is what is left of the current one. */
type StepText = (leftMs: number) => string;

interface Work {
  name: string;
  text: StepText;
  leftMs: number;
  spinner: Spinner;
}

type Streams = Pick<Io, 'stderr' | 'signal'>;

/** The work that a stream shows. */
const shown = new WeakMap<Io['stderr'], Work>();

/** Shows a step of the work that is in progress; with `during`, only if the work has this name. */
export function showStep({ stderr }: Pick<Io, 'stderr'>, text: StepText, during?: string): void {
  const work = shown.get(stderr);
  if (work !== undefined && (during ?? work.name) === work.name) work.text = text;
}

/** Shows what is left of the wait that is in progress, if its step shows that. */
export function showWaitLeft({ stderr }: Pick<Io, 'stderr'>, leftMs: number): void {
  const work = shown.get(stderr);
  if (work !== undefined) work.leftMs = leftMs;
}

/** Shows that calls wait because a server limits requests: a terminal shows what is left of the wait, anything else gets a line. */
export function showPause({ stderr }: Pick<Io, 'stderr'>, pause: Pause): void {
  const work = shown.get(stderr);
  if (work === undefined) stderr.write(printableLine(pauseText(pause)));
  else work.spinner.showPause(pause);
}

/** Returns a function that returns the whole seconds since this moment, such as `12 s`. */
export function startClock(): () => string {
  const begun = performance.now();
  return () => `${Math.round((performance.now() - begun) / 1000)} s`;
}

/** Shows work and its clock until it has ended. Work within other work is shown in its place. */
export async function withProgress<T>(name: string, io: Streams, action: () => Promise<T>): Promise<T> {
  const { stderr } = io;
  if (stderr !== process.stderr || !stderr.isTTY) return action();
  const clock = startClock();
  const outer = shown.get(stderr);
  const spinner = outer?.spinner ?? new Spinner(io);
  shown.set(stderr, { name, text: () => `${name}, ${clock()}`, leftMs: 0, spinner });
  try {
    return await action();
  } finally {
    if (outer !== undefined) shown.set(stderr, outer);
    else spinner[Symbol.dispose]();
  }
}

class Spinner implements Disposable {
  readonly #io: Streams;
  // By default, the spinner ends the process at the first interrupt, before the calls in flight have their answers.
  readonly #drawn = yoctoSpinner({ handleSignals: false });
  readonly #clock = setInterval(() => this.#draw(), clockMs);
  #pause: { server: string; until: number | undefined } | undefined;

  constructor(io: Streams) {
    this.#io = io;
    // The second interrupt ends the process at once, and the terminal would stay without a cursor.
    process.on('exit', this.#end);
  }

  showPause({ server, ms }: Pause): void {
    this.#pause = { server: new URL(server).host, until: ms && performance.now() + ms };
  }

  #draw(): void {
    const { stderr, signal } = this.#io;
    const work = shown.get(stderr);
    if (work === undefined) return;
    const text = `${signal.aborted ? 'interrupted: ' : ''}${this.#withPause(work.text(work.leftMs))}`;
    // Some terminals say that they have no columns.
    const width = (stderr.columns || 80) - '⠋ '.length;
    this.#drawn.start();
    this.#drawn.text = text.length > width ? `${text.slice(0, width - 1)}…` : text;
  }

  /** The wait comes first, because long texts are cut. */
  #withPause(text: string): string {
    if (this.#pause === undefined) return text;
    const { server, until } = this.#pause;
    if (until === undefined) return `${text} · ${server} limits requests`;
    const left = Math.ceil((until - performance.now()) / 1000);
    return left > 0 ? `${server} limits requests, waiting (${left} s left) · ${text}` : text;
  }

  readonly #end = () => {
    clearInterval(this.#clock);
    this.#drawn.stop();
  };

  [Symbol.dispose](): void {
    this.#end();
    process.off('exit', this.#end);
    shown.delete(this.#io.stderr);
  }
}
