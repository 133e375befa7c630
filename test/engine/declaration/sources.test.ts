/** The files of a declaration: which may be named, how they are merged, and what is said of those that cannot be read. */
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Config } from '../../../src/engine/declaration/config.ts';
import { loadConfig } from '../../../src/engine/declaration/loadConfig.ts';
import { temporaryFolder } from '../../temporary.ts';
import { shownProblems } from '../shownProblems.ts';

async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return folder;
}

/** Root may read everything. A thread, as in a run of mutations, cannot change its user. */
function dropPrivileges(): void {
  if (process.getuid?.() !== 0) return;
  process.seteuid?.('nobody');
  onTestFinished(() => process.seteuid?.(0));
}

async function load(files: Readonly<Record<string, string>>, ...names: string[]): Promise<Config> {
  return loadConfig(names.length > 0 ? names : ['webdata.yaml'], { env: {}, folder: await folderWith(files) });
}

const shown = (files: Readonly<Record<string, string>>, ...names: string[]) =>
  shownProblems(() => load(files, ...names));

const manager = (name: string, logs = 1) =>
  `managerSettings: { ${name}: { url: "http://m/${name}", logs: ${logs} } }\n`;
const namesIn = ({ declared }: Config) => declared.map(({ name }) => name);

describe('a file that cannot be read', () => {
  it('is named with the cause and what to do', async () => {
    expect(await shown({})).toMatchInlineSnapshot(`
      "webdata.yaml can't be read: the file does not exist
        fix: name the file with -f FILE, go to the folder that holds webdata.yaml, or make one with \`webdata init\`"
    `);
    expect(await shown({ 'empty/notes.txt': '' }, 'empty')).toMatchInlineSnapshot(`
      "the folder empty has no declaration
        allowed: files that end with .yaml or .yml
        fix: name another folder or a file with -f"
    `);
    expect(await shown({ 'webdata.yaml': 'include: none.yaml\n' })).toMatchInlineSnapshot(`
      "webdata.yaml:1:10: none.yaml can't be read: the file does not exist
        fix: correct the name of the file"
    `);
    expect(await shown({ 'webdata.yaml': 'include: [folder]\n', 'folder/a.yaml': '' })).toMatchInlineSnapshot(`
      "webdata.yaml:1:11: folder can't be read: it is a folder
        fix: correct the name of the file"
    `);
    expect(await shown({ 'webdata.yaml': 'include: "zones/*.yaml"\n' })).toMatchInlineSnapshot(`
      "webdata.yaml:1:10: zones/*.yaml matches no file
        allowed: a pattern that starts from the folder of this file
        fix: correct the pattern"
    `);
    expect(await shown({ 'webdata.yaml': 'include: ../a.yaml\n' })).toMatchInlineSnapshot(`
      "webdata.yaml:1:10: ../a.yaml is outside of the current folder and of the folder of the declaration, or is hidden
        allowed: files within these folders whose path has no name that begins with a dot
        fix: move the file, or run the command in a folder above it"
    `);
    expect(await shown({ 'webdata.yaml': 'include: /a.yaml\n', 'a.yaml': '' })).toMatchInlineSnapshot(`
      "webdata.yaml:1:10: /a.yaml is an absolute path
        allowed: a path that starts from the folder of this file
        fix: write the path without the folder of this file"
    `);
  });

  it.runIf(isMainThread)('may be one without permission', async () => {
    const folder = await folderWith({ 'webdata.yaml': '' });
    await chmod(join(folder, 'webdata.yaml'), 0);
    dropPrivileges();
    expect(await shownProblems(() => loadConfig(['webdata.yaml'], { env: {}, folder }))).toContain('permission denied');
  });

  it('of another cause is named with it', async () => {
    const folder = await folderWith({});
    await symlink('loop.yaml', join(folder, 'loop.yaml'));
    expect(await shownProblems(() => loadConfig(['loop.yaml'], { env: {}, folder }))).toMatch(
      /^loop.yaml can't be read: its symbolic links form a loop\n/,
    );
    expect(await shownProblems(() => loadConfig([`${'x'.repeat(300)}.yaml`], { env: {}, folder }))).toContain(
      'its name is too long',
    );
  });
});

/** The settings of one manager. */
const settings = (logs: number) => `managerSettings: { local: { url: http://127.0.0.1:22999, logs: ${logs} } }\n`;

describe('a file that another file names', () => {
  it.each([
    ['a pattern of names', '"zones/*.yaml"', ['a', 'b']],
    ['a pattern of one character', '"zones/?.yaml"', ['a', 'b']],
    ['a pattern of some characters', '"zones/[ab].yaml"', ['a', 'b']],
    ['a pattern of alternatives', '"zones/{b,c}.yaml"', ['b']],
    ['several, in their order', '[zones/b.yaml, zones/a.yaml]', ['b', 'a']],
    ['one', 'zones/a.yaml', ['a']],
  ])('may be %s', async (_, include, names) => {
    const files = {
      'webdata.yaml': `include: ${include}\n`,
      'zones/b.yaml': manager('b'),
      'zones/a.yaml': manager('a'),
    };
    expect(namesIn(await load(files))).toEqual(names);
  });

  it('may be in the folder of any file of -f, or in the current one', async () => {
    const files = {
      'a/webdata.yaml': 'include: ../b/more.yaml\n',
      'a/own.yaml': 'include: more.yaml\n',
      'a/more.yaml': manager('own'),
      'b/more.yaml': manager('more'),
    };
    expect(namesIn(await load(files, 'a/webdata.yaml'))).toEqual(['more']);
    const folder = await folderWith(files);
    const options = { env: {}, folder: join(folder, 'a') };
    expect(await shownProblems(() => loadConfig(['webdata.yaml'], options))).toContain('outside of the current folder');
    expect(namesIn(await loadConfig([join(folder, 'a/own.yaml')], { env: {}, folder: join(folder, 'b') }))).toEqual([
      'own',
    ]);
    const both = await loadConfig(['webdata.yaml', '../b/more.yaml'], options);
    expect(namesIn(both)).toEqual(['more']);
  });

  it('may not be hidden, at any depth', async () => {
    for (const name of ['.a.yaml', '.git/a.yaml', 'b/.c/a.yaml']) {
      expect(await shown({ 'webdata.yaml': `include: ${name}\n`, [name]: '' })).toContain(`${name} is outside of`);
    }
    expect(namesIn(await load({ 'webdata.yaml': 'include: b.c/a.yaml\n', 'b.c/a.yaml': manager('a') }))).toEqual(['a']);
  });

  it('is merged once, before the first file that includes it', async () => {
    const files = {
      'webdata.yaml': 'include: [a.yaml, b.yaml]\n',
      'a.yaml': `include: c.yaml\n${settings(2)}`,
      'b.yaml': 'include: c.yaml\n',
      'c.yaml': settings(1),
    };
    expect((await load(files)).declared[0]?.spec).toMatchObject({ logs: 2 });
    const folder = await folderWith(files);
    const overlaid = await loadConfig(['a.yaml', 'b.yaml'], { env: {}, folder });
    expect(overlaid.declared[0]?.spec).toMatchObject({ logs: 2 });
    expect(namesIn(await load({ 'webdata.yaml': `include: webdata.yaml\n${manager('a')}` }))).toEqual(['a']);
  });

  it.each([
    '{1..99999999}.yaml',
    `${'{a,b}'.repeat(40)}.yaml`,
    `*${'+('.repeat(20)}a${')'.repeat(20)}.yaml`,
    'zones/*/../../../**',
  ])('is not looked for by a pattern without end: %s', async (pattern) => {
    expect(await shown({ 'webdata.yaml': `include: "${pattern}"\n` })).toContain('webdata.yaml:1:10: the pattern ');
  });

  it('is one of a thousand at most', async () => {
    const many = Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`zones/${index}.yaml`, '']));
    expect(await shown({ ...many, 'webdata.yaml': 'include: "zones/*.yaml"\n' })).toMatchInlineSnapshot(`
      "webdata.yaml:1:10: the declaration has more than 1,000 files
        fix: narrow the pattern under \`include\`"
    `);
  });
});

describe('the files of a folder', () => {
  it('may repeat values, and share those below a key, in any order', async () => {
    const files = {
      'x/b.yaml': `name: acme\n${manager('b')}include: ../more.yaml\n`,
      'x/a.yml': `name: acme\n${manager('a')}include: ../other.yaml\n`,
      'more.yaml': '',
      'other.yaml': 'account: eu\n',
    };
    const { name, account, declared } = await load(files, 'x');
    expect({ name, account, names: declared.map((each) => each.name) }).toEqual({
      name: 'acme',
      account: 'eu',
      names: ['a', 'b'],
    });
  });

  it('may not have two values in one place, also in a third file', async () => {
    const files = { 'x/a.yaml': manager('a', 1), 'x/b.yaml': manager('b'), 'x/c.yaml': manager('a', 2) };
    expect(await shown(files, 'x')).toMatchInlineSnapshot(`
      "x/c.yaml:1:44: managerSettings.a.logs is set in two files of the folder
        at: managerSettings.a.logs
        allowed: each value in one file: the files of a folder have no order
        fix: remove one of them; for overlays, name the files one by one with -f
        also: x/a.yaml:1:44 is the other one"
    `);
    const nested = { 'x/a.yaml': 'name: acme\n', 'x/b.yaml': 'name: { a: 1 }\n' };
    expect(await shown(nested, 'x')).toContain('name is set in two files of the folder');
    const emptied = { 'x/a.yaml': manager('a'), 'x/b.yaml': 'managerSettings:\n' };
    expect(await shown(emptied, 'x')).toContain('managerSettings is set in two files of the folder');
  });

  it('are those whose name ends so, and begins with no dot', async () => {
    const files = {
      'x/a.yaml': manager('a'),
      'x/b.yaml.bak': 'nonsense: 1\n',
      'x/.c.yaml': 'nonsense: 1\n',
      'x/dyaml': '',
      'x/e.yml': '',
    };
    expect(namesIn(await load(files, 'x'))).toEqual(['a']);
  });
});

it('an overlay removes a collection by leaving it empty', async () => {
  const files = { 'base.yaml': manager('a'), 'over.yaml': 'managerSettings:\n' };
  expect(namesIn(await load(files, 'base.yaml', 'over.yaml'))).toEqual([]);
});

describe('a file that is not a map', () => {
  it.each([
    ['in a folder', ['infra']],
    ['as a base', ['infra/a.yaml', 'infra/b.yaml']],
    ['as an overlay', ['infra/b.yaml', 'infra/a.yaml']],
    ['that is included', ['c.yaml']],
  ])('is named: %s', async (_where, names) => {
    const files = {
      'infra/a.yaml': '# a note\nhello\n',
      'infra/b.yaml': manager('b'),
      'c.yaml': 'include: infra/a.yaml\n',
    };
    expect(await shown(files, ...names)).toBe(
      [
        'infra/a.yaml:2:1: the value is a string "hello"',
        '  allowed: a map, as in each file of a declaration',
        '  fix: write `name: value` lines, or take the file out of the declaration',
      ].join('\n'),
    );
  });

  it('is named without the value of a variable', async () => {
    const folder = await folderWith({ 'infra/a.yaml': '- a\n', 'infra/b.yaml': `"\${KEY}"\n` });
    const problems = await shownProblems(() => loadConfig(['infra'], { env: { KEY: 'canary' }, folder }));
    expect(problems).toContain('infra/a.yaml:1:1: the value is a list');
    expect(problems).toContain(`infra/b.yaml:1:1: the value is a string "\${KEY}"`);
  });
});
