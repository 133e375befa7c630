/** `webdata ci plan`: one comment on a pull request, whatever becomes of the plan. */
import { rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../temporary.ts';
import { bot } from './fakeGitHub.ts';
import { inPlace, oneMove, onGitHub } from './setup.ts';

const marker = '<!-- webdata:plan:webdata.yaml -->\n';

describe('webdata ci plan on GitHub', () => {
  it('comments on the pull request with the plan, and exits with 0 though there are changes', async () => {
    await using github = await onGitHub(oneMove);
    const { code, stdout, stderr } = await github.ci('plan');
    expect(code).toBe(0);
    expect(stdout).toContain('1 IP  from pricing  to checkout  192.0.2.10 us');
    expect(stderr).toContain(
      'The plan is a comment on pull request #7: https://forge.test/acme/infra/pull/7#issuecomment-',
    );
    const [comment, ...others] = github.forge.on(7);
    expect(others).toEqual([]);
    expect(comment?.body.startsWith(marker)).toBe(true);
    expect(comment?.body).toContain(
      '`webdata.yaml` at `c0ffee1` ([job](https://forge.test/acme/infra/actions/runs/4711))',
    );
    expect(comment?.body).toMatch(/^### webdata plan: 1 move · 1 call · /m);
    expect(comment?.body).toContain('192.0.2.10');
  });

  it('gives later steps what became of it', async () => {
    await using github = await onGitHub(oneMove);
    await github.ci('plan');
    const output = await github.left('output');
    expect(output).toMatch(
      /^exit-code<<(end-\S+)\n0\n\1\nchanges<<\1\ntrue\n\1\nsummary<<\1\nPlan: 1 IP moves .*\n\1\n$/,
    );
    expect(await github.left('summary')).toContain('### webdata plan: 1 move · 1 call · ');
  });

  it('keeps that comment up to date, and writes no second one', async () => {
    await using github = await onGitHub(oneMove);
    await github.ci('plan');
    const [{ id } = { id: 0 }] = github.forge.on(7);
    await github.harness.webdata('apply', '--yes');
    expect(await github.ci('plan')).toMatchObject({ code: 0 });
    expect(github.forge.on(7)).toHaveLength(1);
    expect(github.forge.on(7)[0]).toMatchObject({ id, body: expect.stringContaining('No changes') });
    expect(await github.left('output')).toContain('\nfalse\n');
  });

  it.each([
    ['a workflow', undefined, bot],
    ['a person', 'deployer', 'deployer'],
  ])('leaves comments of others alone, where the token is that of %s', async (_whose, person, author) => {
    await using github = await onGitHub(oneMove, person === undefined ? {} : { person });
    const planted = { id: 1, on: 7, author: 'mallory', body: `${marker}an old plan` };
    const quoting = { id: 2, on: 7, author, body: `> ${marker}what does this mean?` };
    const other = { id: 3, on: 7, author, body: '<!-- webdata:plan:webdata.yaml2 -->\nanother plan' };
    github.forge.comments.push({ ...planted }, { ...quoting }, { ...other });
    await github.ci('plan');
    expect(github.forge.on(7).slice(0, 3)).toEqual([planted, quoting, other]);
    expect(github.forge.on(7).slice(3)).toMatchObject([{ author, body: expect.stringContaining('192.0.2.10') }]);
  });

  it('gives each file, and each key, a comment of its own', async () => {
    await using github = await onGitHub(oneMove);
    await github.harness.write('prod.yaml', await github.harness.read('webdata.yaml'));
    await github.ci('plan');
    await github.ci('plan', '--', '-f', 'prod.yaml');
    await github.ci('plan', '--key', 'blue --> green', '--', '--file=prod.yaml');
    await github.ci('plan', '--key', 'blue --> green', '--', '--file=prod.yaml');
    expect(github.forge.on(7).map(({ body }) => body.split('\n')[0])).toEqual([
      '<!-- webdata:plan:webdata.yaml -->',
      '<!-- webdata:plan:prod.yaml -->',
      '<!-- webdata:plan:blue%20-%2D%3E%20green -->',
    ]);
  });

  it('comments what is wrong with the declaration, and exits with 1', async () => {
    await using github = await onGitHub('zoneIpAllocation: {}\n');
    const { code, stderr } = await github.ci('plan');
    expect(code).toBe(1);
    expect(stderr).toContain('zoneIpAllocation');
    expect(github.forge.on(7)).toMatchObject([{ body: expect.stringContaining('did you mean') }]);
    expect(await github.left('output')).toMatch(
      /^exit-code<<(\S+)\n1\n\1\nchanges<<\1\nfalse\n\1\nsummary<<\1\n.*1 problem/,
    );
  });

  it('names the commit of the base under pull_request_target, for that is what it plans', async () => {
    await using github = await onGitHub(oneMove);
    await github.ciWith({ GITHUB_EVENT_NAME: 'pull_request_target' }, 'plan');
    expect(github.forge.on(7)).toMatchObject([{ body: expect.stringContaining('`webdata.yaml` at `aaaaaaa`') }]);
  });

  it('comments nothing where there is no pull request', async () => {
    await using github = await onGitHub(oneMove, { event: { ref: 'refs/heads/main' } });
    const { code, stderr } = await github.ciWith({ GITHUB_REF: 'refs/heads/main' }, 'plan');
    expect(code).toBe(0);
    expect(stderr).toContain('note: not running for a pull or merge request');
    expect(github.forge.calls).toEqual([]);
  });

  it.each([
    ['a comment on it', { issue: { number: 9, pull_request: {} } }, []],
    ['an option', { ref: 'refs/heads/change' }, ['--request', '9']],
  ])('finds the pull request by %s', async (_, event, args) => {
    await using github = await onGitHub(oneMove, { event });
    expect(await github.ciWith({ GITHUB_REF: 'refs/heads/change' }, 'plan', ...args)).toMatchObject({ code: 0 });
    expect(github.forge.on(9)).toHaveLength(1);
  });
});

describe('where GitHub can not be told', () => {
  it('says what the token lacks as a warning, and the plan stands', async () => {
    await using github = await onGitHub(oneMove);
    github.forge.refuse(403, 'Resource not accessible by integration');
    const { code, stdout, stderr } = await github.ci('plan');
    expect(code).toBe(0);
    expect(stdout).toContain('192.0.2.10');
    const warning = stderr.split('\n').find((line) => line.startsWith('::warning')) ?? '';
    expect(warning).toContain('POST /repos/acme/infra/issues/7/comments failed with 403: Resource not accessible');
    expect(warning).toContain('pull-requests: write');
    expect(warning).toContain('fork');
    expect(await github.left('summary')).toContain('192.0.2.10');
    expect(await github.left('output')).toContain('\n0\n');
  });

  it('says how a locked conversation gets its comment', async () => {
    await using github = await onGitHub(oneMove);
    github.forge.refuse(403, 'Unable to create comment because issue is locked.');
    const { code, stderr } = await github.ci('plan');
    expect([code, stderr]).toEqual([0, expect.stringContaining('unlock the conversation')]);
    expect(stderr).not.toContain('pull-requests: write');
  });

  it('fails with --require-comment', async () => {
    await using github = await onGitHub(oneMove);
    github.forge.refuse(403, 'Resource not accessible by integration');
    const { code, stderr } = await github.ci('plan', '--require-comment');
    expect(code).toBe(1);
    expect(stderr).toContain('::error title=webdata ci::GitHub: POST');
  });

  it('fails with --require-comment where there is no pull request', async () => {
    await using github = await onGitHub(oneMove, { event: { ref: 'refs/heads/main' } });
    const main = { GITHUB_REF: 'refs/heads/main' };
    const { code, stdout, stderr } = await github.ciWith(main, 'plan', '--require-comment');
    expect(code).toBe(1);
    expect(stdout).toContain('192.0.2.10');
    expect(stderr).toContain('::error title=webdata ci::not running for a pull or merge request');
    expect(await github.left('output')).toMatch(/^exit-code<<(\S+)\n1\n/);
  });

  it('writes no second comment where it can not be told whose the first is', async () => {
    await using github = await onGitHub(oneMove, { person: 'deployer' });
    await github.ci('plan');
    github.forge.refuse(502, 'Server Error', { reads: true, only: /\/user$/ });
    const { stderr } = await github.ci('plan');
    expect(stderr).toContain('GET /user failed with 502');
    expect(github.forge.on(7)).toHaveLength(1);
  });

  it.each([
    ['without headers', 'GET', {}, 'wait a minute'],
    ['that a wait would be too long', 'GET', { 'retry-after': '3600' }, 'wait 3600 s'],
    ['of what must not be created twice', 'POST', { 'retry-after': '1' }, 'wait 1 s'],
  ])('names an exceeded rate limit instead of a missing permission: %s', async (_why, method, headers, fix) => {
    await using github = await onGitHub(oneMove);
    const limit = { reads: true, headers, only: new RegExp(`^${method} .*comments`) };
    github.forge.refuse(403, 'You have exceeded a secondary rate limit', limit);
    const { code, stderr } = await github.ci('plan');
    expect(code).toBe(0);
    expect(stderr).toContain(`${fix}: the rate limit of the token is exceeded`);
    expect(stderr).not.toContain('pull-requests: write');
    expect(github.forge.calls.filter((call) => limit.only.test(call))).toHaveLength(1);
  });

  it.each([
    ['a wrong token', { GITHUB_TOKEN: 'another-token-0123456789' }, 'failed with 401: Bad credentials'],
    ['no token', { GITHUB_TOKEN: '' }, 'GITHUB_TOKEN is not set'],
    ['an API that is not there', { GITHUB_API_URL: 'http://127.0.0.1:9' }, 'got no answer'],
  ])('goes on with %s, and says why', async (_what, env, why) => {
    await using github = await onGitHub(oneMove);
    const { code, stderr } = await github.ciWith(env, 'plan');
    expect(code).toBe(0);
    expect(stderr).toContain(why);
    expect(stderr).not.toContain('another-token');
  });

  it('says for how long it waits, and then goes on', async () => {
    await using github = await onGitHub(oneMove);
    const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': `${Math.ceil(Date.now() / 1000) + 1}` };
    github.forge.refuse(403, 'API rate limit exceeded', { reads: true, only: /GET .*comments/, times: 1, headers });
    const { stderr } = await github.ci('plan');
    expect(stderr).toMatch(
      /^note: GitHub: GET \S+comments waits \d+ s, as GitHub asks: its rate limit is exceeded\.$/m,
    );
    expect(stderr).toContain('The plan is a comment');
  });

  it('leaves one comment of two', async () => {
    await using github = await onGitHub(oneMove);
    const { comments } = github.forge;
    for (const id of [50, 51]) comments.push({ id, on: 7, author: bot, body: `${marker}a first run` });
    await github.ci('plan');
    expect(github.forge.on(7)).toMatchObject([{ id: 50, body: expect.stringContaining('192.0.2.10') }]);
  });

  it.each([
    ['a fork', { repo: { full_name: 'ada/infra' } }, {}, 'comes from a fork (ada/infra), and GitHub passes no secrets'],
    ['a deleted fork', { repo: null }, {}, 'comes from a fork, and GitHub passes no secrets'],
    ['Dependabot', {}, { GITHUB_ACTOR: 'dependabot[bot]' }, 'comes from Dependabot, and GitHub passes only'],
  ])('says that %s gets no secrets', async (_who, head, env, why) => {
    const event = { pull_request: { number: 7, head: { sha: 'c0ffee'.padEnd(40, '1'), ...head } } };
    await using github = await onGitHub(oneMove, { event });
    for (const name of ['WEBDATA_API_KEY', 'WEBDATA_API_URL']) {
      const { code, stderr } = await github.ciWith({ ...env, [name]: '' }, 'plan');
      expect(code).toBe(1);
      expect(stderr).toContain(`pull request #7 ${why}`);
      expect(github.forge.on(7)).toMatchObject([{ body: expect.stringContaining(why) }]);
    }
    expect(await github.ciWith(env, 'plan')).toMatchObject({ code: 0 });
  });

  it('sends the token nowhere else, wherever a list is said to go on', async () => {
    await using github = await onGitHub(oneMove);
    await using elsewhere = await onGitHub(oneMove);
    const { comments } = github.forge;
    for (let id = 1001; id <= 1101; id += 1) comments.push({ id, on: 7, author: 'ada', body: 'me too' });
    const apiUrl = github.forge.url;
    github.forge.url = elsewhere.forge.url;
    await github.ciWith({ GITHUB_API_URL: apiUrl }, 'plan');
    expect(elsewhere.forge.calls).toEqual([]);
  });
});

describe('without a forge', () => {
  it('plans, and says that nobody else is told', async () => {
    await using github = await onGitHub(inPlace);
    const { code, stdout, stderr } = await github.harness.webdata('ci', 'plan');
    expect(code).toBe(0);
    expect(stdout).toContain('No changes');
    expect(stderr).toContain('note: not running in GitHub Actions or GitLab CI');
    expect(github.forge.calls).toEqual([]);
  });

  it('fails with --require-comment', async () => {
    await using github = await onGitHub(inPlace);
    const { code, stderr } = await github.harness.webdata('ci', 'plan', '--require-comment');
    expect(code).toBe(1);
    expect(stderr).toContain('error: not running in GitHub Actions or GitLab CI');
    const printed = await github.harness.webdata('ci', 'plan', '--require-comment', '--print');
    expect(printed).toMatchObject({ code: 1, stderr: expect.stringContaining('cannot be used with') });
  });
});

it('shows no file outside of the checkout, to which the declaration is a link', async () => {
  await using github = await onGitHub(oneMove);
  const outside = join(temporaryFolder(), 'secret');
  await writeFile(outside, 'hidden-line: [1\n');
  await rm(join(github.harness.folder, 'webdata.yaml'));
  await symlink(outside, join(github.harness.folder, 'webdata.yaml'));
  const { code, stdout, stderr } = await github.ci('plan', '--', '-f', 'webdata.yaml');
  const [comment] = github.forge.on(7);
  expect([code, comment?.body]).toEqual([1, expect.stringContaining('is a symbolic link to a file outside')]);
  expect(`${stdout}${stderr}${comment?.body}${await github.left('summary')}`).not.toContain('hidden-line');
});
