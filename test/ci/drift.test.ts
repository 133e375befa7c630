/** `webdata ci drift` and `ci apply`: an issue that is opened, kept up to date and closed. */
import { describe, expect, it } from 'vitest';
import { writesOf } from '../cli/harness.ts';
import { bot } from './fakeGitHub.ts';
import { inPlace, type OnGitHub, onGitHub } from './setup.ts';

const marker = '<!-- webdata:drift:webdata.yaml -->\n';
const schedule = { event: { schedule: '0 * * * *' } };

/** Somebody moves IPs by hand. */
function movedAway({ harness }: OnGitHub, ...ips: string[]): void {
  harness.emulator.move(ips, 'parked');
}

describe('webdata ci drift on GitHub', () => {
  it('opens an issue, labels it, and exits with 2', async () => {
    await using github = await onGitHub(inPlace, schedule);
    movedAway(github, '192.0.2.12');
    const { code, stderr } = await github.ci('drift');
    expect(code).toBe(2);
    const [issue] = github.forge.issues;
    expect(issue).toMatchObject({ title: 'Drift: webdata.yaml', open: true, labels: ['drift'], author: bot });
    expect(issue?.body.startsWith(marker)).toBe(true);
    expect(issue?.body).toContain('192.0.2.12');
    expect(stderr).toContain(`Opened the drift issue: https://forge.test/acme/infra/issues/${issue?.id}`);
    const output = await github.left('output');
    expect(output).toMatch(
      /^exit-code<<(\S+)\n2\n\1\nchanges<<\1\ntrue\n\1\nsummary<<\1\n.*1 IP is not where it is declared/,
    );
  });

  it('opens no second one, and says nothing more while the same has drifted', async () => {
    await using github = await onGitHub(inPlace, schedule);
    movedAway(github, '192.0.2.12');
    await github.ci('drift');
    const before = github.forge.issues[0]?.body ?? '';
    await github.ciWith({ GITHUB_RUN_ID: '4712' }, 'drift');
    expect(github.forge.issues).toHaveLength(1);
    expect(github.forge.comments).toEqual([]);
    expect(github.forge.issues[0]?.body).not.toBe(before);
    expect(github.forge.issues[0]?.body).toContain('/runs/4712');
  });

  it('comments once where something else has drifted', async () => {
    await using github = await onGitHub(inPlace, schedule);
    movedAway(github, '192.0.2.12');
    await github.ci('drift');
    movedAway(github, '192.0.2.13');
    await github.ci('drift');
    await github.ci('drift');
    const [issue] = github.forge.issues;
    expect(issue?.body).toContain('192.0.2.13');
    expect(github.forge.comments).toMatchObject([
      { on: issue?.id, body: expect.stringContaining('2 IPs are not where') },
    ]);
  });

  it('closes it, and says when, once there is no drift', async () => {
    await using github = await onGitHub(inPlace, schedule);
    movedAway(github, '192.0.2.12');
    await github.ci('drift');
    await github.harness.webdata('apply', '--yes');
    const { code, stderr } = await github.ci('drift');
    expect(code).toBe(0);
    const [issue] = github.forge.issues;
    expect(issue?.open).toBe(false);
    expect(stderr).toContain(`Closed the drift issue: https://forge.test/acme/infra/issues/${issue?.id}`);
    expect(github.forge.on(issue?.id ?? 0)).toMatchObject([
      { body: expect.stringMatching(/^No drift as of \d{4}-\d\d-\d\d \d\d:\d\d UTC\. \(\[job\]\(/) },
    ]);
    await github.ci('drift');
    expect(github.forge.comments).toHaveLength(1);
  });

  it('is not opened for a change that is declared and not applied yet, and stays the same beside one', async () => {
    await using github = await onGitHub(inPlace, schedule);
    await github.harness.webdata('apply', '--yes');
    const declared = await github.harness.read('webdata.yaml');
    const merged = declared.replace('192.0.2.13]', '192.0.2.13, 198.51.100.30]');
    expect(merged).not.toBe(declared);
    await github.harness.write('webdata.yaml', merged);
    expect(await github.ci('drift')).toMatchObject({ code: 0 });
    expect(github.forge.issues).toEqual([]);
    expect(await github.ci('drift', '--', '--pending')).toMatchObject({ code: 2 });
    expect(github.forge.issues[0]?.body).toContain('pending');
    // A check that counts less says nothing about that issue.
    expect(await github.ci('drift')).toMatchObject({ code: 0 });
    expect(github.forge.issues).toMatchObject([{ open: true, title: 'Drift: webdata.yaml, --pending' }]);
    // The mark of the drift does not depend on what is pending.
    await github.harness.write('webdata.yaml', declared);
    movedAway(github, '192.0.2.12');
    expect(await github.ci('drift')).toMatchObject({ code: 2 });
    const comments = github.forge.comments.length;
    await github.harness.write('webdata.yaml', merged);
    expect(await github.ci('drift')).toMatchObject({ code: 2 });
    expect(github.forge.comments).toHaveLength(comments);
    expect(github.forge.issues[1]?.body).toMatch(/\| pending \|.*198\.51\.100\.30/);
    expect(github.forge.issues[1]?.body).toMatch(/\| drift \|.*192\.0\.2\.12/);
  });

  it('leaves one issue of two', async () => {
    await using github = await onGitHub(inPlace, schedule);
    const { issues } = github.forge;
    movedAway(github, '192.0.2.12');
    await github.ci('drift');
    const [first] = issues;
    issues.push({ ...structuredClone(first as (typeof issues)[number]), id: 999 });
    await github.ci('drift');
    expect(issues.filter(({ open }) => open)).toEqual([first]);
    expect(github.forge.on(999)).toMatchObject([{ body: expect.stringContaining('The same drift is reported in') }]);
  });

  it('says nothing in an issue that it can not close', async () => {
    await using github = await onGitHub(inPlace, schedule);
    movedAway(github, '192.0.2.12');
    await github.ci('drift');
    await github.harness.webdata('apply', '--yes');
    github.forge.refuse(403, 'Resource not accessible by integration', { only: /^PATCH/ });
    const { code, stderr } = await github.ci('drift');
    expect(code).toBe(0);
    expect(stderr).toContain('::warning title=webdata ci::GitHub: PATCH');
    expect(github.forge.issues).toMatchObject([{ open: true }]);
    expect(github.forge.comments).toEqual([]);
  });

  it.each([
    ['another list of files', ['-f', 'webdata.yaml', '-f', 'prod.yaml'], 'webdata.yaml + prod.yaml'],
    ['a part of it', ['--select', 'ZoneIpAllocation/static'], 'webdata.yaml, ZoneIpAllocation/static'],
  ])('leaves the issue of a file alone where %s has no drift', async (_what, args, name) => {
    await using github = await onGitHub(inPlace, schedule);
    await github.harness.write('prod.yaml', 'service: {}\n');
    const issue = { id: 1, author: bot, title: 'x', body: marker, open: true, labels: [] };
    github.forge.issues.push({ ...issue });
    expect(await github.ci('drift', '--', ...args)).toMatchObject({ code: 0 });
    expect(github.forge.issues).toEqual([issue]);
    movedAway(github, '192.0.2.12');
    expect(await github.ci('drift', '--', ...args)).toMatchObject({ code: 2 });
    expect(github.forge.issues).toMatchObject([issue, { title: `Drift: ${name}` }]);
  });

  it('opens no second issue where it can not be told whose the first is', async () => {
    await using github = await onGitHub(inPlace, { ...schedule, person: 'deployer' });
    movedAway(github, '192.0.2.12');
    await github.ci('drift');
    github.forge.refuse(503, 'Unavailable', { reads: true, only: /\/user$/ });
    expect(await github.ci('drift')).toMatchObject({ code: 1, stderr: expect.stringContaining('GET /user') });
    expect(github.forge.issues).toHaveLength(1);
  });

  it('asks only for the issues of whoever the token stands for, where that is known', async () => {
    await using github = await onGitHub(inPlace, { ...schedule, person: 'deployer' });
    const { issues, calls } = github.forge;
    for (let id = 10_001; id <= 10_500; id += 1)
      issues.push({ id, author: 'ada', title: 'x', body: marker, open: true, labels: [] });
    movedAway(github, '192.0.2.12');
    await github.ci('drift');
    await github.ci('drift');
    expect(issues).toHaveLength(501);
    expect(calls.filter((call) => call.startsWith('GET /repos/acme/infra/issues?'))).toHaveLength(2);
  });

  it('reports the drift of zones beside a manager that does not answer, and exits with 1', async () => {
    const withManager = `${inPlace}managerSettings: { local: { url: 'http://127.0.0.1:9', logs: 1000 } }\n`;
    await using github = await onGitHub(withManager, schedule);
    movedAway(github, '192.0.2.12');
    const drift = () => github.ci('drift', '--', '--retries', '0');
    expect(await drift()).toMatchObject({ code: 1, stderr: expect.stringContaining('Opened the drift') });
    expect(github.forge.issues[0]?.body).toContain('192.0.2.12');
    expect(github.forge.issues[0]?.body).toContain('connection refused');
    github.harness.emulator.move(['192.0.2.12'], 'checkout');
    expect(await drift()).toMatchObject({ code: 1 });
    expect(github.forge.issues).toMatchObject([{ open: true }]);
  });

  it('leaves the issue alone where drift can not be told, and exits with 1', async () => {
    await using github = await onGitHub(inPlace, schedule);
    movedAway(github, '192.0.2.12');
    await github.ci('drift');
    const before = structuredClone(github.forge.issues);
    expect(await github.ciWith({ WEBDATA_API_KEY: 'not-a-key' }, 'drift')).toMatchObject({ code: 1 });
    expect(github.forge.issues).toEqual(before);
    expect(github.forge.comments).toEqual([]);
  });

  it('takes neither a pull request nor an issue of somebody else for its own', async () => {
    await using github = await onGitHub(inPlace, schedule);
    const planted = { id: 1, author: 'mallory', title: 'x', body: marker, open: true, labels: [] };
    const pull = { id: 2, author: bot, title: 'x', body: marker, open: true, labels: [], isPullRequest: true };
    github.forge.issues.push({ ...planted }, { ...pull });
    expect(await github.ci('drift')).toMatchObject({ code: 0 });
    expect(github.forge.issues).toEqual([planted, pull]);
  });

  it('fails where drift is found and the alarm can not be raised', async () => {
    await using github = await onGitHub(inPlace, schedule);
    movedAway(github, '192.0.2.12');
    github.forge.refuse(410, 'Issues are disabled for this repo');
    const { code, stderr } = await github.ci('drift');
    expect(code).toBe(1);
    expect(stderr).toContain(
      '::error title=webdata ci::GitHub: POST /repos/acme/infra/issues failed with 410: Issues are',
    );
  });

  it('warns where there is no drift and the issue can not be looked for', async () => {
    await using github = await onGitHub(inPlace, schedule);
    github.forge.refuse(403, 'Resource not accessible by integration', { reads: true });
    const { code, stderr } = await github.ci('drift');
    expect(code).toBe(0);
    expect(stderr).toContain('issues: write');
  });
});

describe('webdata ci apply', () => {
  it('applies without asking, tells no forge, and says what was done', async () => {
    await using github = await onGitHub(inPlace, { event: { ref: 'refs/heads/main' } });
    movedAway(github, '192.0.2.12');
    const { code } = await github.ci('apply');
    expect(code).toBe(0);
    expect(github.harness.emulator.ips('checkout')).toContain('192.0.2.12');
    expect(github.forge.calls).toEqual([]);
    expect(await github.left('output')).toContain('\ntrue\n');
    expect(await github.left('summary')).toContain('192.0.2.12');
    await github.ci('apply');
    expect((await github.left('output')).match(/^(true|false)$/gm)).toEqual(['true', 'false']);
  });

  it('says that nothing was changed where each call was refused', async () => {
    await using github = await onGitHub(inPlace);
    movedAway(github, '192.0.2.12');
    const { keys, requests } = github.harness.emulator;
    expect(await github.ciWith({ WEBDATA_API_KEY: keys.user }, 'apply')).toMatchObject({ code: 1 });
    expect(writesOf(requests())).not.toEqual([]);
    expect(await github.left('output')).toContain('\nfalse\n');
  });
});
