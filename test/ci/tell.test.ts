/** What reaches the forge of what a front says. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Front } from '../../src/ci/front.ts';
import { runInCi } from '../../src/ci/tell.ts';
import { token } from './posts.ts';
import { inPlace, onGitHub } from './setup.ts';

const secret = 'pass-phrase-of-a-stack';

/** Says its secret wherever it can, as a careless program might. */
const careless: Front = {
  name: 'pulumi',
  subject: () => '',
  run: async () => ({
    code: 2,
    changes: true,
    summary: `1 to update ${secret}`,
    markdown: '',
    text: `old passphrase ${secret}, token ${token}`,
    fingerprint: '',
  }),
};

it('tells no secret of the environment, in a comment, an issue, an output or a step summary', async () => {
  await using github = await onGitHub(inPlace);
  const { harness, forge } = github;
  const env = {
    ...forge.env,
    GITHUB_TOKEN: token,
    GITHUB_REF: 'refs/pull/7/merge',
    GITHUB_OUTPUT: join(harness.folder, 'output'),
    GITHUB_STEP_SUMMARY: join(harness.folder, 'summary'),
    PULUMI_CONFIG_PASSPHRASE: secret,
  };
  const quiet = { write: () => undefined };
  const { signal } = new AbortController();
  const io = { stdout: quiet, stderr: quiet, env, cwd: harness.folder, signal };
  for (const command of ['plan', 'drift'] as const) await runInCi(command, { front: careless, args: [] }, io);
  const files = await Promise.all(['output', 'summary'].map((name) => readFile(join(harness.folder, name), 'utf8')));
  const told = [...forge.comments, ...forge.issues].map(({ body }) => body);
  expect(told).toHaveLength(2);
  for (const text of [...told, ...files]) {
    expect(text).toContain('1 to update');
    expect(text).not.toContain(secret);
    expect(text).not.toContain(token);
  }
});
