import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { accountWith } from '../../cli/harness.ts';
import { describeOnEngine, openProject, type Project } from './harness.ts';
import { sampled } from './processes.ts';

const managerToken = 'canary-manager-token-5c1d';

describeOnEngine('secrets', () => {
  it('reach no state, no history, no output and no command line', async () => {
    const account = await accountWith('plain', ({ manager }) => {
      manager.token = managerToken;
    });
    await using project = await openProject(account);
    await project.secret('managerToken', managerToken);
    await project.program(`
      new ZoneIpAllocation('static', { zones: { checkout: { ips: ['192.0.2.10'] } }, sources: ['pricing'] });
      new ManagerSettings('local', { logs: 5 });`);
    const { result: output, sampling } = await sampled(() => liveThrough(project));

    const commands = [...sampling.commands].filter((command) => command.includes('dynamic-provider'));
    expect(commands).not.toEqual([]);
    const written = await textsBelow(join(project.folder, 'backend'));
    expect(written.join()).toContain('ZoneIpAllocation');
    for (const secret of [project.emulator.keys.ops, managerToken]) {
      for (const form of [
        secret,
        Buffer.from(secret).toString('base64').replace(/=+$/, ''),
        encodeURIComponent(secret),
      ]) {
        expect(output).not.toContain(form);
        expect([...sampling.commands].join('\n')).not.toContain(form);
        for (const text of written) expect(text).not.toContain(form);
      }
    }
  });
});

/** Everything that says something, with success and without. */
async function liveThrough({ pulumi, emulator }: Project): Promise<string> {
  const outputs = [await pulumi('up', '--yes', '--diff')];
  emulator.addFault({ route: 'zone/ips', fault: { kind: 'status', status: 500, body: `with ${emulator.keys.ops}` } });
  emulator.addFault({ route: 'settings/get', fault: { kind: 'status', status: 500, body: `with ${managerToken}` } });
  outputs.push(await pulumi('refresh', '--yes'), await pulumi('preview', '--diff', '--logtostderr', '-v=9'));
  emulator.clearFaults();
  outputs.push(await pulumi('stack', 'export'), await pulumi('destroy', '--yes'));
  expect(outputs.map(({ code }) => code === 0)).toEqual([true, false, false, true, true]);
  return outputs.map(({ output }) => output).join('\n');
}

async function textsBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), 'utf8')));
}
