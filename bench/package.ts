/** The package as a user installs it: its size, and an installation. */
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Benchmark, limited, type Stage } from './frame/benchmark.ts';
import { median } from './frame/pairs.ts';
import { runProcess } from './frame/process.ts';
import { inMegabytes, inTime } from './frame/units.ts';

const rounds = 3;
const most = { packedBytes: 2e6, installMs: 8000 };

export const benchmark: Benchmark = {
  name: 'package',
  about: `**package**: the archive that \`npm pack\` writes, and \`npm install\` of it in an empty folder, with everything that it needs in the cache of npm. The median of ${rounds}.`,
  async run(stage) {
    const { filename, size, entryCount } = await packed(stage);
    const times: number[] = [];
    // The first installation fills the cache.
    for (let round = 0; round <= rounds; round += 1) times.push(await installed(stage, filename, `install-${round}`));
    const [, ...warm] = times;
    const files = filesIn(join(stage.folder, 'install-0', 'node_modules'));
    return [
      limited(
        'package, packed',
        `${inMegabytes(size, 1)}, ${inFiles(entryCount)}`,
        inMegabytes(most.packedBytes, 1),
        size <= most.packedBytes,
      ),
      limited(
        'package, `npm install`',
        `${inTime(median(warm))}, ${inFiles(files)}`,
        inTime(most.installMs),
        median(warm) <= most.installMs,
      ),
    ];
  },
};

interface Packed {
  filename: string;
  size: number;
  entryCount: number;
}

async function packed(stage: Stage): Promise<Packed> {
  const args = ['npm', 'pack', '--json', '--ignore-scripts', '--pack-destination', stage.folder];
  const { stdout } = await runProcess(stage, args, { cwd: resolve('.') });
  const [found] = JSON.parse(stdout) as Packed[];
  if (found === undefined) throw new Error('npm pack wrote nothing');
  return found;
}

/** Returns the milliseconds. */
async function installed(stage: Stage, archive: string, folder: string): Promise<number> {
  const prefix = join(stage.folder, folder);
  const args = ['npm', 'install', '--prefix', prefix, '--prefer-offline', '--no-audit', '--no-fund'];
  return (await runProcess(stage, [...args, join(stage.folder, archive)])).ms;
}

function filesIn(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length;
}

function inFiles(count: number): string {
  return `${count.toLocaleString('en')} files`;
}
