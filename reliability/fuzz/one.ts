/** `node reliability/fuzz/one.ts TARGET NUMBER [END]`: tries one input again, or those up to END, and shows the result. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fuzzInputs } from './thread.ts';

const [name = '', number = '0', end = String(Number(number) + 1)] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'webdata-fuzz-'));
const progress = new SharedArrayBuffer(4);
try {
  let faults = 0;
  await fuzzInputs({ name, folder, from: Number(number), to: Number(end), progress }, (fault) => {
    faults += 1;
    console.log(`${name} ${fault.number}: ${fault.why}\n${fault.input}\n`);
  });
  console.log(`${faults} faults`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit();
