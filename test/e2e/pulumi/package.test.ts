/** The packed package, installed in a folder that knows nothing of this one. */
import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { accounts } from '../../cli/harness.ts';
import { installPacked } from '../packed.ts';
import { describeOnEngine, openProject, type Project } from './harness.ts';

const program = `
  const allocation = new ZoneIpAllocation('static', { zones: { checkout: { ips: ['192.0.2.10'] } }, sources: ['pricing'] });
  const first: pulumi.Output<string | undefined> = allocation.ipsOf('checkout').apply(([ip]) => ip);
  new ManagerSettings('local', { logs: 7 });
  first.apply((ip) => ip);`;

describeOnEngine('the packed package, in Pulumi programs elsewhere', { timeout: 180_000 }, () => {
  let folder: string;
  let modules: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'webdata-pulumi-package-'));
    modules = join(folder, 'node_modules');
    await installPacked(folder, {}, '@pulumi/pulumi@3.270.0', 'typescript@6.0.3');
  }, 240_000);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  async function expectCreated(project: Project): Promise<void> {
    await project.program(program);
    const { code, output } = await project.pulumi('up', '--yes', '--skip-preview');
    expect(output).toMatch(/\+ 3 created/);
    expect(code).toBe(0);
    expect(project.emulator.ips('checkout')).toContain('192.0.2.10');
  }

  it('works in a TypeScript program of type commonjs', async () => {
    await using project = await openProject(accounts.plain, { modules, type: 'commonjs' });
    await expectCreated(project);
  });

  it('works in a TypeScript program of type module, and is no change of its stack when it is upgraded', async () => {
    await using project = await openProject(accounts.plain, { modules });
    await expectCreated(project);
    const before = await providersOf(project);
    const runtime = join(modules, 'pulumi-webdata/dist/providers/runtime');
    await appendFile(join(runtime, 'handlers.js'), '\nexport const upgraded = () => "another version";\n');
    await appendFile(join(runtime, 'index.js'), '\nprocess.stdout.write("upgraded handlers run\\n");\n');

    const preview = await project.pulumi('preview', '--expect-no-changes');
    expect(preview.output).toContain('upgraded handlers run');
    expect(preview.code).toBe(0);
    await project.program(program.replace('logs: 7', 'logs: 8'));
    expect(await project.pulumi('up', '--yes', '--skip-preview')).toMatchObject({ code: 0 });
    expect(await providersOf(project)).toEqual(before);
  });
});

async function providersOf({ state }: Project): Promise<unknown[]> {
  const resources = [...(await state('ZoneIpAllocation')), ...(await state('ManagerSettings'))];
  expect(resources).toHaveLength(2);
  return resources.map(({ outputs }) => outputs.__provider);
}
