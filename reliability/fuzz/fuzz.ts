/** `npm run fuzz`: a million inputs that nobody means well with, each to be taken or refused in words. */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import pLimit from 'p-limit';
import type { Campaign, Outcome, Stage } from '../frame/campaign.ts';
import { targets } from './targets.ts';
import { type Fault, mostFaults, type ThreadData } from './thread.ts';

export const fuzz: Campaign = {
  name: 'fuzz',
  about:
    'Inputs are made by mutating real examples, by changing the structure of JSON, and from patterns that are known to break parsers: aliases that multiply, depth, width, huge numbers, gzip that expands a thousandfold, names like `__proto__`, paths that lead out of a folder. Each input must be accepted, or be rejected with a message: no exceptions except typed ones, no stack traces, no terminal control characters, no secrets. No input may take more than 5 seconds, change a prototype, write or read a file outside the given folder, or need more memory than the limit. Each input is determined by its number: `node reliability/fuzz/one.ts TARGET NUMBER` runs one again.',
  repeat: 'npm run fuzz',
  run,
};

const heapMb = 512;
const mostSeconds = 5;
/** The tests run so much of it. */
const shortShare = 1 / 250;
/** Inputs of one target, tried by a thread after each other: a thread takes a second to begin. */
const pieceSize = 10_000;
/** Some wait for the disk or for a socket while others use a core. */
const threadsAtATime = 2 * availableParallelism();

interface Piece {
  name: string;
  from: number;
  to: number;
}

/** What all threads share. */
interface Fuzzing {
  stage: Stage;
  faults: (Fault & { name: string })[];
  /** How many run. */
  threads: number;
  mostMb: number;
}

async function run(stage: Stage): Promise<Outcome> {
  const share = stage.short ? shortShare : 1;
  const tried = Object.entries(targets).map(([name, { what, inputs }]) => ({
    name,
    what,
    to: Math.ceil(inputs * share),
  }));
  const fuzzing: Fuzzing = { stage, faults: [], threads: 0, mostMb: 0 };
  const begun = process.cpuUsage();
  const inThreads = pLimit(threadsAtATime);
  // All targets at once: what fails often is seen soon.
  const pieces = tried.flatMap(piecesOf).toSorted((one, other) => one.from - other.from);
  await inThreads.map(pieces, (piece) => fuzzPiece(piece, fuzzing));
  return {
    counts: [
      ...tried.map(({ what, to }) => [what, to] as const),
      ['inputs in all', tried.reduce((sum, { to }) => sum + to, 0)],
      ['limit on the heap of each thread, MB', heapMb],
      ['peak memory of the process, MB', Math.round(fuzzing.mostMb)],
      ['CPU seconds', secondsOf(process.cpuUsage(begun))],
    ],
    failures: fuzzing.faults.map(({ name, number, why, input }) => `${name} ${number}: ${why}\n${input}`),
  };
}

function piecesOf({ name, to }: Pick<Piece, 'name' | 'to'>): Piece[] {
  return Array.from({ length: Math.ceil(to / pieceSize) }, (_, index) => {
    const from = index * pieceSize;
    return { name, from, to: Math.min(to, from + pieceSize) };
  });
}

function secondsOf({ user, system }: NodeJS.CpuUsage): number {
  return Math.round((user + system) / 1e6);
}

/** A thread that ends early is followed by one that goes on after the input that ended it. */
async function fuzzPiece(piece: Piece, fuzzing: Fuzzing): Promise<void> {
  const { name, to } = piece;
  const found = () => fuzzing.faults.filter((fault) => fault.name === name).length;
  let { from } = piece;
  while (from < to && found() < mostFaults) {
    fuzzing.threads += 1;
    from = await runThread({ name, from, to }, fuzzing);
    fuzzing.threads -= 1;
  }
  fuzzing.stage.say(`${name}: ${piece.from} to ${from}, ${found()} failures so far`);
}

/** Where to go on. */
async function runThread(piece: Piece, fuzzing: Fuzzing): Promise<number> {
  const { name, from, to } = piece;
  const progress = new SharedArrayBuffer(4);
  const numbers = new Int32Array(progress);
  Atomics.store(numbers, 0, from);
  const folder = join(fuzzing.stage.folder, `${name}-${from}`);
  const worker = new Worker(new URL('./thread.ts', import.meta.url), {
    workerData: { ...piece, folder, progress } satisfies ThreadData,
    resourceLimits: { maxOldGenerationSizeMb: heapMb },
    // A test runner's own ways of loading files are not for it.
    execArgv: [],
  });
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const found = (fault: Fault) => {
    fuzzing.faults.push({ name, ...fault });
    fuzzing.stage.say(`${name} ${fault.number}: ${fault.why}`);
  };
  worker.on('message', found);
  worker.on('error', (error) => resolve(`ended its thread: ${error instanceof Error ? error.stack : error}`));
  worker.on('exit', () => resolve(undefined));
  const watching = watch(numbers, fuzzing, (why) => resolve(why));
  const why = await promise;
  clearInterval(watching);
  await worker.terminate();
  const number = Atomics.load(numbers, 0);
  if (why === undefined) return to;
  found({ number, why, input: '(see one.ts)' });
  return number + 1;
}

/**
 * By the CPU that was used, as a busy machine makes nothing slower by that, and of that by the share of one thread; by the clock
 * only where nothing happens at all.
 */
function watch(numbers: Int32Array, fuzzing: Fuzzing, hangs: (why: string) => void): NodeJS.Timeout {
  const now = () => ({ number: Atomics.load(numbers, 0), cpu: secondsOf(process.cpuUsage()), at: performance.now() });
  let last = now();
  return setInterval(() => {
    fuzzing.mostMb = Math.max(fuzzing.mostMb, process.memoryUsage.rss() / 2 ** 20);
    const next = now();
    const seconds = (next.cpu - last.cpu) / fuzzing.threads;
    if (next.number !== last.number) last = next;
    else if (seconds > mostSeconds || next.at - last.at > 60_000) hangs(`took more than ${mostSeconds} s`);
  }, 250);
}
