/** A service that answers like no account in the repository: other names, forms and statuses wherever the specification leaves room. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnTofu, openProject, type Project } from './project.ts';

const account = `id: hl_held_out
users: [ana, omar]
apiKeys:
  - { user: ana, permission: Admin }
  - { user: omar, permission: Ops }
zones:
  Front_Door: { type: isp, ips: { us: [198.18.0.1-198.18.0.3], nl: [198.18.0.9] } }
  back.door_2: { type: datacenter, ips: { US: [198.18.1.1-198.18.1.6], nl: [198.18.1.20-198.18.1.22] } }
  spare-zone: { type: isp, ips: { us: [198.18.2.1-198.18.2.4] } }
manager:
  settings: { zone: Front_Door, logs: 10, request_stats: false, whitelist_ips: [], www_whitelist_ips: [] }
  ports: [24000]
dialect:
  geoKeys: [north, east, south, west]
  countryCase: upper
  listing: { form: list, ext: flat, databases: [code, "null", code, missing], every: 2, empty: null-list }
  counts: texts
  perCountrySwitch: { ignored: true }
  listingLag: { listings: 1 }
  recentIps: { form: objects, empty: missing }
  migrate: all-or-nothing
  migrateAnswer: count-text
  answersGetSettings: false
  settingsFields: { request_stats: text, har_limit: missing }
  recentStats: list
  compression: deflate
  byteOrderMark: true
  redirectedReads: { prefix: /api/v3, status: 307, location: absolute }
  unsteadyReads: { status: 503, every: 5 }
  errors:
    unknown-zone: { status: 410, body: { fault: "no {detail}" } }
    role-refused: { body: { fault: "{detail}" } }
`;

const resources = (logs: number) => `
resource "webdata_zone_ip_allocation" "doors" {
  zones = {
    "Front_Door"  = { ips = ["198.18.1.20", "198.18.0.1"], count = { us = 4, nl = 2 } }
    "back.door_2" = { count = { us = 6 }, keep_at_least = 2 }
  }
  spare = "spare-zone"
}
resource "webdata_manager_settings" "local" {
  logs          = ${logs}
  request_stats = true
  whitelist_ips = ["10.0.0.0/8"]
}
data "webdata_zones" "all" {}
`;

describeOnTofu('a service that the provider has never seen', () => {
  let folder: string;
  let project: Project;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'webdata-held-out-'));
    await writeFile(join(folder, 'account.yaml'), account);
    project = await openProject(join(folder, 'account.yaml'));
  });
  afterAll(async () => {
    await project[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });

  it('is planned, changed as planned, and then has no changes', async () => {
    await project.write(resources(500));
    const { stdout, stderr } = await project.tofu('plan', '-no-color', '-detailed-exitcode');
    expect(stdout, stderr).toMatch(/"back\.door_2 -> Front_Door" += "1 IP: 198\.18\.1\.20 nl"/);
    expect(stdout).toMatch(/"spare-zone -> Front_Door" += "1 IP: 1 us"/);
    expect(await project.apply()).toContain('2 added, 0 changed, 0 destroyed');
    expect(project.emulator.ips('Front_Door')).toHaveLength(6);
    expect(project.emulator.settings()).toMatchObject({
      logs: 500,
      request_stats: true,
      whitelist_ips: ['10.0.0.0/8'],
    });
    expect(await project.tofu('plan', '-detailed-exitcode')).toMatchObject({ code: 0 });
  });

  it('drifts, is healed, and is imported without a change', async () => {
    project.emulator.move(['198.18.1.20'], 'spare-zone');
    expect(await project.tofu('plan', '-detailed-exitcode')).toMatchObject({ code: 2 });
    await project.apply();
    expect(project.emulator.ips('Front_Door')).toContain('198.18.1.20');
    const moves = project.moves();
    await project.succeed('state', 'rm', 'webdata_zone_ip_allocation.doors');
    await project.succeed('import', '-no-color', 'webdata_zone_ip_allocation.doors', 'Front_Door,back.door_2');
    await project.apply();
    expect(await project.tofu('plan', '-detailed-exitcode')).toMatchObject({ code: 0 });
    expect(project.moves()).toEqual(moves);
  });

  it('refuses what it does not know with its own words, and changes nothing', async () => {
    const before = project.moves();
    await project.write(resources(500).replace('"back.door_2" =', '"no.such.door" ='));
    const { code, stderr } = await project.tofu('plan', '-no-color');
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('no.such.door') });
    expect(project.moves()).toEqual(before);
  });
});
