/** Checks the types of everything: the code, and the pages, which have the types of browsers. */
import { spawnSync } from 'node:child_process';
import { compiler, root } from './bundle/paths.ts';

const projects = [
  ['--incremental', '--tsBuildInfoFile', 'node_modules/.cache/types.tsbuildinfo'],
  ['-p', 'src/report/html'],
  ['-p', 'src/triggers/page'],
  ['-p', 'scripts/site/playground'],
];

const outcomes = projects.map((args) =>
  spawnSync(process.execPath, [compiler, ...args], { cwd: root, stdio: 'inherit' }),
);
if (outcomes.some(({ status }) => status !== 0)) process.exitCode = 1;
