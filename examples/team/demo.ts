/**
 * A team with a shared backend, on the emulator, an S3 server and a stand-in for GitHub on loopback: two CI jobs at once, a job that is killed,
 * an undo from a laptop, and drift that is accepted on the laptop and in a pull request. Real commands of the built `webdata`, each shown before it runs. Everything happens in a temporary folder.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, copyFileSync, mkdirSync, openSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { startMoto } from '../../test/engine/backend/moto.ts';
import { type Env, echo, onStage, readText, type Stage, say, serve, until, webdata } from '../quickstart/demo/stage.ts';
import { type CodeHost, gitIn, startCodeHost } from './codeHost.ts';

interface Ready {
  apiUrl: string;
  managerUrl: string;
  keys: { ops: string };
}

async function demo(stage: Stage): Promise<void> {
  copyFileSync('examples/quickstart/account.yaml', join(stage.folder, 'account.yaml'));
  say('The service, emulated on loopback; and a bucket, on an S3 server on loopback.');
  serve(stage, {}, 'emulator', '--account', 'account.yaml', '--manager-port', '0', '--ready-file', 'ready.json');
  await using moto = await startMoto();
  const text = await until(stage, 'the emulator listens', () => readText(join(stage.folder, 'ready.json')));
  const { apiUrl, managerUrl, keys }: Ready = JSON.parse(text);
  const env = {
    ...moto.env,
    WEBDATA_API_URL: apiUrl,
    WEBDATA_MANAGER_URL: managerUrl,
    WEBDATA_API_KEY: keys.ops,
    WEBDATA_BACKEND: `s3://${moto.bucket}/webdata`,
  };
  await slowMoves(apiUrl);
  await using host = await startCodeHost(stage.folder);
  const [first, second, third, laptop] = ['job-1', 'job-2', 'job-3', 'laptop'].map((name) =>
    machine(stage, name, host),
  );
  if (!(first && second && third && laptop)) throw new TypeError('a machine is missing');

  say('Two CI jobs at once. The first applies.');
  const running = startJob(first, { ...env, ...jobUrl(1001) });
  await until(stage, 'job 1 moves IPs', () => movesSeen(apiUrl));
  say('The second ends with an error that names the holder of the lock. (exit code 1)');
  await webdata(second, { ...env, ...jobUrl(1002) }, 1, 'apply', '--yes', '--lock-timeout', '0');

  say('The runner of the first job is killed in the middle of a call.');
  echo('kill -9 $JOB_1');
  running.kill('SIGKILL');
  if (running.exitCode === null && running.signalCode === null) await once(running, 'close');
  say(
    'Another job waits until the lease of the lock has expired, finds out what became of the call, and completes the rest.',
  );
  await webdata(third, { ...env, ...jobUrl(1003) }, 0, 'apply', '--yes', '--lock-timeout', '60');

  say('The runners are gone, and their files with them. A laptop has the whole history.');
  for (const { folder } of [first, second, third]) rmSync(folder, { recursive: true });
  await webdata(laptop, env, 0, 'history');
  say('It undoes the run of the last job.');
  await webdata(laptop, env, 0, 'undo', '--yes');

  say('A colleague changes a setting manually. It is drift, because it is not declared. (exit code 2)');
  await changeByHand(managerUrl, { logs: 900 });
  await webdata(laptop, env, 2, 'drift', '--select', 'managerSettings.local');
  say('The change was right: accept it. The edit keeps the comments, and can be reviewed like any other.');
  await webdata(laptop, env, 0, 'drift', '--accept', 'managerSettings.local', '--yes');
  await proposal(stage, env, host);
  say('Done. Nothing left this machine.');
}

/** Lets a scheduled job propose the same edit as a pull request, and merges it. */
async function proposal(stage: Stage, env: Env, host: CodeHost): Promise<void> {
  const checkout = machine(stage, 'checkout', host);
  const git = gitIn(checkout.folder);
  const show = (...args: string[]) => {
    echo(`git ${args.join(' ')}`);
    const output = git(...args);
    if (output !== '') process.stdout.write(`${output}\n`);
  };
  git('add', 'webdata.yaml');
  git('commit', '--quiet', '-m', 'Declare the zones');
  git('push', '--quiet', 'origin', 'main');
  const check = (code: number) =>
    webdata(
      checkout,
      { ...env, ...host.jobEnv(), GITHUB_WORKSPACE: checkout.folder },
      code,
      ...['ci', 'drift', '--propose', '--', '--select', 'managerSettings.local'],
    );

  say('Or let CI propose the edit: a scheduled job opens an issue and a pull request. (exit code 2)');
  await check(2);
  say('The pull request has one commit, on a branch of its own.');
  git('fetch', '--quiet', 'origin');
  const branch = git('branch', '--remotes', '--list', 'origin/webdata/*', '--format=%(refname:short)');
  show('diff', '--unified=0', 'main', branch, '--', 'webdata.yaml');
  say('A colleague merges it. The next check finds no drift, and closes the issue. (exit code 0)');
  show('merge', '--quiet', '--ff-only', branch);
  show('push', '--quiet', 'origin', 'main');
  await check(0);
}

/** Returns the stage with a checkout of its own, which has nothing but the declaration: by its remote, it is one declaration on all machines. */
function machine(stage: Stage, name: string, { repository }: CodeHost): Stage {
  const folder = join(stage.folder, name);
  mkdirSync(folder);
  copyFileSync('examples/quickstart/webdata.yaml', join(folder, 'webdata.yaml'));
  const git = gitIn(folder);
  git('init', '--quiet', '--initial-branch=main');
  git('remote', 'add', 'origin', repository);
  return { ...stage, folder };
}

/** The variables from which a job on GitHub Actions knows its URL. */
function jobUrl(run: number): Env {
  return {
    GITHUB_SERVER_URL: 'https://github.com',
    GITHUB_REPOSITORY: 'acme/infra',
    GITHUB_RUN_ID: String(run),
  };
}

/** Starts an apply in the background. It ends with the demo. */
function startJob({ folder, servers }: Stage, env: Env): ChildProcess {
  const args = ['apply', '--yes'];
  echo(`webdata ${args.join(' ')} &`);
  const file = `${folder}.log`;
  const log = openSync(file, 'w');
  const child = spawn(process.execPath, [resolve('dist/src/cli/bin.js'), ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  servers.set(file, child);
  return child;
}

/** Makes each move take some time, so that there is a middle. */
async function slowMoves(apiUrl: string): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ route: 'zone/ips/migrate', fault: { kind: 'delay', ms: 1500 } });
  await fetch(`${apiUrl}/_emulator/faults`, { method: 'POST', headers, body });
}

async function changeByHand(managerUrl: string, settings: object): Promise<void> {
  const [headers, body] = [{ 'content-type': 'application/json' }, JSON.stringify(settings)];
  echo(`curl -X PUT ${managerUrl}/api/settings -H 'content-type: application/json' -d '${body}'`);
  const answer = await fetch(`${managerUrl}/api/settings`, { method: 'PUT', headers, body });
  if (!answer.ok) throw new Error(`the manager answered ${answer.status}: ${await answer.text()}`);
}

async function movesSeen(apiUrl: string): Promise<true | undefined> {
  const answer = await fetch(`${apiUrl}/_emulator/requests`);
  const requests = (await answer.json()) as { route: string | null }[];
  return requests.some(({ route }) => route === 'zone/ips/migrate') || undefined;
}

await onStage(
  'A team with a shared backend, on an emulator: two CI jobs at once, a job that is killed, an undo, and drift. About a minute.',
  demo,
);
