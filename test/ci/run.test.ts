/** What reaches the forge of what a front says. */
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runInCi } from '../../src/ci/run.ts';
import type { CiCommand, Runner } from '../../src/ci/runner.ts';
import { pulumiRunner } from '../../src/ci/runners/pulumi.ts';
import { token } from './posts.ts';
import { inPlace, type OnGitHub, onGitHub } from './setup.ts';

const secret = 'pass-phrase-of-a-stack';

/** Says its secret wherever it can, as a careless program might. */
const careless: Runner = {
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

const quiet = { write: () => undefined };
const { signal } = new AbortController();

/** Runs it for a pull request, with a fake GitHub and no other environment. */
async function run(command: CiCommand, front: Runner, github: OnGitHub, more: Readonly<Record<string, string>> = {}) {
  const { harness, forge } = github;
  const env = {
    ...forge.env,
    GITHUB_TOKEN: token,
    GITHUB_REF: 'refs/pull/7/merge',
    GITHUB_OUTPUT: join(harness.folder, 'output'),
    GITHUB_STEP_SUMMARY: join(harness.folder, 'summary'),
    ...more,
  };
  return runInCi(command, { runner: front }, { stdout: quiet, stderr: quiet, env, cwd: harness.folder, signal });
}

it('tells no secret of the environment, in a comment, an issue, an output or a step summary', async () => {
  await using github = await onGitHub(inPlace);
  const { forge } = github;
  for (const command of ['plan', 'drift'] as const)
    await run(command, careless, github, { PULUMI_CONFIG_PASSPHRASE: secret });
  const files = await Promise.all([github.left('output'), github.left('summary')]);
  const told = [...forge.comments, ...forge.issues].map(({ body }) => body);
  expect(told).toHaveLength(2);
  for (const text of [...told, ...files]) {
    expect(text).toContain('1 to update');
    expect(text).not.toContain(secret);
    expect(text).not.toContain(token);
  }
});

it.each([
  'PWD',
  'OLDPWD',
  'WEBDATA_API_KEY_FILE',
  'SSL_PRIVATE_KEY_PATH',
  'GOOGLE_APPLICATION_CREDENTIALS',
])('leaves the path in %s in what it tells', async (name) => {
  await using github = await onGitHub(inPlace);
  await run('plan', careless, github, { [name]: secret });
  expect(github.forge.on(7)).toMatchObject([{ body: expect.stringContaining(secret) }]);
});

it('overwrites an old comment, and gives outputs, where pulumi can not be started', async () => {
  await using github = await onGitHub(inPlace);
  await run('plan', { ...careless, subject: pulumiRunner([]).subject }, github);
  expect(await run('plan', pulumiRunner([]), github, { PATH: github.harness.folder })).toBe(1);
  expect(github.forge.on(7)).toMatchObject([{ body: expect.stringContaining('install the Pulumi CLI') }]);
  expect(github.forge.on(7)[0]?.body).not.toContain('1 to update');
  expect(await github.left('output')).toMatch(
    /exit-code<<(\S+)\n1\n\1\nchanges<<\1\nfalse\n\1\nsummary<<\1\npulumi plan failed: pulumi could not be started .*\n\1\n$/,
  );
  expect(await github.left('summary')).toContain('pulumi could not be started');
});

it('closes no issue where pulumi ends well and told nothing of resources', async () => {
  await using github = await onGitHub(inPlace);
  await run('drift', { ...careless, subject: pulumiRunner([]).subject }, github);
  await github.harness.write('pulumi', '#!/bin/sh\necho Usage:\n');
  await chmod(join(github.harness.folder, 'pulumi'), 0o755);
  expect(await run('drift', pulumiRunner([]), github, { PATH: github.harness.folder })).toBe(1);
  expect(github.forge.issues).toMatchObject([{ open: true }]);
});

it('hands no token of GitLab to a Pulumi program', async () => {
  await using github = await onGitHub(inPlace);
  await github.harness.write('pulumi', '#!/bin/sh\n/usr/bin/env > seen\n');
  await chmod(join(github.harness.folder, 'pulumi'), 0o755);
  const env = {
    PATH: github.harness.folder,
    WEBDATA_GITLAB_TOKEN: 'one-that-writes-comments',
    GITLAB_TOKEN: 'one-that-writes-too',
    PULUMI_STACK: 'dev',
  };
  await run('plan', pulumiRunner([]), github, env);
  const seen = await github.harness.read('seen');
  expect(seen).toContain('PULUMI_STACK=dev');
  expect(seen).not.toContain('one-that-writes');
});
