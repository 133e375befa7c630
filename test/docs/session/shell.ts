/** A bash session in a temporary folder, in which `webdata` is the one that was built here. */
import { spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sharedCompiledCode } from '../../compiledCode.ts';

export interface ShellSession extends AsyncDisposable {
  folder: string;
  run(command: string): Promise<{ output: string; exitCode: number }>;
  /** Starts a server, and waits until it listens on these ports. */
  serve(command: string, ports: readonly number[]): Promise<void>;
}

/** Programs of the session besides those of the machine: scripts, by name. */
export type Programs = Readonly<Record<string, string>>;

const end = '\u001e';

/** Opens a session. In values of the environment, `{folder}` stands for its folder. */
export async function openShell(
  env: Readonly<Record<string, string>> = {},
  programs: Programs = {},
): Promise<ShellSession> {
  const parent = await realpath(await mkdtemp(join(tmpdir(), 'webdata-page-')));
  const [folder, bin] = [join(parent, 'infra'), join(parent, 'bin')];
  await Promise.all([folder, bin].map((each) => mkdir(each)));
  const webdata = `exec ${process.execPath} ${resolve('dist/src/cli/bin.js')} "$@"`;
  for (const [name, script] of Object.entries({ webdata, ...programs })) {
    await writeFile(join(bin, name), `#!/bin/bash\n${script}\n`);
    await chmod(join(bin, name), 0o755);
  }
  const path = [bin, dirname(process.execPath), env.PATH ?? process.env.PATH].join(delimiter);
  const inFolder = Object.entries(env).map(([name, value]) => [name, value.replaceAll('{folder}', folder)]);
  const shell = spawn('bash', ['--norc'], {
    cwd: folder,
    env: {
      HOME: parent,
      TMPDIR: parent,
      // Each session is a machine of its own: its ports were those of other accounts before.
      WEBDATA_STATE_FOLDER: join(parent, 'state'),
      LC_ALL: 'C.UTF-8',
      TZ: 'UTC',
      NO_COLOR: '1',
      ...sharedCompiledCode,
      ...Object.fromEntries(inFolder),
      PATH: path,
    },
    stdio: 'pipe',
    detached: true,
  });
  let output = '';
  for (const stream of [shell.stdout, shell.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
    });
  const ended = new Promise<never>((_, reject) => {
    shell.once('close', () => reject(new Error(`the shell has ended: ${output}`)));
  });
  ended.catch(() => undefined);
  shell.stdin.write('exec 2>&1\n');

  async function run(command: string) {
    output = '';
    // A command must not read the commands that follow from the standard input of the shell.
    shell.stdin.write(`{ ${command}\n} </dev/null\nprintf '${end}%s${end}' $?\n`);
    const result = new RegExp(`^([\\s\\S]*)${end}(\\d+)${end}$`);
    for (;;) {
      const found = result.exec(output);
      if (found) return { output: found[1] ?? '', exitCode: Number(found[2]) };
      await Promise.race([sleep(5), ended]);
    }
  }

  let servers = 0;
  return {
    folder,
    run,
    async serve(command, ports) {
      servers += 1;
      const log = join(parent, `server-${servers}.log`);
      // The shell prints nothing about the end of a job that it has disowned.
      await run(`${command.replace(/&\s*(#.*)?$/, '')} >${log} 2>&1 & disown`);
      for (const port of ports) await listens(port, command, () => run(`cat ${log}`));
    },
    async [Symbol.asyncDispose]() {
      const closed = new Promise((done) => shell.once('close', done));
      if (shell.exitCode === null && shell.pid !== undefined) {
        process.kill(-shell.pid, 'SIGKILL');
        await closed;
      }
      await rm(parent, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function listens(port: number, command: string, log: () => Promise<{ output: string }>): Promise<void> {
  for (let left = 1500; left > 0; left -= 1) {
    if (await accepts(port)) return;
    await sleep(20);
  }
  throw new Error(`nothing listens on ${port} after ${command}\n${(await log()).output}`);
}

function accepts(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = createConnection({ port, host: '127.0.0.1' });
    socket.once('connect', () => done(true)).once('error', () => done(false));
    socket.once('connect', () => socket.destroy());
  });
}
