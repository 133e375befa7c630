/** A name or a trigger service that has changed since registrations were made. The name owns them. */
import { describe, expect, it } from 'vitest';
import { openServing, owner } from '../../triggers/serving.ts';
import { openApplied, type Registering } from './registrations.ts';

async function renamed({ read, write }: Registering, file = 'webdata.yaml'): Promise<void> {
  await write(file, (await read('webdata.yaml')).replace(`name: ${owner}`, 'name: new-team'));
}

it('an undo changes nothing at another trigger service', async () => {
  await using registering = await openApplied();
  await using other = await openServing();
  const { serving, webdataWith } = registering;
  const { code, stdout } = await webdataWith({ WEBDATA_TRIGGERS_URL: other.url }, 'undo', '--yes');
  expect(code).toBe(1);
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
    `the run registered at ${serving.url}, but the trigger service is ${other.url} now`,
  );
  expect((await serving.registry.records(owner)).schedules).toHaveLength(1);
});

describe('a declaration with another name', () => {
  it('registers nothing a second time, and says how to rename', async () => {
    await using registering = await openApplied();
    const { webdata, serving } = registering;
    await renamed(registering);
    for (const command of [
      ['plan'],
      ['apply', '--yes'],
      ['drift'],
      ['plan', '--select', 'CollectorSchedule/nightly'],
    ]) {
      const { code, stdout, stderr } = await webdata(...command);
      expect(code, command.join(' ')).toBe(1);
      expect((stdout + stderr).replaceAll(/\s+/g, ' ')).toContain(
        `CollectorSchedule/nightly is registered for ${owner}, the former \`name\` of this declaration`,
      );
    }
    expect(await serving.registry.owners()).toEqual([owner]);
  });

  it('is applied once the registrations of the former name are gone', async () => {
    await using registering = await openApplied();
    const { read, webdata, write, serving } = registering;
    const before = await read('webdata.yaml');
    await renamed(registering);
    const after = await read('webdata.yaml');
    await write('webdata.yaml', before);
    const kinds = ['--select', 'CollectorSchedule/nightly', '--select', 'WebhookDelivery/results'];
    expect(await webdata('destroy', '--yes', ...kinds)).toMatchObject({ code: 0 });
    await write('webdata.yaml', after);
    expect(await webdata('apply', '--yes')).toMatchObject({ code: 0 });
    expect(await serving.registry.owners()).toEqual(['new-team']);
  });

  it('registers the same again from another file, which has another owner on purpose', async () => {
    await using registering = await openApplied();
    const { webdata, serving } = registering;
    await renamed(registering, 'staging.yaml');
    expect(await webdata('apply', '--yes', '-f', 'staging.yaml')).toMatchObject({ code: 0 });
    expect((await serving.registry.owners()).toSorted()).toEqual([owner, 'new-team'].toSorted());
  });
});
