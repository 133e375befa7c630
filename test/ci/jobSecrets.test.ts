/** Secrets of the job that a pull request writes into the declaration: no report that leaves the job has them. */
import { readdir } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { onGitHub } from './setup.ts';

const secrets = { AWS_SECRET_ACCESS_KEY: 'aws+canary/0123&<"7>' };
const declaration = `managerSettings:
  local:
    zone: "\${WEBDATA_API_KEY}.\${GITHUB_TOKEN}.\${AWS_SECRET_ACCESS_KEY}"
`;
const formats = ['text', 'html', 'json', 'junit', 'markdown', 'github'];
const reports = formats.flatMap((format) => ['--report', `${format}=r.${format}`]);

it.each(['plan', 'drift'])('are in no report, no output and no input of a policy: %s', async (command) => {
  await using github = await onGitHub(declaration);
  const { emulator, folder } = github.harness;
  const policy = command === 'plan' ? ['--policy', 'cat > seen'] : [];
  const { stdout, stderr } = await github.ciWith(secrets, command, ...policy, '--', ...reports);
  expect(stdout).toContain('***.***.***');
  const files = (await readdir(folder)).filter((file) => /^(r\.\w+|seen|output|summary)$/.test(file));
  expect(files).toHaveLength(formats.length + 2 + policy.length / 2);
  const texts = await Promise.all(files.map((file) => github.harness.read(file)));
  const comments = github.forge.comments.map(({ body }) => body);
  for (const secret of [emulator.keys.ops, 'canary']) {
    for (const text of [...texts, ...comments, stdout, stderr]) expect(text).not.toContain(secret);
  }
  expect(JSON.parse(await github.harness.read('r.json'))).toMatchObject({ format: 'webdata.plan/1' });
});

it('are in no report of several accounts', async () => {
  await using github = await onGitHub(declaration);
  await github.harness.write('a.yaml', `account: a\n${declaration}`);
  await github.ciWith(secrets, 'plan', '--policy', 'cat > seen', '--', ...reports, '--all', 'a.yaml');
  for (const file of [...formats.map((format) => `r.${format}`), 'seen']) {
    expect(await github.harness.read(file)).not.toMatch(/canary/);
  }
});
