/** The demo of a team (`npm run demo:team`), which docs/evidence/team.md shows. */
import { readdir, readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { hasMoto } from '../engine/backend/moto.ts';
import { temporaryFolder } from '../temporary.ts';
import { start } from './process.ts';

it.skipIf(!hasMoto)('the demo of a team plays to its end as docs/evidence/team.md shows it', async () => {
  const parent = temporaryFolder();
  const env = { TMPDIR: parent, HOME: process.env.HOME ?? '' };
  const webdata = resolve('examples/team/demo.ts');
  const { code, stdout, stderr } = await start([], { cwd: process.cwd(), env, webdata }).finished;
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: expect.stringMatching(/has held the lock .*\(https:\/\/github\.com\/acme\/infra\/actions\/runs\/1001\)/),
  });
  expect(stderr).toMatch(/Opened the proposal: \S+\/pull\/2\n(?:.*\n)*Closed the drift issue: /);
  const page = await readFile('docs/evidence/team.md', 'utf8');
  const [, session = ''] = /<!-- demo:team -->\n+```text\n(.*?)```/s.exec(page) ?? [];
  const shown = session.split('\n').filter((line) => /^[$#] /.test(line));
  expect(shown.length).toBeGreaterThan(10);
  const printed = stdout.replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'http://127.0.0.1:22999').split('\n');
  expect(shown.filter((line) => !printed.includes(line))).toEqual([]);
  expect(await readdir(parent)).toEqual([]);
});
