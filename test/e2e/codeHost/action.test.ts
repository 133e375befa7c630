/** The GitHub Action itself: its steps in bash, on a git repository, against the emulator and a fake GitHub. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fakeGitHub } from '../../ci/fakeGitHub.ts';
import { token } from '../../ci/posts.ts';
import { inPlace, oneMove, pullRequest } from '../../ci/setup.ts';
import { openHarness, serviceYaml, writesOf } from '../../cli/harness.ts';
import { temporaryFolder } from '../../temporary.ts';
import { readAction, runAction } from './compositeAction.ts';

const main = 'refs/heads/main';
const values = { 'github.token': token, 'github.event.repository.default_branch': 'main' };

async function emptyWorkspace(): Promise<string> {
  const folder = temporaryFolder();
  await mkdir(join(folder, 'checkout'));
  return join(folder, 'checkout');
}

async function script(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `#!/bin/sh\n${text}\n`);
  await chmod(file, 0o755);
}

/** A repository whose default branch declares what is live. */
async function openRepository() {
  const harness = await openHarness('plain');
  onTestFinished(() => harness[Symbol.asyncDispose]());
  const forge = await fakeGitHub();
  const workspace = await emptyWorkspace();
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=ada', '-c', 'user.email=ada@example.com', ...args], {
      cwd: workspace,
      stdio: 'pipe',
    });
  const commit = async (declaration: string) => {
    await writeFile(join(workspace, 'webdata.yaml'), serviceYaml('plain') + declaration);
    git('add', 'webdata.yaml');
    git('commit', '--quiet', '--message', 'declare');
  };
  git('init', '--quiet', '--initial-branch', 'main');
  await commit(inPlace);
  await script(
    join(workspace, 'node_modules/.bin/webdata'),
    `exec '${process.execPath}' '${resolve('dist/src/cli/bin.js')}' "$@"`,
  );

  const on = async (event: string, ref: string, inputs: Record<string, string> = {}, payload: object = {}) => {
    const eventFile = join(workspace, '..', 'event.json');
    await writeFile(eventFile, JSON.stringify(payload));
    const { emulator } = harness;
    const env = {
      ...forge.env,
      WEBDATA_API_URL: emulator.apiUrl,
      WEBDATA_API_KEY: emulator.keys.ops,
      GITHUB_EVENT_NAME: event,
      GITHUB_EVENT_PATH: eventFile,
      GITHUB_REF: ref,
      GITHUB_STEP_SUMMARY: join(workspace, '..', 'summary'),
    };
    return runAction({ workspace, inputs, values, env });
  };
  return { ...harness, forge, workspace, git, commit, on };
}

describe('the action', () => {
  it('plans a pull request, applies the merge, opens an issue about drift, and closes it', async () => {
    const { emulator, forge, git, commit, on } = await openRepository();
    git('checkout', '--quiet', '-b', 'feature');
    await commit(oneMove);
    const plan = await on('pull_request', 'refs/pull/7/merge', {}, pullRequest(7));
    expect(plan).toMatchObject({ code: 0, outputs: { 'exit-code': '0', changes: 'true' } });
    expect(plan.outputs.summary).toMatch(/^Plan: 1 IP moves in 1 call/);
    const report = await readFile(join(plan.outputs.reports ?? '', 'webdata-report.json'), 'utf8');
    expect(JSON.parse(report)).toMatchObject({ format: 'webdata.plan/1', summary: { migrateCalls: 1 } });
    expect(forge.on(7)).toMatchObject([{ body: expect.stringContaining('192.0.2.10') }]);
    expect(writesOf(emulator.requests())).toEqual([]);

    git('checkout', '--quiet', 'main');
    git('merge', '--quiet', 'feature');
    const apply = await on('push', main);
    expect(apply).toMatchObject({ code: 0, outputs: { 'exit-code': '0', changes: 'true' } });
    expect(emulator.ips('checkout')).toContain('192.0.2.10');

    expect(await on('schedule', main)).toMatchObject({ code: 0, outputs: { 'exit-code': '0', changes: 'false' } });
    expect(forge.issues).toEqual([]);
    emulator.move(['192.0.2.10'], 'pricing');
    expect(await on('schedule', main)).toMatchObject({ code: 0, outputs: { 'exit-code': '2', changes: 'true' } });
    expect(forge.issues).toMatchObject([{ open: true, body: expect.stringContaining('192.0.2.10') }]);
    expect(await on('schedule', main, { 'fail-on-drift': 'true' })).toMatchObject({ code: 2 });

    expect(await on('push', main)).toMatchObject({ code: 0 });
    expect(emulator.ips('checkout')).toContain('192.0.2.10');
    expect(await on('schedule', main)).toMatchObject({ code: 0 });
    expect(forge.issues).toMatchObject([{ open: false }]);
    expect(forge.on(7)).toHaveLength(1);
  });

  it('fails with the plan, and the comment says why', async () => {
    const { forge, commit, on } = await openRepository();
    await commit('zoneIpAllocation: {}\n');
    const { code, outputs } = await on('pull_request', 'refs/pull/7/merge', {}, pullRequest(7));
    expect(code).toBe(1);
    expect(outputs).toMatchObject({ 'exit-code': '1', changes: 'false' });
    expect(forge.on(7)).toMatchObject([{ body: expect.stringContaining('did you mean') }]);
  });

  it('applies nothing on a push to another branch, nor on an event that says nothing', async () => {
    const { emulator, commit, on } = await openRepository();
    await commit(oneMove);
    expect(await on('push', 'refs/heads/feature')).toMatchObject({ code: 0, outputs: { changes: 'true' } });
    const target = await on('pull_request_target', main, {}, pullRequest(7));
    expect(target).toMatchObject({ code: 1, log: expect.stringContaining('no command is known') });
    const { code, log } = await on('workflow_dispatch', main);
    expect(code).toBe(1);
    expect(log).toContain('no command is known for the event workflow_dispatch');
    expect(writesOf(emulator.requests())).toEqual([]);
    expect(await on('workflow_dispatch', main, { command: 'apply' })).toMatchObject({ code: 0 });
    expect(emulator.ips('checkout')).toContain('192.0.2.10');
  });

  it('takes arguments quoted as in a shell, and runs nothing that stands in them', async () => {
    const { forge, workspace, on } = await openRepository();
    const sub = join(workspace, 'envs');
    await mkdir(sub);
    await writeFile(join(sub, 'my prod.yaml'), serviceYaml('plain') + inPlace);
    const event = ['pull_request', 'refs/pull/7/merge'] as const;
    const inputs = { 'working-directory': 'envs', args: `-f 'my prod.yaml'\n--timeout 20` };
    expect(await on(...event, inputs, pullRequest(7))).toMatchObject({ code: 0 });
    expect(forge.on(7)[0]?.body).toMatch(/^<!-- webdata:plan:envs\/my%20prod\.yaml -->/);
    const evil = '$(touch pwned) `touch pwned` ; touch pwned';
    const { code, log } = await on(...event, { args: evil }, pullRequest(7));
    expect(code).toBe(1);
    expect(log).toContain('too many arguments');
    expect(await on(...event, { front: evil, command: 'plan' }, pullRequest(7))).toMatchObject({ code: 1 });
    expect(existsSync(join(workspace, 'pwned'))).toBe(false);
  });
});

describe('what the action hands to webdata', () => {
  /** What came, word by word, one a line. */
  async function handed(inputs: Record<string, string>): Promise<{ code: number | null; words: string[] }> {
    const workspace = await emptyWorkspace();
    const calls = join(workspace, '..', 'calls');
    await writeFile(calls, '');
    await script(join(workspace, 'node_modules/.bin/webdata'), `printf '[%s]\\n' "$@" > '${calls}'`);
    const { code } = await runAction({ workspace, inputs, env: {} });
    const text = await readFile(calls, 'utf8');
    return { code, words: [...text.matchAll(/^\[(.*)\]$/gm)].map(([, word = '']) => word) };
  }

  const front = ['--front', 'webdata'];

  it.each([
    ['no key and no arguments', { command: 'plan' }, ['ci', 'plan', ...front, '--']],
    [
      'a key, whatever it begins with',
      { command: 'drift', key: '-blue green' },
      ['ci', 'drift', ...front, '--key=-blue green', '--'],
    ],
    [
      'that a plan must be commented',
      { command: 'plan', 'require-comment': 'true' },
      ['ci', 'plan', ...front, '--require-comment', '--'],
    ],
    ['that drift is proposed', { command: 'drift', propose: 'true' }, ['ci', 'drift', ...front, '--propose', '--']],
    ['no proposal with a plan', { command: 'plan', propose: 'true' }, ['ci', 'plan', ...front, '--']],
    [
      'not to an apply, which comments nothing',
      { command: 'apply', 'require-comment': 'true' },
      ['ci', 'apply', ...front, '--'],
    ],
    [
      'empty words, wherever they stand',
      { command: 'plan', args: `'' a\\ b "" "c'd" ''` },
      ['ci', 'plan', ...front, '--', '', 'a b', '', "c'd", ''],
    ],
  ])('is %s', async (_what, inputs, words) => {
    expect(await handed({ ...(inputs as unknown as Record<string, string>), artifact: 'none' })).toEqual({
      code: 0,
      words,
    });
  });

  it.each([
    [{}, ['html=REPORTS/webdata-report.html', 'json=REPORTS/webdata-report.json']],
    [{ artifact: 'none' }, []],
    [{ front: 'pulumi' }, []],
  ])('has the reports that are kept: %j', async (inputs, reports) => {
    const { words } = await handed({ command: 'plan', ...inputs });
    const named = words.filter((_word, index) => words[index - 1] === '--report');
    expect(named.map((each) => each.replace(/=.*\/webdata-\w{6}\//, '=REPORTS/'))).toEqual(reports);
  });

  it('is nothing, where a quote is not closed', async () => {
    expect(await handed({ command: 'apply', args: "-f 'prod.yaml" })).toMatchObject({ code: 1, words: [] });
  });
});

describe('what the action installs', () => {
  const locked = '{ "packages": { "node_modules/pulumi-webdata": { "version": "0.1.0" } } }';

  it.each([
    [
      'the version that is asked for',
      { version: '0.0.9' },
      { 'package-lock.json': locked },
      `install --global --no-audit --no-fund pulumi-webdata@0.0.9`,
    ],
    ['what the folder has locked', { 'working-directory': 'app' }, { 'app/package-lock.json': locked }, 'ci'],
    [
      'what the repository has locked',
      { 'working-directory': 'app' },
      { 'package-lock.json': locked },
      '--prefix WORKSPACE ci',
    ],
    [
      'its own version, if it is published and another lock file is there',
      {},
      { 'package-lock.json': '{}', 'action/package.json': '{ "version": "1.2.3", "repository": { "url": "x" } }' },
      'install --global --no-audit --no-fund pulumi-webdata@1.2.3',
    ],
    [
      'the package beside it',
      {},
      { 'action/pulumi-webdata-1.2.3.tgz': '' },
      'install --global --no-audit --no-fund WORKSPACE/action/pulumi-webdata-1.2.3.tgz',
    ],
    [
      'its checkout, which it packs, if it is not published',
      {},
      { 'action/package.json': '{ "version": "1.2.3" }' },
      'ci --ignore-scripts\nrun build\npack --ignore-scripts --pack-destination TEMP\ninstall --global --no-audit --no-fund TEMP/pulumi-webdata-1.2.3.tgz',
    ],
    ['nothing, where it is installed', {}, { 'node_modules/.bin/webdata': '' }, ''],
  ])('is %s', async (_what, inputs, files, expected) => {
    const workspace = await emptyWorkspace();
    await mkdir(join(workspace, 'app'));
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(workspace, name)), { recursive: true });
      await writeFile(join(workspace, name), text);
    }
    const tools = join(workspace, '..', 'bin');
    const calls = join(workspace, '..', 'calls');
    await writeFile(calls, '');
    const packing = 'if [ "$1" = pack ]; then touch "$4/pulumi-webdata-1.2.3.tgz"; fi';
    await script(join(tools, 'npm'), `echo "$@" >> '${calls}'\n${packing}`);
    await mkdir(join(workspace, 'action'), { recursive: true });
    await cp('action.yml', join(workspace, 'action/action.yml'));
    const env = { PATH: `${tools}:${process.env.PATH}` };
    await runAction({ workspace, actionPath: join(workspace, 'action'), inputs, env });
    const named = (await readFile(calls, 'utf8')).trim().replaceAll(workspace, 'WORKSPACE');
    expect(named.replaceAll(/\S+\/webdata-\w{6}(?=\/|$)/gm, 'TEMP')).toBe(expected);
  });
});

it('hides the keys of the service and of Pulumi from what the install runs', async () => {
  const workspace = await emptyWorkspace();
  const tools = join(workspace, '..', 'bin');
  const seen = join(workspace, '..', 'seen');
  await script(join(tools, 'npm'), `env > '${seen}'`);
  const webdata = `printf '%s' "$WEBDATA_API_KEY" > '${seen}.later'`;
  await script(join(tools, 'webdata'), webdata);
  const secret = 'value-that-nobody-else-needs';
  const names = ['WEBDATA_API_KEY', 'WEBDATA_MANAGER_TOKEN', 'PULUMI_ACCESS_TOKEN', 'PULUMI_CONFIG_PASSPHRASE'];
  const env = { ...Object.fromEntries(names.map((name) => [name, secret])), PATH: `${tools}:${process.env.PATH}` };
  await runAction({ workspace, inputs: { command: 'plan' }, env });
  expect(await readFile(seen, 'utf8')).not.toContain(secret);
  expect(await readFile(`${seen}.later`, 'utf8')).toBe(secret);
});

it('uploads the reports of the run, also of one that failed', async () => {
  const { runs } = await readAction();
  const uploads = runs.steps.filter(({ uses = '' }) => /upload/.test(uses));
  expect(uploads.map(({ uses, if: condition }) => [uses, condition])).toEqual([
    ['actions/upload-artifact@v4', "always() && inputs.artifact != 'none' && steps.run.outputs.reports != ''"],
  ]);
});

it('puts no expression into the text of a script', async () => {
  const { runs } = await readAction();
  expect(runs.steps.filter(({ run }) => run !== undefined)).toHaveLength(2);
  for (const { run = '' } of runs.steps) expect(run).not.toContain('${{');
});
