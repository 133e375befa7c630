/** `npm run audit`: reports known vulnerabilities of what users get. An audit of the project alone would miss the packages in dist. */
import { spawnSync } from 'node:child_process';
import { withPublishedTree } from './publishedTree.ts';

process.exitCode = withPublishedTree((folder) => {
  // `npm run --silent` hands its silence on; the reason why an audit failed is shown all the same.
  const { status } = spawnSync('npm', ['audit', '--package-lock-only', '--loglevel=warn'], {
    cwd: folder,
    stdio: 'inherit',
  });
  return status ?? 1;
});
