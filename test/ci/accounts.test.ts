/** `webdata ci … -- --all`: one comment and one issue for all accounts, with a section for each. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Accounts, inPlace, oneMove, openAccounts } from '../cli/accounts/accounts.ts';
import type { Result } from '../cli/harness.ts';
import { type FakeGitHub, fakeGitHub } from './fakeGitHub.ts';
import { token } from './posts.ts';
import { pullRequest } from './setup.ts';

const all = ['--', '--all', 'accounts/*.yaml'];

interface OnGitHub extends AsyncDisposable {
  its: Accounts;
  forge: FakeGitHub;
  ci(...args: string[]): Promise<Result>;
}

async function onGitHub(declarations: Record<string, string>, event: object): Promise<OnGitHub> {
  const its = await openAccounts(declarations);
  const forge = await fakeGitHub({});
  const { folder } = its.harness;
  for (const [name, text] of Object.entries({ 'event.json': JSON.stringify(event), output: '', summary: '' }))
    await its.write(name, text);
  const env = {
    ...forge.env,
    GITHUB_TOKEN: token,
    GITHUB_WORKSPACE: folder,
    GITHUB_EVENT_PATH: join(folder, 'event.json'),
    GITHUB_OUTPUT: join(folder, 'output'),
    GITHUB_STEP_SUMMARY: join(folder, 'summary'),
  };
  return {
    its,
    forge,
    ci: (...args) => its.webdataWith({ env }, 'ci', ...args),
    [Symbol.asyncDispose]: () => its[Symbol.asyncDispose](),
  };
}

it('keeps one comment with a section for each account', async () => {
  await using github = await onGitHub({ eu: oneMove, us: inPlace }, pullRequest(7));
  expect(await github.ci('plan', ...all)).toMatchObject({ code: 0 });
  expect(await github.ci('plan', ...all)).toMatchObject({ code: 0 });
  expect(github.forge.comments).toHaveLength(1);
  const body = github.forge.comments[0]?.body ?? '';
  expect(body).toContain('<!-- webdata:plan:accounts/*.yaml -->');
  expect(body).toContain('### webdata plan of 2 accounts: changes in 1, no changes in 1.');
  expect(body.match(/^## .*$/gm)).toEqual(['## `acme-eu`', '## `acme-us`']);
  expect(await github.its.read('output')).toContain('Plan of 2 accounts: changes in 1, no changes in 1.');
  expect(await github.its.read('output')).toMatch(/^changes<<(\S+)\ntrue\n/m);
  expect((await github.its.read('summary')).match(/^### .*$/gm)).toHaveLength(6);
});

it('asks a policy about the plan of each account, and names the account of each reason', async () => {
  await using github = await onGitHub({ eu: oneMove, us: inPlace, jp: oneMove }, pullRequest(7));
  // The rule reads one plan, as `jq -e '.resources[].calls == []'` would.
  const rule = `node -e "
    const plan = JSON.parse(fs.readFileSync(0, 'utf8'));
    if (plan.format !== 'webdata.plan/1') { console.log('not a plan'); process.exit(1); }
    if (plan.resources.some(({ calls }) => calls.length > 0)) { console.log('nothing may move'); process.exit(1); }"`;
  expect(await github.ci('plan', '--policy', rule, ...all)).toMatchObject({ code: 1 });
  const body = github.forge.comments[0]?.body ?? '';
  expect(body.match(/^- .*nothing may move$/gm)).toEqual([
    '- acme-eu: nothing may move',
    '- acme-jp: nothing may move',
  ]);
  expect(body).not.toContain('not a plan');
});

it('reports drift in one issue, also while another account cannot be read', async () => {
  await using github = await onGitHub({ eu: inPlace, us: inPlace }, { schedule: '0 * * * *' });
  const { its, forge, ci } = github;
  const us = await its.read('accounts/us.yaml');
  await its.write('accounts/us.yaml', us.replace(/apiKey: .*/, 'apiKey: wrong-key'));
  expect(await ci('drift', ...all)).toMatchObject({ code: 1 });
  expect(forge.issues).toEqual([]);
  its.emulators.eu?.move(['192.0.2.12'], 'parked');
  expect(await ci('drift', ...all)).toMatchObject({ code: 1 });
  expect(forge.issues).toMatchObject([{ title: 'Drift: accounts/*.yaml', open: true }]);
  expect(forge.issues[0]?.body).toContain('Drift of 2 accounts: drift in 1, blocked in 1.'.slice('Drift'.length));
  await its.webdata('apply', '-f', 'accounts/eu.yaml', '--yes');
  expect(await ci('drift', ...all)).toMatchObject({ code: 1 });
  expect(forge.issues).toMatchObject([{ open: true }]);
  await its.write('accounts/us.yaml', us);
  expect(await ci('drift', ...all)).toMatchObject({ code: 0 });
  expect(forge.issues).toMatchObject([{ open: false }]);
});

it('applies all accounts, and says whether anything was changed', async () => {
  await using github = await onGitHub({ eu: oneMove, us: inPlace }, {});
  expect(await github.ci('apply', ...all)).toMatchObject({ code: 0 });
  expect(await github.its.read('output')).toContain('Apply of 2 accounts: done in 1, no changes in 1.');
  expect(await github.its.read('output')).toMatch(/^changes<<(\S+)\ntrue\n/m);
});

it('proposes one request with the edits of all accounts that have drift', async () => {
  await using github = await onGitHub({ eu: inPlace, us: inPlace, jp: inPlace }, { schedule: '0 * * * *' });
  const { its, forge, ci } = github;
  const names = ['accounts/eu.yaml', 'accounts/us.yaml', 'accounts/jp.yaml'];
  const before = await Promise.all(names.map(async (name) => [name, await its.read(name)] as const));
  forge.repository.commit('main', 'start', Object.fromEntries(before), undefined, forge.env.GITHUB_SHA);
  for (const name of ['eu', 'us']) its.emulators[name]?.move(['192.0.2.12'], 'parked');
  expect(await ci('drift', '--propose', ...all)).toMatchObject({ code: 2 });
  expect(forge.issues).toHaveLength(1);
  expect(forge.repository.requests).toMatchObject([{ title: 'Accept drift: accounts/*.yaml', state: 'open' }]);
  const { branch = '', body = '' } = forge.repository.open ?? {};
  expect(body).toContain('Merging changes `accounts/eu.yaml`, `accounts/us.yaml` to match it.');
  const edited = (name: string, text: string) => (name.includes('jp') ? text : text.replace('[192.0.2.12]', '[]'));
  const after = before.map(([name, text]) => [name, edited(name, text)]);
  expect(Object.fromEntries(forge.repository.head(branch)?.files ?? [])).toEqual(Object.fromEntries(after));
  expect(await its.read('accounts/eu.yaml')).toBe(before[0]?.[1]);

  // An account that cannot be checked leaves the request as it is.
  const request = structuredClone(forge.repository.open);
  await its.write('accounts/us.yaml', (before[1]?.[1] ?? '').replace(/apiKey: .*/, 'apiKey: wrong-key'));
  expect(await ci('drift', '--propose', ...all)).toMatchObject({ code: 1 });
  expect(forge.repository.open).toEqual(request);
  await its.write('accounts/us.yaml', before[1]?.[1] ?? '');
  for (const name of ['eu', 'us']) its.emulators[name]?.move(['192.0.2.12'], 'checkout');
  expect(await ci('drift', '--propose', ...all)).toMatchObject({ code: 0 });
  expect(forge.repository.requests).toMatchObject([{ state: 'closed' }]);
});

it('reports drift and proposes nothing if accounts that share a file need different edits of it', async () => {
  const [shared, include] = [
    'zoneIpAllocations: { static: { zones: { checkout: { ips: [192.0.2.12, 192.0.2.13] } }, spare: parked } }\n',
    'include: [../shared.yaml]\n',
  ];
  await using github = await onGitHub({ eu: include, us: include }, { schedule: '0 * * * *' });
  const { its, forge, ci } = github;
  await its.write('shared.yaml', shared);
  its.emulators.eu?.move(['192.0.2.12'], 'parked');
  its.emulators.us?.move(['192.0.2.13'], 'parked');
  const { code, stderr } = await ci('drift', '--propose', ...all);
  expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('need different edits of it') });
  expect(forge.issues).toHaveLength(1);
  expect(forge.repository.requests).toEqual([]);
});
