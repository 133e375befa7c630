/** `webdata ci --front pulumi` on the real engine: a comment, an issue, and exit codes from what `pulumi` says. */

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { pathWithEngine } from '../../../scripts/pulumi/engine.ts';
import { run } from '../../../src/cli/main.ts';
import type { Io } from '../../../src/cli/output/io.ts';
import { fakeGitHub } from '../../ci/fakeGitHub.ts';
import { token } from '../../ci/posts.ts';
import { pullRequest } from '../../ci/setup.ts';
import { accounts } from '../../cli/harness.ts';
import { stateFolder } from '../process.ts';
import { describeOnEngine, openProject, type Project } from '../pulumi/harness.ts';

const program = (ips: string) =>
  `new ZoneIpAllocation('static', { zones: { checkout: { ips: [${ips}] } }, sources: ['pricing'], spare: 'parked' });`;

describeOnEngine('webdata ci with Pulumi', () => {
  it('comments a preview, applies, opens an issue about drift, and closes it', async () => {
    await using project = await openProject(accounts.plain);
    const forge = await fakeGitHub();
    await writeFile(join(project.folder, 'event.json'), JSON.stringify(pullRequest(7)));
    const ci = (command: string) => runCi(command, project, forge.env);

    await project.program(program(`'192.0.2.12', '192.0.2.10'`));
    const plan = await ci('plan');
    expect(plan).toMatchObject({ code: 0, stdout: expect.stringContaining('192.0.2.10 us') });
    const [comment] = forge.on(7);
    expect(comment?.body).toMatch(/^<!-- webdata:plan:pulumi%20dev -->\n`pulumi dev` at `c0ffee1`/);
    expect(comment?.body).toMatch(/### pulumi plan: 2 to create\.\n\n<details>/);
    expect(comment?.body).toContain('1 IP moves in 1 call');

    expect(await ci('apply')).toMatchObject({ code: 0 });
    expect(project.emulator.ips('checkout')).toContain('192.0.2.10');
    expect(await readFile(join(project.folder, 'summary'), 'utf8')).toContain('### pulumi apply: 2 created.');

    project.emulator.move(['192.0.2.10'], 'parked');
    expect(await ci('drift')).toMatchObject({ code: 2 });
    expect(forge.issues).toMatchObject([{ title: 'Drift: pulumi dev', open: true }]);
    expect(forge.issues[0]?.body).toContain('192.0.2.10');
    expect(forge.comments).toHaveLength(1);

    await ci('apply');
    expect(await ci('drift')).toMatchObject({ code: 0 });
    expect(forge.issues).toMatchObject([{ open: false }]);

    await project.program(program(`'192.0.2.300'`));
    expect(await ci('plan')).toMatchObject({ code: 1 });
    expect(forge.on(7)).toMatchObject([{ body: expect.stringContaining('192.0.2.300, not an address') }]);
  });
});

async function runCi(command: string, project: Project, more: Readonly<Record<string, string>>) {
  const { folder } = project;
  const output = { stdout: '', stderr: '' };
  const into = (name: keyof typeof output) => ({
    write: (text: string) => {
      output[name] += text;
    },
  });
  const env: Io['env'] = {
    HOME: process.env.HOME,
    PATH: pathWithEngine(),
    PULUMI_HOME: join(folder, 'home'),
    PULUMI_BACKEND_URL: `file://${join(folder, 'backend')}`,
    PULUMI_CONFIG_PASSPHRASE: 'test',
    PULUMI_SKIP_UPDATE_CHECK: 'true',
    ...stateFolder(),
    ...more,
    GITHUB_TOKEN: token,
    GITHUB_WORKSPACE: folder,
    GITHUB_EVENT_PATH: join(folder, 'event.json'),
    GITHUB_STEP_SUMMARY: join(folder, 'summary'),
  };
  const { signal } = new AbortController();
  const io: Io = { stdout: into('stdout'), stderr: into('stderr'), env, cwd: folder, signal };
  const code = await run(['ci', command, '--front', 'pulumi', '--', '--stack', 'dev'], io);
  return { code, ...output };
}
