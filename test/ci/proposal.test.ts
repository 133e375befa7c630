// biome-ignore-all lint/suspicious/noTemplateCurlyInString: `${NAME}` is the syntax under test
/** `webdata ci drift --propose`: one request with the edit that accepts the drift, on both code hosts. */
import { describe, expect, it } from 'vitest';
import { type Harness, openDeclared, type Result } from '../cli/harness.ts';
import { fakeGitHub } from './fakeGitHub.ts';
import { fakeGitLab } from './fakeGitLab.ts';
import type { FakeRepository } from './fakeRepository.ts';
import { type FakeForge, token } from './posts.ts';
import { onGitHub } from './setup.ts';

const declaration = `# our zones
zoneIpAllocations:
  static:
    zones:
      checkout: { ips: [192.0.2.12, 192.0.2.13, 192.0.2.14] } # the shop
    spare: parked
`;

interface Place extends AsyncDisposable {
  harness: Harness;
  forge: FakeForge;
  repository: FakeRepository;
  commit: string;
  ci(...args: string[]): Promise<Result>;
  ciWith(env: Record<string, string>, ...args: string[]): Promise<Result>;
}

const hosts = {
  async GitHub(): Promise<Place> {
    const harness = await openDeclared('plain', declaration);
    const forge = await fakeGitHub();
    const { repository } = forge;
    const commit = repository.commit('main', 'start', {
      'webdata.yaml': await harness.read('webdata.yaml'),
      'README.md': 'hi',
    });
    const env = { ...forge.env, GITHUB_SHA: commit, GITHUB_TOKEN: token, GITHUB_WORKSPACE: harness.folder };
    return place(harness, forge, repository, commit, env);
  },
  async GitLab(): Promise<Place> {
    const harness = await openDeclared('plain', declaration);
    const forge = await fakeGitLab();
    const { repository } = forge;
    const commit = repository.commit('main', 'start', {
      'webdata.yaml': await harness.read('webdata.yaml'),
      'README.md': 'hi',
    });
    const env = { ...forge.env, CI_COMMIT_SHA: commit, WEBDATA_GITLAB_TOKEN: token, CI_PROJECT_DIR: harness.folder };
    return place(harness, forge, repository, commit, env);
  },
};

function place(
  harness: Harness,
  forge: FakeForge,
  repository: FakeRepository,
  commit: string,
  env: Record<string, string>,
): Place {
  const ciWith: Place['ciWith'] = (more, ...args) => harness.webdataWith({ env: { ...env, ...more } }, 'ci', ...args);
  return {
    ...{ harness, forge, repository, commit, ciWith },
    ci: (...args) => ciWith({}, ...args),
    [Symbol.asyncDispose]: () => harness[Symbol.asyncDispose](),
  };
}

describe.each(Object.entries(hosts))('webdata ci drift --propose on %s', (_, open) => {
  it('opens a request with one commit that changes the differing lines, beside the issue', async () => {
    await using at = await open();
    const { harness, repository, forge } = at;
    harness.emulator.move(['192.0.2.13'], 'parked');
    const before = await harness.read('webdata.yaml');
    const { code, stderr } = await at.ci('drift', '--propose');
    expect(code).toBe(2);
    expect(stderr).toMatch(/^Opened the proposal: https:\/\/forge\.test\/acme\/infra\/\S+\/\d+$/m);
    expect(forge.issues.filter(({ title }) => title === 'Drift: webdata.yaml')).toHaveLength(1);
    expect(repository.requests).toMatchObject([{ base: 'main', title: 'Accept drift: webdata.yaml', state: 'open' }]);
    const { branch = '', body = '' } = repository.open ?? {};
    expect(branch).toMatch(/^webdata\/drift-webdata-yaml-[0-9a-f]{16}$/);
    expect(body).toMatch(/^<!-- webdata:proposal:webdata\.yaml -->\n<!-- webdata:commit:[0-9a-f]{40} -->\n/);
    expect(body).toContain('Merging changes `webdata.yaml` to match it.');
    expect(body).toContain('192.0.2.13');
    const head = repository.head(branch);
    expect(head?.parent).toBe(at.commit);
    expect(head?.message).toMatch(/^Accept drift: webdata\.yaml\n\nWebdata-Proposal: [0-9a-f]{16} [0-9a-f]{16}\n$/);
    expect(Object.fromEntries(head?.files ?? [])).toEqual({
      'README.md': 'hi',
      'webdata.yaml': before.replace('192.0.2.12, 192.0.2.13, 192.0.2.14', '192.0.2.12, 192.0.2.14'),
    });
    expect(await harness.read('webdata.yaml')).toBe(before);
  });

  it('is updated while the drift changes, with a commit only for another edit', async () => {
    await using at = await open();
    const { harness, repository } = at;
    harness.emulator.move(['192.0.2.13'], 'parked');
    await at.ci('drift', '--propose');
    const { branch = '' } = repository.open ?? {};
    const first = repository.head(branch);
    expect((await at.ci('drift', '--propose')).stderr).toContain('Updated the proposal: ');
    expect(repository.head(branch)).toBe(first);
    harness.emulator.move(['192.0.2.12'], 'parked');
    await at.ci('drift', '--propose');
    expect(repository.requests).toHaveLength(1);
    expect(repository.head(branch)?.files.get('webdata.yaml')).toContain('[192.0.2.14]');
    expect(repository.head(branch)?.parent).toBe(at.commit);
  });

  it('is closed, and its branch removed, when the drift has gone; and opened again when it comes back', async () => {
    await using at = await open();
    const { harness, repository, forge } = at;
    harness.emulator.move(['192.0.2.13'], 'parked');
    await at.ci('drift', '--propose');
    const { id = 0, branch = '' } = repository.open ?? {};
    harness.emulator.move(['192.0.2.13'], 'checkout');
    const { code, stderr } = await at.ci('drift', '--propose');
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('Closed the proposal: ') });
    expect(repository.requests).toMatchObject([{ state: 'closed' }]);
    expect(repository.branches.has(branch)).toBe(false);
    expect(forge.on(id)).toMatchObject([{ body: expect.stringContaining('No drift as of') }]);
    harness.emulator.move(['192.0.2.13'], 'parked');
    await at.ci('drift', '--propose');
    expect(repository.requests.map(({ state }) => state)).toEqual(['closed', 'open']);
  });

  it('leaves a branch alone to which others have committed', async () => {
    await using at = await open();
    const { harness, repository } = at;
    harness.emulator.move(['192.0.2.13'], 'parked');
    await at.ci('drift', '--propose');
    const { branch = '' } = repository.open ?? {};
    const own = repository.commit(branch, 'Keep a note', { 'NOTE.md': '1' }, repository.branches.get(branch));
    harness.emulator.move(['192.0.2.12'], 'parked');
    expect((await at.ci('drift', '--propose')).stderr).toContain('has commits of other people, and stays as it is');
    expect(repository.branches.get(branch)).toBe(own);
    harness.emulator.move(['192.0.2.12', '192.0.2.13'], 'checkout');
    await at.ci('drift', '--propose');
    expect(repository.open).toBeUndefined();
    expect(repository.branches.get(branch)).toBe(own);
  });

  it('leaves a commit alone that a person amended, also after it updated its own before', async () => {
    await using at = await open();
    const { harness, repository } = at;
    harness.emulator.move(['192.0.2.13'], 'parked');
    await at.ci('drift', '--propose');
    harness.emulator.move(['192.0.2.12'], 'parked');
    expect((await at.ci('drift', '--propose')).stderr).toContain('Updated the proposal: ');
    const { branch = '' } = repository.open ?? {};
    const { message = '', parent } = repository.head(branch) ?? {};
    const amended = repository.commit(branch, message, { 'webdata.yaml': '# better\n' }, parent);
    for (const address of ['192.0.2.14', '192.0.2.12']) {
      harness.emulator.move([address], address === '192.0.2.12' ? 'checkout' : 'parked');
      expect((await at.ci('drift', '--propose')).stderr).toContain('has commits of other people, and stays as it is');
      expect(repository.branches.get(branch)).toBe(amended);
    }
    harness.emulator.move(['192.0.2.12', '192.0.2.13', '192.0.2.14'], 'checkout');
    await at.ci('drift', '--propose');
    expect(repository.branches.get(branch)).toBe(amended);
  });

  it('ignores a request of somebody else with the same marker', async () => {
    await using at = await open();
    const { harness, repository } = at;
    harness.emulator.move(['192.0.2.13'], 'parked');
    await at.ci('drift', '--propose');
    const request = repository.open;
    Object.assign(request ?? {}, { author: 'mallory' });
    harness.emulator.move(['192.0.2.13'], 'checkout');
    await at.ci('drift', '--propose');
    expect(repository.open).toBe(request);
  });

  it('names the missing permission, and fails while there is drift', async () => {
    await using at = await open();
    const { harness, repository, forge } = at;
    harness.emulator.move(['192.0.2.13'], 'parked');
    forge.refuse(403, 'Forbidden for this token', { only: /git\/trees|repository\/commits/ });
    const { code, stderr } = await at.ci('drift', '--propose');
    expect(code).toBe(1);
    expect(stderr).toMatch(/contents: write|role Developer/);
    expect(forge.issues).toHaveLength(1);
    expect(repository.requests).toEqual([]);
  });

  it('proposes no change of a file that is not the committed one, or that is outside the checkout', async () => {
    await using at = await open();
    const { harness, repository } = at;
    harness.emulator.move(['192.0.2.13'], 'parked');
    await harness.write('webdata.yaml', `${await harness.read('webdata.yaml')}# local\n`);
    expect(await at.ci('drift', '--propose')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('webdata.yaml is not the file of commit'),
    });
    const elsewhere = { GITHUB_WORKSPACE: '/usr', CI_PROJECT_DIR: '/usr' };
    expect((await at.ciWith(elsewhere, 'drift', '--propose')).stderr).toContain('is not in the checkout');
    expect(repository.requests).toEqual([]);
  });

  it('says which drift is not accepted, and withdraws a proposal without any edit', async () => {
    await using at = await open();
    const { harness, repository } = at;
    const text = `${declaration}managerSettings: { main: { logs: "\${LOGS}" } }\n`.replace('"${LOGS}"', '${LOGS}');
    const block = text.replace(
      'managerSettings: { main: { logs: ${LOGS} } }',
      'managerSettings:\n  main:\n    logs: ${LOGS}',
    );
    const file = (await harness.read('webdata.yaml')).replace(declaration, block);
    await harness.write('webdata.yaml', file);
    repository.commit('main', 'settings', { 'webdata.yaml': file }, undefined, at.commit);
    const logs = { LOGS: '4242' };
    harness.emulator.move(['192.0.2.13'], 'parked');
    await at.ciWith(logs, 'drift', '--propose');
    expect(repository.open?.body).toContain('Drift that this request does not accept');
    expect(repository.open?.body).toContain('it comes from a variable');
    harness.emulator.move(['192.0.2.13'], 'checkout');
    expect(await at.ciWith(logs, 'drift', '--propose')).toMatchObject({ code: 2 });
    expect(repository.requests).toMatchObject([{ state: 'closed' }]);
  });

  it('leaves the proposal alone where drift can not be told', async () => {
    await using at = await open();
    const { harness, repository } = at;
    harness.emulator.move(['192.0.2.13'], 'parked');
    await at.ci('drift', '--propose');
    const request = structuredClone(repository.open);
    expect(await at.ciWith({ WEBDATA_API_KEY: 'not-a-key' }, 'drift', '--propose')).toMatchObject({ code: 1 });
    expect(repository.open).toEqual(request);
  });
});

describe('webdata ci drift --propose', () => {
  it('needs a branch, and a declaration as YAML', async () => {
    await using github = await onGitHub(declaration);
    github.harness.emulator.move(['192.0.2.13'], 'parked');
    expect((await github.ci('drift', '--propose')).stderr).toContain('the job does not run for a branch');
    const pulumi = await github.ci('drift', '--propose', '--front', 'pulumi');
    expect(pulumi).toMatchObject({ code: 1, stderr: expect.stringContaining('cannot edit a program') });
  });

  it('without the option makes no request at all', async () => {
    await using at = await hosts.GitHub();
    at.harness.emulator.move(['192.0.2.13'], 'parked');
    expect(await at.ci('drift')).toMatchObject({ code: 2 });
    expect(at.repository.requests).toEqual([]);
    expect(at.forge.calls.join('\n')).not.toMatch(/pulls|git\//);
  });
});
