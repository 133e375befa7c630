/** `npm run fuzz`: a million hostile inputs, each of which must be accepted or refused with a clear error. */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import pLimit from 'p-limit';
import type { Campaign, CampaignStage, Outcome } from '../frame/campaign.ts';
import { targets } from './targets.ts';
import { type FuzzFault, mostFaults, type ThreadData } from './thread.ts';

export const fuzz: Campaign = {
  name: 'fuzz',
  about:
    'Inputs are made by mutating real examples, by changing the structure of JSON, and from patterns that are known to break parsers: aliases that multiply, depth, width, huge numbers, gzip that expands a thousandfold, names like `__proto__`, paths that lead out of a folder. Each input must be accepted, or be rejected with a message: no exceptions except typed ones, no stack traces, no terminal control characters, no secrets. No input may take more than 5 seconds, change a prototype, write or read a file outside the given folder, or need more memory than the limit. Each input is determined by its number: `node reliability/fuzz/one.ts TARGET NUMBER` runs one again.',
  repeat: 'npm run fuzz',
  run,
};

const heapMb = 512;
const mostSeconds = 5;
/** The share that the tests run. */
const shortShare = 1 / 250;
/** The number of inputs of one target that a thread tries, because starting a thread takes a second. */
const pieceSize = 10_000;
/** More than the cores, because some threads wait for a disk or a socket. */
const threadsAtATime = 2 * availableParallelism();

interface Piece {
  name: string;
  from: number;
  to: number;
}

/** The state that all threads share. */
interface Fuzzing {
  stage: CampaignStage;
  faults: (FuzzFault & { name: string })[];
  /** The number of running threads. */
  threads: number;
  mostMb: number;
}

async function run(stage: CampaignStage): Promise<Outcome> {
  const share = stage.short ? shortShare : 1;
  const tried = Object.entries(targets).map(([name, { what, inputs }]) => ({
    name,
    what,
    to: Math.ceil(inputs * share),
  }));
  const fuzzing: Fuzzing = { stage, faults: [], threads: 0, mostMb: 0 };
  const begun = process.cpuUsage();
  const inThreads = pLimit(threadsAtATime);
  // All targets in turn, so that frequent failures show early.
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

/** Runs a piece. If a thread ends early, another one continues after the input that ended it. */
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

/** Returns the number of the next input. */
async function runThread(piece: Piece, fuzzing: Fuzzing): Promise<number> {
  const { name, from, to } = piece;
  const progress = new SharedArrayBuffer(4);
  const numbers = new Int32Array(progress);
  Atomics.store(numbers, 0, from);
  const folder = join(fuzzing.stage.folder, `${name}-${from}`);
  const worker = new Worker(new URL('./thread.ts', import.meta.url), {
    workerData: { ...piece, folder, progress } satisfies ThreadData,
    resourceLimits: { maxOldGenerationSizeMb: heapMb },
    // Without the module hooks of a test runner.
    execArgv: [],
  });
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const found = (fault: FuzzFault) => {
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
 * Detects a hanging input by the CPU time of its thread, which does not depend on the load of the machine, or by the clock if nothing
 * happens at all.
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
