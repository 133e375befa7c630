/** The functions plan, apply and drift as programs use them: the example, and the code of the page. */
import { execFile } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { type Harness, openDeclared } from '../cli/harness.ts';

const run = promisify(execFile);

/** Declares IPs of pricing for checkout. The package in the folder is the one that was built here. */
async function open(...ips: string[]): Promise<Harness & { program: (file: string) => Promise<string> }> {
  const declaration = `zoneIpAllocations: { static: { zones: { checkout: { ips: [${ips.join(', ')}] } }, sources: [pricing] } }\n`;
  const harness = await openDeclared('plain', declaration);
  onTestFinished(() => harness[Symbol.asyncDispose]());
  const { emulator, folder: cwd } = harness;
  await mkdir(join(cwd, 'node_modules'));
  await symlink(resolve('.'), join(cwd, 'node_modules/pulumi-webdata'));
  const env = { ...process.env, WEBDATA_API_URL: emulator.apiUrl, WEBDATA_API_KEY: emulator.keys.ops };
  const program = async (file: string) => {
    const { stdout, stderr } = await run(process.execPath, [file], { cwd, env });
    return stdout + stderr;
  };
  return { ...harness, program };
}

const example = resolve('examples/program/apply.ts');

it('the example applies, writes the report, and finds no drift', async () => {
  const { program, read, emulator } = await open('192.0.2.10');
  expect(await program(example)).toBe(
    'sending migrate of static\nmigrate: accepted\nmigrate: done\napplied: 1 of 1 calls made\nNo drift.\n',
  );
  expect(await read('report.md')).toContain('192.0.2.10');
  expect(emulator.ips('checkout')).toContain('192.0.2.10');
});

it('the example does not approve a plan that takes more than five IPs from a zone', async () => {
  const { program, emulator } = await open('192.0.2.10-192.0.2.11', '198.51.100.10-198.51.100.13');
  const before = emulator.ips('pricing');
  expect(await program(example)).toMatch(/^not approved: pricing loses 6 IPs\ndeclined: /);
  expect(emulator.ips('pricing')).toEqual(before);
});

it('the example prints the location of a mistake in the declaration', async () => {
  const { program, write } = await open('192.0.2.10');
  await write('webdata.yaml', 'zoneIpAllocation: {}\n');
  await expect(program(example)).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^webdata\.yaml:1: .*; fix: /),
  });
});

it('the example with one account shows the drift, applies and prints the report', async () => {
  const { program, emulator } = await open('192.0.2.10');
  const printed = await program(resolve('examples/program/account.ts'));
  expect(printed).toMatch(
    /^The account has drifted\.\nmigrate: accepted\nmigrate: done\napplied\n[\s\S]*192\.0\.2\.10/,
  );
  expect(emulator.ips('checkout')).toContain('192.0.2.10');
  emulator.move(['192.0.2.10'], 'pricing');
  emulator.addFault({ route: 'zone/ips/migrate', occurrence: 1, fault: { kind: 'short-move', moves: 0 } });
  const failed = await program(resolve('examples/program/account.ts'));
  expect(failed).toContain('\nfailed\n');
  expect(failed).toMatch(/\nrun \S+ made no change/);
});

it('the code of the page runs as it stands', async () => {
  const { folder, program, emulator } = await open('192.0.2.10');
  const page = await readFile('docs/program.md', 'utf8');
  const code = [...page.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, block]) => block).join('\n');
  await writeFile(join(folder, 'page.ts'), code);
  expect(await program('page.ts')).toMatch(
    /^ZoneIpAllocation\/static: 1 calls\nmigrate: accepted\nmigrate: done\napplied [\w-]{36}\nstatic 0\nno drift\nunchanged\n$/,
  );
  expect(emulator.ips('checkout')).toContain('192.0.2.10');
});
