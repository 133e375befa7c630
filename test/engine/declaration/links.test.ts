/** Symbolic links of a declaration: a pull request must not be able to show a file of the machine that plans it. */
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/engine/declaration/loadConfig.ts';
import { temporaryFolder } from '../../temporary.ts';
import { shownProblems } from '../shownProblems.ts';

const declaration = 'managerSettings: { a: { url: "http://m/a", logs: 1 } }\n';
const refused = /is a symbolic link to a file outside of the repository, or to a hidden one/;

let folder = '';
let checkout = '';

/** A checkout beside a file that must not be shown. */
beforeEach(async () => {
  folder = temporaryFolder();
  checkout = join(folder, 'checkout');
  await mkdir(join(checkout, '.git'), { recursive: true });
  await mkdir(join(checkout, 'infra'));
  await writeFile(join(folder, 'secret'), 'root:x:0\n');
  await writeFile(join(folder, 'elsewhere.yaml'), declaration);
  await writeFile(join(checkout, '.git', 'config'), 'token\n');
  await writeFile(join(checkout, 'plain.yaml'), declaration);
});

interface Reading {
  file?: string;
  env?: Readonly<Record<string, string>>;
  isDefaultFile?: boolean;
}

const load = ({ file = 'webdata.yaml', ...more }: Reading) =>
  loadConfig([file], { env: {}, folder: checkout, ...more });
const shown = (reading: Reading) => shownProblems(() => load(reading));
const link = (name: string, target: string) => symlink(target, join(checkout, name));

describe('a declaration that is a link', () => {
  it('may lead to anywhere if a person names it', async () => {
    await link('webdata.yaml', join(folder, 'elsewhere.yaml'));
    expect((await load({})).declared).toHaveLength(1);
  });

  it.each([
    ['the default file', { isDefaultFile: true }],
    ['any file in a CI job', { env: { CI: 'true' } }],
    ['any file in a job of GitHub', { env: { GITHUB_ACTIONS: 'true' } }],
    ['any file in a job of GitLab', { env: { GITLAB_CI: 'true' } }],
  ])('must not lead out of the repository: %s', async (_what, reading: Reading) => {
    await link('webdata.yaml', join(folder, 'secret'));
    const problems = await shown(reading);
    expect(problems).toMatch(refused);
    expect(problems).not.toContain('root');
  });

  it('must not lead out of the repository by a link of a folder, though that has a repository', async () => {
    await mkdir(join(folder, 'other', '.git'), { recursive: true });
    await writeFile(join(folder, 'other', 'a.yaml'), declaration);
    await link('linked', join(folder, 'other'));
    expect(await shown({ file: 'linked/a.yaml', env: { CI: 'true' } })).toMatch(refused);
    expect(await shown({ file: 'linked', env: { CI: 'true' } })).toMatch(refused);
  });

  it('must not lead to a hidden file', async () => {
    await link('webdata.yaml', '.git/config');
    expect(await shown({ isDefaultFile: true })).toMatch(refused);
  });

  it('must not lead out of the folder of the job if no repository is around', async () => {
    await symlink(join(folder, 'secret'), join(folder, 'infra.yaml'));
    await mkdir(join(folder, 'job'));
    await symlink('../secret', join(folder, 'job', 'webdata.yaml'));
    const reading = { env: { CI: 'true' }, folder: join(folder, 'job') };
    expect(await shownProblems(() => loadConfig(['webdata.yaml'], reading))).toMatch(refused);
  });

  it('may lead to another file of the repository, also in a CI job', async () => {
    await link('webdata.yaml', 'plain.yaml');
    await link('infra/a.yaml', '../plain.yaml');
    expect((await load({ env: { CI: 'true' } })).declared).toHaveLength(1);
    expect((await load({ file: 'infra', env: { CI: 'true' } })).declared).toHaveLength(1);
  });

  it('is refused in a folder of the repository', async () => {
    await link('infra/a.yaml', join(folder, 'secret'));
    expect(await shown({ file: 'infra' })).toMatch(refused);
  });

  it('may be the default file outside of a repository', async () => {
    await symlink('elsewhere.yaml', join(folder, 'webdata.yaml'));
    const config = await loadConfig(['webdata.yaml'], { env: {}, folder, isDefaultFile: true });
    expect(config.declared).toHaveLength(1);
  });
});

it('a folder that -f names is no way to the files beside it', async () => {
  await writeFile(join(folder, 'beside.yaml'), declaration);
  await mkdir(join(folder, 'infra'));
  await writeFile(join(folder, 'infra', 'a.yaml'), 'include: ../beside.yaml\n');
  expect(await shown({ file: join(folder, 'infra') })).toContain('beside.yaml is outside of the current folder');
});
