import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { prettyLine, serverLog } from '../../../src/cli/output/serverLog.ts';
import { sharedCompiledCode } from '../../compiledCode.ts';
import { accounts } from '../harness.ts';

const line = JSON.stringify({
  level: 'warn',
  time: '2026-07-01T10:00:00.000Z',
  msg: 'refused',
  status: 401,
  reason: 'a "wrong" key\u001b[2J',
});

describe('a line of the log', () => {
  it('is aligned words on a terminal', () => {
    expect(prettyLine(line, false)).toBe(
      '2026-07-01T10:00:00.000Z WARN  refused    status=401 reason="a \\"wrong\\" key\\u001b[2J"',
    );
  });

  it('stays JSON in a pipe', () => {
    const written: string[] = [];
    serverLog({ stderr: { write: (text) => written.push(String(text)) }, env: {} })(`${line}\n`);
    expect(JSON.parse(written.join(''))).toMatchObject({ level: 'warn', status: 401 });
  });

  it('is shown unchanged if it is not JSON', () => {
    expect(prettyLine('(node:1) Warning: x', false)).toBe('(node:1) Warning: x');
  });
});

/** The fields that every line of every server has. */
const common = {
  level: expect.stringMatching(/^(info|warn|error)$/),
  time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  msg: expect.any(String),
};

async function linesOf(args: readonly string[], env: Record<string, string>, ask: (url: string) => Promise<unknown>) {
  const child: ChildProcess = spawn(process.execPath, ['src/cli/bin.ts', ...args], {
    env: { ...process.env, ...sharedCompiledCode, NODE_NO_WARNINGS: '1', ...env },
  });
  let [out, log] = ['', ''];
  child.stderr?.on('data', (data) => (log += data));
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', (data) => {
      out += data;
      const found = /https?:\/\/[^\s,]+/.exec(out)?.[0];
      if (found !== undefined) resolve(found);
    });
    child.on('exit', () => reject(new Error(`ended: ${log}`)));
  });
  await ask(url);
  await expect.poll(() => log).toMatch(/\n/);
  const ended = new Promise((resolve) => child.on('exit', resolve));
  child.kill('SIGTERM');
  await ended;
  return log
    .trim()
    .split('\n')
    .map((text): Record<string, unknown> => JSON.parse(text));
}

describe('one format for all servers, as processes', () => {
  it.each(Object.values(accounts))('the emulator of %s', async (account) => {
    const args = ['emulator', '--account', account, '--manager-port', '0', '--log-requests'];
    const lines = await linesOf(args, {}, (url) => fetch(`${url}/zone/ips?zone=pricing`));
    expect(lines[0]).toMatchObject({ ...common, msg: 'answered', server: 'api', method: 'GET', path: '/zone/ips' });
  });

  it('the receiver', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'webdata-log-'));
    try {
      const lines = await linesOf(['receive', '--folder', folder, '--port', '0'], {}, (url) =>
        fetch(url, { method: 'POST', body: '[{"a":1}]', headers: { 'content-type': 'application/json' } }),
      );
      expect(lines.length).toBeGreaterThan(0);
      for (const each of lines) expect(each).toMatchObject(common);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('the trigger service', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'webdata-log-'));
    try {
      const args = ['triggers', 'serve', '--port', '0', '--store', join(folder, 'ledger.sqlite')];
      const env = { WEBDATA_TRIGGERS_TOKEN: 't', WEBDATA_API_URL: 'http://127.0.0.1:9', WEBDATA_API_KEY: 'k' };
      const keys = { WEBDATA_TRIGGERS_KEY: Buffer.alloc(32, 1).toString('base64') };
      const lines = await linesOf(args, { ...env, ...keys }, (url) =>
        fetch(`${url}/v1/schedules`, { headers: { authorization: 'Bearer t' } }),
      );
      expect(lines).toContainEqual(expect.objectContaining({ ...common, msg: 'answered', path: '/v1/schedules' }));
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
