/** Names that are empty, as a variable that is not set leaves them. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { plan } from '../../../src/index.ts';
import { type Harness, openDeclared } from '../harness.ts';

let harness: Harness;

beforeAll(async () => {
  harness = await openDeclared('plain', 'managerSettings: { local: { logs: 500 } }\n');
});
afterAll(() => harness[Symbol.asyncDispose]());

const file = 'the name of the file is empty';
const folder = 'the name of the folder is empty';

it.each<[found: string, args: string[]]>([
  [`--file: ${file}`, ['plan', '-f', '']],
  [`--file: ${file}`, ['apply', '--yes', '-f', 'webdata.yaml', '-f', '']],
  [`--file: ${file}`, ['validate', '--file=']],
  [`--file: ${file}`, ['fmt', '-f', '']],
  [`--file: ${file}`, ['ci', 'plan', '--', '-f', '']],
  [`the argument file: ${file}`, ['fmt', '']],
  [`the argument file: ${file}`, ['init', '']],
  [`the argument plan: ${file}`, ['apply', '', '--yes']],
  ['--all: the pattern is empty', ['plan', '--all', '']],
  [`--output: ${file}`, ['plan', '--output', '']],
  [`--output: ${file}`, ['zones', 'recent', '--output', '']],
  [`--journal: ${file}`, ['history', '--journal', '']],
  ['--backend: the address is empty', ['plan', '--backend', '']],
  ['--api-url: the URL is empty', ['plan', '--api-url', '']],
  ['--policy: the command is empty', ['ci', 'plan', '--policy', '']],
  [`--inputs: ${file}`, ['collect', 'c_x', '--inputs', '']],
  [`--patch: ${file}`, ['drift', '--accept', '--patch', '']],
  [`--ready-file: ${file}`, ['triggers', 'serve', '--ready-file', '']],
  [`--account: ${file}`, ['emulator', '--account', '']],
  [`--folder: ${folder}`, ['receive', '--folder', '']],
])('%s in %j', async (found, args) => {
  const { code, stdout, stderr } = await harness.webdata(...args);
  expect(stderr).toContain(found);
  expect(stderr).toContain('fix: set the variable that it is taken from, or leave it out');
  expect([code, stdout]).toEqual([1, '']);
  expect(harness.emulator.requests()).toEqual([]);
});

it('is refused as a report too', async () => {
  const { code, stderr } = await harness.webdata('plan', '--report', 'json=');
  expect([code, stderr]).toEqual([1, expect.stringContaining('It must be FORMAT=FILE')]);
});

it('is refused in a program, which passes it as an option', async () => {
  await expect(plan({ file: '', cwd: harness.folder })).rejects.toMatchObject({ problems: [{ code: 'empty-name' }] });
});

it.each([
  ['lists.yaml', 'zoneIpAllocations: { s: { zones: { checkout: { ips: [{ file: "" }] } } } }', 'lists.yaml:1:'],
  ['includes.yaml', 'include: [""]', 'includes.yaml:1:11'],
])('is refused in %s, with its location', async (name, yaml, place) => {
  await harness.write(name, yaml);
  const { code, stderr } = await harness.webdata('validate', '-f', name);
  expect(stderr).toContain(place);
  expect(stderr).toContain('the name of a file is empty');
  expect(code).toBe(1);
});
