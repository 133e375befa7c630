/** Secrets, which no state, no plan and no list of processes shows. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { expect, it } from 'vitest';
import { sampled } from '../pulumi/processes.ts';
import { describeOnTofu, openProject, type Project } from './project.ts';

const configuration = `
terraform {
  required_providers { webdata = { source = "webdata/webdata" } }
}
variable "key" {
  type      = string
  ephemeral = true
}
variable "authorization" {
  type      = string
  ephemeral = true
}
provider "webdata" {
  api_key = var.key
  profile = { settle_seconds = 1 }
}
resource "webdata_zone_ip_allocation" "static" {
  zones   = { checkout = { ips = ["192.0.2.10"] } }
  sources = ["pricing"]
}
resource "webdata_webhook_delivery" "results" {
  name          = "results"
  endpoint      = "https://hooks.example.com/webdata"
  authorization = { value = var.authorization }
}
`;

async function open(): Promise<Project> {
  const project = await openProject();
  await writeFile(join(project.folder, 'main.tf'), configuration);
  delete project.env.WEBDATA_API_KEY;
  project.env.TF_VAR_key = project.emulator.keys.ops;
  project.env.TF_VAR_authorization = 'canary-authorization';
  return project;
}

const planOf = (project: Project) => project.tofu('plan', '-no-color', '-detailed-exitcode');

describeOnTofu('a secret', () => {
  it('is in no plan, no state and no command line, and both keys and authorizations can be rotated', async () => {
    await using project = await open();
    const secrets = [project.emulator.keys.ops, project.emulator.keys.admin, 'canary-authorization', 'canary-rotated'];
    const shown: string[] = [];
    const { sampling } = await sampled(async () => {
      shown.push(
        await project.succeed('plan', '-no-color', '-out=plan'),
        await project.succeed('show', '-json', 'plan'),
      );
      shown.push(await project.succeed('apply', '-no-color', 'plan'));
    });
    const plan = unzipSync(await readFile(join(project.folder, 'plan')));
    shown.push(...Object.values(plan).map((file) => Buffer.from(file).toString()));

    project.env.TF_VAR_key = project.emulator.keys.admin;
    expect(await planOf(project)).toMatchObject({ code: 0 });
    project.env.TF_VAR_authorization = 'canary-rotated';
    const rotated = await planOf(project);
    expect(rotated).toMatchObject({ code: 2, stdout: expect.stringContaining('webdata_webhook_delivery.results') });
    shown.push(rotated.stdout, rotated.stderr, await project.apply());
    expect(await planOf(project)).toMatchObject({ code: 0 });

    shown.push(await readFile(join(project.folder, 'terraform.tfstate'), 'utf8'), ...sampling.commands);
    expect([...sampling.commands].some((command) => command.includes('provider.mjs'))).toBe(true);
    for (const secret of secrets) expect(shown.filter((text) => text.includes(secret))).toEqual([]);
  });
});
