/** `webdata ci` in GitLab CI: notes on a merge request, and issues. */
import { describe, expect, it } from 'vitest';
import { openDeclared } from '../cli/harness.ts';
import { type FakeGitLab, fakeGitLab, robot } from './fakeGitLab.ts';
import { token } from './posts.ts';
import { inPlace, oneMove } from './setup.ts';

function mergeRequest({ env }: FakeGitLab) {
  return { env: { ...env, CI_MERGE_REQUEST_IID: '5', CI_MERGE_REQUEST_PROJECT_ID: '42', WEBDATA_GITLAB_TOKEN: token } };
}

describe('webdata ci plan on GitLab', () => {
  it('writes one note on the merge request, found again on page 3', async () => {
    const forge = await fakeGitLab();
    await using harness = await openDeclared('plain', oneMove);
    const marker = '<!-- webdata:plan:webdata.yaml -->\n';
    for (let id = 1; id <= 205; id += 1)
      forge.comments.push({ id: 1000 + id, on: 5, author: 'ada', body: `${marker}me too` });
    const { code, stderr } = await harness.webdataWith(mergeRequest(forge), 'ci', 'plan');
    expect(code).toBe(0);
    expect(stderr).toContain('comment on merge request !5: https://forge.test/acme/infra/-/merge_requests/5#note_');
    const written = forge.comments.at(-1);
    expect(written).toMatchObject({ on: 5, author: robot, body: expect.stringContaining('192.0.2.10') });
    expect(written?.body.startsWith(marker)).toBe(true);
    await harness.webdata('apply', '--yes');
    await harness.webdataWith(mergeRequest(forge), 'ci', 'plan');
    expect(forge.comments).toHaveLength(206);
    expect(forge.comments.at(-1)?.body).toContain('No changes');
  });

  it('leaves one note of two, and passes on the reasons of a refusal', async () => {
    const forge = await fakeGitLab();
    await using harness = await openDeclared('plain', oneMove);
    const env = { ...forge.env, WEBDATA_GITLAB_TOKEN: token, CI_MERGE_REQUEST_IID: '5' };
    const plan = () => harness.webdataWith({ env }, 'ci', 'plan');
    const body = '<!-- webdata:plan:webdata.yaml -->\n';
    for (const id of [50, 51]) forge.comments.push({ id, on: 5, author: robot, body });
    await plan();
    expect(forge.on(5)).toMatchObject([{ id: 50, body: expect.stringContaining('192.0.2.10') }]);
    forge.refuse(400, '', { more: { message: { note: ["can't be blank", 'is too long'] } } });
    expect((await plan()).stderr).toContain(`failed with 400: {"note":["can't be blank","is too long"]}`);
  });

  it.each([
    ['a fork', { CI_PROJECT_ID: '43', CI_MERGE_REQUEST_PROJECT_ID: '42' }, 'comes from a fork'],
    ['an unprotected branch', { CI_COMMIT_REF_PROTECTED: 'false' }, 'comes from an unprotected branch'],
  ])('says that pipelines of %s get no secrets', async (_what, more, why) => {
    const forge = await fakeGitLab();
    await using harness = await openDeclared('plain', oneMove);
    const env = { ...forge.env, CI_MERGE_REQUEST_IID: '5', ...more, WEBDATA_API_KEY: '' };
    const { code, stderr } = await harness.webdataWith({ env }, 'ci', 'plan');
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(`merge request !5 ${why}`) });
  });

  it('takes GITLAB_TOKEN as well, and names the scope that a token lacks', async () => {
    const forge = await fakeGitLab();
    await using harness = await openDeclared('plain', oneMove);
    const { env } = mergeRequest(forge);
    const other = { env: { ...env, WEBDATA_GITLAB_TOKEN: '', GITLAB_TOKEN: token } };
    expect((await harness.webdataWith(other, 'ci', 'plan')).stderr).toContain('comment on merge request !5');
    forge.refuse(403, 'insufficient_scope');
    const { code, stderr } = await harness.webdataWith(other, 'ci', 'plan');
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /^warning: GitLab: PUT \/projects\/42\/merge_requests\/5\/notes\/\d+ failed with 403: insuff/m,
    );
    expect(stderr).toContain('scope `api`');
  });

  it('says so where there is no token', async () => {
    const forge = await fakeGitLab();
    await using harness = await openDeclared('plain', oneMove);
    const { env } = mergeRequest(forge);
    const { code, stderr } = await harness.webdataWith({ env: { ...env, WEBDATA_GITLAB_TOKEN: '' } }, 'ci', 'plan');
    expect(code).toBe(0);
    expect(stderr).toContain('neither WEBDATA_GITLAB_TOKEN nor GITLAB_TOKEN is set');
  });
});

describe('webdata ci drift on GitLab', () => {
  it('asks only for its own issues, and opens none where it can not be told which these are', async () => {
    const forge = await fakeGitLab();
    await using harness = await openDeclared('plain', inPlace);
    const drift = () => harness.webdataWith({ env: { ...forge.env, WEBDATA_GITLAB_TOKEN: token } }, 'ci', 'drift');
    const body = '<!-- webdata:drift:webdata.yaml -->\n';
    for (let id = 1; id <= 205; id += 1)
      forge.issues.push({ id: 1000 + id, author: 'ada', title: 'x', body, open: true, labels: [] });
    harness.emulator.move(['192.0.2.12'], 'parked');
    expect(await drift()).toMatchObject({ code: 2 });
    expect(await drift()).toMatchObject({ code: 2 });
    expect(forge.issues).toHaveLength(206);
    expect(forge.calls.filter((call) => call.startsWith('GET /projects/42/issues'))).toHaveLength(2);
    forge.refuse(403, 'insufficient_scope', { reads: true, only: /\/user$/ });
    expect(await drift()).toMatchObject({ code: 1, stderr: expect.stringContaining('GET /user failed with 403') });
    expect(forge.issues).toHaveLength(206);
  });
});
