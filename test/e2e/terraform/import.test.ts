/** What exists before it is declared: import blocks, whose configuration the real OpenTofu writes, and `tofu import`. */
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { describeOnTofu, openProject, type Project } from './project.ts';

const registrations = `
resource "webdata_webhook_delivery" "results" {
  name     = "results"
  endpoint = "https://hooks.example.com/webdata"
}
resource "webdata_collector_schedule" "nightly" {
  name      = "nightly"
  collector = "c_prices"
  cron      = "0 3 * * *"
  time_zone = "Europe/Berlin"
  inputs    = [{ url = "https://shop.example.com/a" }, { url = "https://shop.example.com/b" }]
  delivery  = webdata_webhook_delivery.results.name
}
`;

/** By address: the id that each kind is imported by. */
function idsIn({ emulator }: Project): Record<string, string> {
  return {
    'webdata_zone_ip_allocation.static': 'checkout,archive',
    'webdata_manager_settings.local': emulator.managerUrl,
    'webdata_webhook_delivery.results': 'terraform/results',
    'webdata_collector_schedule.nightly': 'terraform/nightly',
  };
}

function importBlocks(ids: Record<string, string>, nameOf = (id: string) => `id = ${id}`): string {
  return Object.entries(ids)
    .map(([to, id]) => `import {\n  to = ${to}\n  ${nameOf(JSON.stringify(id))}\n}\n`)
    .join('');
}

/** Registers a delivery and a schedule, which no state has afterwards. */
async function withRegistrations(): Promise<Project> {
  const project = await openProject();
  await project.write(registrations);
  await project.apply();
  await rm(join(project.folder, 'terraform.tfstate'));
  return project;
}

describeOnTofu('every kind', () => {
  it('is imported with the configuration that OpenTofu writes, which then has no changes', async () => {
    await using project = await withRegistrations();
    await project.write(importBlocks(idsIn(project)));
    const { code, stdout, stderr } = await project.tofu('plan', '-no-color', '-generate-config-out=generated.tf');
    expect({ code, stdout, stderr }).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('4 to import, 0 to add, 0 to change'),
    });
    const generated = await readFile(join(project.folder, 'generated.tf'), 'utf8');
    expect(generated).toContain('ips');
    const writes = project.emulator.requests().filter(({ method }) => method !== 'GET').length;
    expect(await project.apply()).toContain('4 imported, 0 added, 0 changed, 0 destroyed');
    expect(project.emulator.requests().filter(({ method }) => method !== 'GET')).toHaveLength(writes);
    await project.write('');
    expect(await project.tofu('plan', '-detailed-exitcode')).toMatchObject({ code: 0 });

    // By identity, for the same configuration.
    await rm(join(project.folder, 'terraform.tfstate'));
    await project.write(importBlocks(idsIn(project), (id) => `identity = { id = ${id} }`));
    expect(await project.apply()).toContain('4 imported, 0 added, 0 changed, 0 destroyed');
    await project.write('');

    // And one after the other by command.
    await rm(join(project.folder, 'terraform.tfstate'));
    for (const [to, id] of Object.entries(idsIn(project))) await project.succeed('import', '-no-color', to, id);
    expect(await project.tofu('plan', '-detailed-exitcode')).toMatchObject({ code: 0 });
  });

  it('that does not exist is not imported, and the message says what an id is', async () => {
    await using project = await openProject();
    for (const [to, id, message] of [
      ['webdata_webhook_delivery.results', 'terraform/missing', /names nothing that exists/],
      ['webdata_collector_schedule.nightly', 'nightly', /OWNER\/NAME|acme\/nightly|owner/i],
      ['webdata_zone_ip_allocation.static', 'checkout,,archive', /names of zones, separated by commas/],
    ] as const) {
      const type = to.split('.')[0];
      await project.write(`resource "${type}" "${to.split('.')[1]}" {}\n`);
      const { code, stderr } = await project.tofu('import', '-no-color', to, id);
      expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringMatching(message) });
    }
  });
});
