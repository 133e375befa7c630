/** `npm run audit`: reports known vulnerabilities of what users get. An audit of the project alone would miss the packages in dist. */
import { spawnSync } from 'node:child_process';
import { withPublishedTree } from './publishedTree.ts';

process.exitCode = withPublishedTree((folder) => {
  const { status } = spawnSync('npm', ['audit', '--package-lock-only'], { cwd: folder, stdio: 'inherit' });
  return status ?? 1;
});
