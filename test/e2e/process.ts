/** Real processes of the built `webdata`. */
import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { sharedCompiledCode } from '../compiledCode.ts';
import { withoutDocsLines } from '../docsLines.ts';

export const binary = resolve('dist/src/cli/bin.js');

export interface Finished {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface Running {
  child: ChildProcess;
  finished: Promise<Finished>;
}

interface SpawnOptions {
  cwd: string;
  env: Readonly<Record<string, string>>;
  /** Another `webdata` than the one built here. */
  webdata?: string;
  /** The user that runs it; only root can choose one. */
  uid?: number;
}

/** Starts `webdata` with nothing but this environment and what a process needs. */
export function start(args: readonly string[], { cwd, env, webdata = binary, uid }: SpawnOptions): Running {
  const child = spawn(process.execPath, [webdata, ...args], {
    cwd,
    env: { PATH: process.env.PATH ?? '', ...sharedCompiledCode, ...stateFolder(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(uid !== undefined && { uid }),
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const finished = new Promise<Finished>((done) => {
    child.once('close', (code, signal) => {
      done({ code, signal, stdout: withoutDocsLines(stdout), stderr: withoutDocsLines(stderr) });
    });
  });
  return { child, finished };
}

/** The state folder of this test file, for a process that gets no other variable of it. */
export function stateFolder(): Record<string, string> {
  const { WEBDATA_STATE_FOLDER = '' } = process.env;
  return { WEBDATA_STATE_FOLDER };
}
