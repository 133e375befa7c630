/** `webdata fmt`: formats files, or says which are not formatted. */
import { expect, it } from 'vitest';
import { openHarness } from '../harness.ts';

it('formats files and names those that it changed', async () => {
  await using harness = await openHarness('plain');
  await harness.write('webdata.yaml', 'name:   acme # owner\n');
  await harness.write('good.yaml', 'name: acme\n');
  expect(await harness.webdata('fmt', '--check', '.')).toEqual({ code: 2, stdout: 'webdata.yaml\n', stderr: '' });
  expect(await harness.read('webdata.yaml')).toBe('name:   acme # owner\n');
  expect(await harness.webdata('fmt')).toEqual({ code: 0, stdout: 'webdata.yaml\n', stderr: '' });
  expect(await harness.read('webdata.yaml')).toBe('name: acme # owner\n');
  expect(await harness.webdata('fmt', '--check', '.')).toEqual({ code: 0, stdout: '', stderr: '' });
});

it('formats the other files although one is not valid', async () => {
  await using harness = await openHarness('plain');
  await harness.write('a.yaml', 'name: [\n');
  await harness.write('b.yaml', 'name:  acme\n');
  const { code, stdout, stderr } = await harness.webdata('fmt', 'a.yaml', 'b.yaml');
  expect({ code, stdout }).toEqual({ code: 1, stdout: 'b.yaml\n' });
  expect(stderr).toContain('a.yaml:');
});

it('takes files with -f, as every other command', async () => {
  await using harness = await openHarness('plain');
  await harness.write('a.yaml', 'name:  acme\n');
  await harness.write('b.yaml', 'name:  acme\n');
  expect(await harness.webdata('fmt', '-f', 'a.yaml', '--file', 'b.yaml')).toMatchObject({
    stdout: 'a.yaml\nb.yaml\n',
  });
});

it('has nothing to change in what init and pull write', async () => {
  await using harness = await openHarness('plain');
  await harness.webdata('init', 'template.yaml');
  await harness.webdata('pull', '--output', 'live.yaml');
  await harness.webdata('pull', '--zone', 'checkout', '--output', 'pulled.yaml');
  for (const file of ['template.yaml', 'live.yaml', 'pulled.yaml']) {
    expect(await harness.read(file)).not.toBe('');
    expect(await harness.webdata('fmt', '--check', file)).toEqual({ code: 0, stdout: '', stderr: '' });
  }
});

it('writes nothing into a file without a value', async () => {
  await using harness = await openHarness('plain');
  for (const text of ['', '# later\n']) {
    await harness.write('webdata.yaml', text);
    expect(await harness.webdata('fmt')).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await harness.read('webdata.yaml')).toBe(text);
  }
});
