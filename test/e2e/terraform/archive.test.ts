/** What a user of a release does: the archive in a mirror, `init`, and the example of the repository. */
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { writeArchives } from '../../../scripts/terraform/archives.ts';
import { describeOnTofu, openProject } from './project.ts';

describeOnTofu('the archive of a release', () => {
  it('installs from a mirror, and applies the example of the quickstart account', async () => {
    const mirror = await mkdtemp(join(tmpdir(), 'webdata-mirror-'));
    const provider = join(mirror, 'registry.opentofu.org/webdata/webdata');
    await mkdir(provider, { recursive: true });
    writeArchives(mirror);
    const processor = { x64: 'amd64', arm64: 'arm64' }[process.arch as string];
    const archive = `terraform-provider-webdata_0.1.0_${process.platform}_${processor}.zip`;
    await copyFile(join(mirror, archive), join(provider, archive));
    const installation = `filesystem_mirror { path = ${JSON.stringify(mirror)} }`;
    await using project = await openProject('examples/quickstart/account.yaml', installation);
    await writeFile(join(project.folder, 'main.tf'), await readFile('examples/terraform/main.tf', 'utf8'));
    await project.succeed('init', '-no-color');
    const { stdout } = await project.tofu('plan', '-no-color');
    const page = await readFile('docs/first-program.md', 'utf8');
    const [, recorded = 'no recorded plan'] = /<!-- recorded plan.*?```\n(.*?)```/s.exec(page) ?? [];
    expect(stdout).toContain(recorded);
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
    expect(await project.apply()).toContain('Apply complete! Resources: 2 added');
    expect(await project.tofu('plan', '-detailed-exitcode')).toMatchObject({ code: 0 });
    await rm(mirror, { recursive: true });
  });
});
