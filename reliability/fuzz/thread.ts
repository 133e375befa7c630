/** Tries inputs of one target in a thread with limited memory. The main thread observes its progress. */
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { Random } from './random.ts';
import { canary, faultIn } from './target.ts';
import { targets } from './targets.ts';

export interface ThreadData {
  name: string;
  folder: string;
  from: number;
  to: number;
  /** The number of the current input. */
  progress: SharedArrayBuffer;
}

export interface FuzzFault {
  number: number;
  why: string;
  input: string;
}

const inspectEvery = 500;
/** The maximum number of violations of one target, because more of them show nothing new. */
export const mostFaults = 12;

export async function fuzzInputs(
  { name, folder, from, to, progress }: ThreadData,
  tell: (fault: FuzzFault) => void,
): Promise<void> {
  const numbers = new Int32Array(progress);
  const ground = await prepared(folder);
  const before = globalState();
  const open = await targets[name]?.load();
  await using target = await open?.(ground);
  if (target === undefined) throw new Error(`no target ${name}`);
  let faults = 0;
  for (let number = from; number < to && faults < mostFaults; number += 1) {
    Atomics.store(numbers, 0, number);
    const input = target.make(new Random(`${name} ${number}`), number);
    const why = [await faultIn(target, input)];
    if (number % inspectEvery === inspectEvery - 1 || number === to - 1) {
      why.push(globalState() === before ? undefined : 'the prototypes have changed');
      why.push(...((await target.inspect?.()) ?? []), ...(await strayFiles(ground.outside)));
    }
    for (const each of why.filter((fault) => fault !== undefined)) {
      faults += 1;
      tell({ number, why: each, input: target.show(input) });
    }
  }
  Atomics.store(numbers, 0, to);
}

async function prepared(outside: string) {
  const folder = join(outside, 'inside');
  await mkdir(folder, { recursive: true });
  for (const file of outsideFiles) await writeFile(join(outside, file), `url\n${canary}\n`);
  return { folder, outside };
}

const outsideFiles = ['outside.csv', 'outside.json', 'webdata.yaml'];

async function strayFiles(outside: string): Promise<string[]> {
  const expected = new Set(['inside', ...outsideFiles]);
  const strays = (await readdir(outside)).filter((file) => !expected.has(file));
  return strays.map((file) => `${file} was written outside of the folder`);
}

/** Returns the names that every object inherits. */
function globalState(): string {
  const shared = [Object, Array, Function, String, Number, Map, Promise].map(({ prototype }) => prototype);
  return JSON.stringify(shared.map((each) => Reflect.ownKeys(each).map(String)));
}

// At the end of the file, because it uses everything above.
if (parentPort) await fuzzInputs(workerData as ThreadData, (fault) => parentPort?.postMessage(fault));
