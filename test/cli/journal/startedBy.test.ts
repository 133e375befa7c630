/** Each run says who made it, and from which commit: in the history, in the question of undo, and in reports that are kept. */
import { execFileSync } from 'node:child_process';
import { hostname, userInfo } from 'node:os';
import { expect, it } from 'vitest';
import { openDeclared } from '../harness.ts';

const declaration = (logs: number) => `managerSettings: { local: { logs: ${logs} } }\n`;

it('names the user and the host, or the CI job, and the commit with its uncommitted changes', async () => {
  await using harness = await openDeclared('plain', declaration(500));
  const { PATH } = process.env;
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
      cwd: harness.folder,
      encoding: 'utf8',
    });
  git('init', '-q');
  git('add', 'webdata.yaml');
  git('commit', '-q', '-m', 'Declare');
  const commit = git('rev-parse', 'HEAD').trim();
  const me = `${userInfo().username}@${hostname()}`;
  /** Who made the newest run. */
  const shown = async () => (await harness.webdata('history')).stdout.split('\n')[1];

  expect(await harness.webdataWith({ env: { PATH } }, 'apply', '--yes')).toMatchObject({ code: 0 });
  expect(await shown()).toContain(`${me}, commit ${commit.slice(0, 7)}`);
  expect(await shown()).not.toContain('uncommitted');

  await harness.write('webdata.yaml', declaration(400));
  expect(await harness.webdataWith({ env: { PATH } }, 'apply', '--yes', '--report', 'html=run.html')).toMatchObject({
    code: 0,
  });
  const changed = `commit ${commit.slice(0, 7)} with uncommitted changes`;
  expect(await shown()).toContain(changed);
  expect(await harness.read('run.html')).toContain(changed);
  const { runs } = JSON.parse((await harness.webdata('history', '--format', 'json')).stdout);
  expect(runs[0].by).toMatchObject({ user: userInfo().username, host: hostname(), commit, isChanged: true });
  const questions: string[] = [];
  const confirm = async (question: string) => questions.push(question) > 1;
  await harness.webdataWith({ confirm }, 'undo');
  expect(questions[0]).toMatch(/^Undo run [\da-f]{8} \(apply by .* with uncommitted changes, \S+Z\)\?$/);

  const job = { GITHUB_SERVER_URL: 'https://git.example.com', GITHUB_REPOSITORY: 'acme/infra', GITHUB_RUN_ID: '7' };
  await harness.write('webdata.yaml', declaration(300));
  const env = { ...job, GITHUB_SHA: 'f'.repeat(40), PATH: '/nowhere' };
  expect(await harness.webdataWith({ env }, 'apply', '--yes', '--report', 'markdown=run.md')).toMatchObject({
    code: 0,
  });
  const ofJob = 'https://git.example.com/acme/infra/actions/runs/7, commit fffffff';
  expect(await shown()).toContain(ofJob);
  expect(await harness.read('run.md')).toContain(ofJob);
});
