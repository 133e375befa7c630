/** Names that are empty, as a variable that is not set leaves them. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { plan } from '../../../src/index.ts';
import { type Harness, openDeclared } from '../harness.ts';

let harness: Harness;

beforeAll(async () => {
  harness = await openDeclared('plain', 'managerSettings: { local: { logs: 500 } }\n');
});
afterAll(() => harness[Symbol.asyncDispose]());

it.each<[found: string, args: string[]]>([
  ['--file', ['plan', '-f', '']],
  ['--file', ['apply', '--yes', '-f', 'webdata.yaml', '-f', '']],
  ['--file', ['validate', '--file=']],
  ['--file', ['fmt', '-f', '']],
  ['the argument args', ['ci', 'plan', '--', '-f', '']],
  ['--file', ['ci', 'plan', '--', '--file=']],
  ['the argument file', ['fmt', '']],
  ['the argument file', ['init', '']],
  ['the argument plan', ['apply', '', '--yes']],
  ['--all', ['plan', '--all', '']],
  ['--output', ['plan', '--output', '']],
  ['--output', ['zones', 'recent', '--output', '']],
  ['--journal', ['history', '--journal', '']],
  ['--backend', ['plan', '--backend', '']],
  ['--api-url', ['plan', '--api-url', '']],
  ['--policy', ['ci', 'plan', '--policy', '']],
  ['--inputs', ['collect', 'c_x', '--inputs', '']],
  ['--patch', ['drift', '--accept', '--patch', '']],
  ['--ready-file', ['triggers', 'serve', '--ready-file', '']],
  ['--account', ['emulator', '--account', '']],
  ['--folder', ['receive', '--folder', '']],
  ['the argument run', ['undo', '', '--yes']],
])('%s in %j', async (found, args) => {
  const { code, stdout, stderr } = await harness.webdata(...args);
  expect(stderr).toContain(`${found}: the value is empty`);
  expect(stderr).toContain('fix: set the variable that it is taken from, or leave it out');
  expect([code, stdout]).toEqual([1, '']);
  expect(harness.emulator.requests()).toEqual([]);
});

it('is refused as a report too', async () => {
  const { code, stderr } = await harness.webdata('plan', '--report', 'json=');
  expect([code, stderr]).toEqual([1, expect.stringContaining('It must be FORMAT=FILE')]);
});

it('is refused in a program, which passes it as an option', async () => {
  await expect(plan({ file: '', cwd: harness.folder })).rejects.toThrow('"" can\'t be read');
});

it.each([
  ['lists.yaml', 'zoneIpAllocations: { s: { zones: { checkout: { ips: [{ file: "" }] } } } }', 'lists.yaml:1:'],
  ['includes.yaml', 'include: [""]', 'includes.yaml:1:11'],
])('is refused in %s, with its location', async (name, yaml, place) => {
  await harness.write(name, yaml);
  const { code, stderr } = await harness.webdata('validate', '-f', name);
  expect(stderr).toContain(place);
  expect(stderr).toContain(". can't be read: it is a folder");
  expect(code).toBe(1);
});
