/** What configurations for the real OpenTofu are made of: modules, `for_each`, `moved`, workspaces, targets, and values that are not known yet. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { describeOnTofu, openProject, type Project } from './project.ts';

async function expectNoChanges(project: Project, ...args: string[]): Promise<void> {
  const { code, stdout, stderr } = await project.tofu('plan', '-no-color', '-detailed-exitcode', ...args);
  expect({ code, stdout, stderr }).toMatchObject({ code: 0 });
}

/** A module with one allocation for each zone. */
const module = `
terraform {
  required_providers { webdata = { source = "webdata/webdata" } }
}
variable "zones" { type = map(set(string)) }
resource "webdata_zone_ip_allocation" "each" {
  for_each = var.zones
  zones    = { (each.key) = { ips = each.value } }
  sources  = ["pricing"]
}
output "ips" {
  value = { for zone, each in webdata_zone_ip_allocation.each : zone => provider::webdata::ips_of(each, zone) }
}
`;

function inModule(zones: object, more = ''): string {
  return `module "zones" {
  source = "./zones"
  zones  = ${JSON.stringify(zones)}
}
${more}`;
}

describeOnTofu('a configuration', () => {
  it('of modules, `for_each`, `moved`, targets and workspaces moves only what changes', async () => {
    await using project = await openProject();
    await mkdir(join(project.folder, 'zones'));
    await writeFile(join(project.folder, 'zones/main.tf'), module);
    await project.write(
      inModule({ checkout: ['192.0.2.12', '192.0.2.10'] }, 'output "ips" { value = module.zones.ips }'),
    );
    await project.succeed('get', '-no-color');
    await project.apply();
    const first = ['pricing -> checkout: 192.0.2.10'];
    expect(project.moves()).toEqual(first);
    expect(JSON.parse(await project.succeed('output', '-json', 'ips')).checkout).toContain('192.0.2.10');

    const moved = 'moved {\n  from = module.zones\n  to   = module.renamed\n}\n';
    const renamed = (zones: object) => inModule(zones).replace('"zones" {', '"renamed" {') + moved;
    await project.write(renamed({ checkout: ['192.0.2.12', '192.0.2.10'] }));
    await project.succeed('get', '-no-color');
    expect(await project.apply()).toMatch(/has moved to\s+module\.renamed.*0 added, 0 changed, 0 destroyed/s);
    expect(project.moves()).toEqual(first);

    await project.write(renamed({ checkout: ['192.0.2.10', '198.51.100.7'], archive: ['192.0.2.77', '192.0.2.11'] }));
    const target = '-target=module.renamed.webdata_zone_ip_allocation.each["archive"]';
    await project.succeed('apply', '-auto-approve', '-no-color', '-parallelism=1', target);
    expect(project.moves()).toEqual([...first, 'pricing -> archive: 192.0.2.11']);
    await project.succeed('apply', '-auto-approve', '-no-color', '-refresh=false');
    expect(project.moves().slice(2)).toEqual(['pricing -> checkout: 198.51.100.7']);
    await expectNoChanges(project);
    await expectNoChanges(project, '-refresh=false');

    // The other workspace has a state of its own, and adopts what is as declared.
    await project.succeed('workspace', 'new', 'other', '-no-color');
    expect(await project.apply()).toContain('2 added');
    expect(project.moves()).toHaveLength(3);
  });

  it('with values that another resource gives is planned as far as they are known', async () => {
    await using project = await openProject();
    await project.write(`
resource "terraform_data" "given" {
  input = { ips = ["192.0.2.10", "192.0.2.11"], us = 3, zone = "pricing", logs = 321, every = "24h" }
}
locals { given = terraform_data.given.output }
resource "webdata_zone_ip_allocation" "listed" {
  zones = { checkout = { ips = toset(local.given.ips) } }
  sources = [local.given.zone]
}
resource "webdata_zone_ip_allocation" "counted" {
  zones   = { archive = { count = { us = local.given.us } } }
  sources = ["parked"]
  depends_on = [webdata_zone_ip_allocation.listed]
}
resource "webdata_manager_settings" "local" {
  logs          = local.given.logs
  whitelist_ips = local.given.ips
}
resource "webdata_webhook_delivery" "results" {
  name     = "results-\${local.given.zone}"
  endpoint = "https://hooks.example.com/\${local.given.zone}"
}
resource "webdata_collector_schedule" "nightly" {
  name      = "nightly"
  collector = "c_prices"
  every     = local.given.every
  inputs    = [for ip in local.given.ips : { url = "https://shop.example.com/\${ip}" }]
  delivery  = webdata_webhook_delivery.results.name
  paused    = true
}
data "webdata_zone_ips" "checkout" {
  zone       = "checkout"
  depends_on = [webdata_zone_ip_allocation.listed]
}
output "countries" { value = data.webdata_zone_ips.checkout.countries }
`);
    const { stdout } = await project.tofu('plan', '-no-color');
    expect(stdout).toContain('(known after apply)');
    expect(await project.apply()).toContain('6 added');
    expect(project.moves()).toContain('pricing -> checkout: 192.0.2.10 192.0.2.11');
    expect(project.emulator.settings()).toMatchObject({
      logs: 321,
      whitelist_ips: ['192.0.2.10', '192.0.2.11'],
    });
    expect(JSON.parse(await project.succeed('output', '-json', 'countries'))).toHaveProperty(['192.0.2.10']);
    await expectNoChanges(project);
  });
});

describeOnTofu('the data sources', () => {
  it('read what the account, the manager and the trigger service hold', async () => {
    await using project = await openProject();
    await project.write(`
data "webdata_zones" "all" {}
data "webdata_zone_ips" "each" {
  for_each = toset(data.webdata_zones.all.zones)
  zone     = each.key
}
data "webdata_manager_settings" "local" {}
data "webdata_asns" "checkout" { zone = "checkout" }
data "webdata_delivery_source_ips" "all" {}
resource "webdata_collector_schedule" "nightly" {
  name      = "nightly"
  collector = "c_prices"
  cron      = "0 3 * * *"
  inputs    = [{ url = "https://shop.example.com/a" }]
}
data "webdata_schedules" "ours" { owner = webdata_collector_schedule.nightly.owner }
output "all" {
  value = {
    zones    = { for zone, each in data.webdata_zone_ips.each : zone => each.countries }
    settings = data.webdata_manager_settings.local.settings
    asns     = data.webdata_asns.checkout.asns
    ticks    = { for each in data.webdata_schedules.ours.schedules : each.name => each.next_tick }
    sources  = length(data.webdata_delivery_source_ips.all.ips)
  }
}
`);
    await project.apply();
    const all = JSON.parse(await project.succeed('output', '-json', 'all'));
    expect(all.zones.checkout).toMatchObject({ '192.0.2.12': 'us', '203.0.113.10': 'de' });
    expect(all.settings.logs).toEqual(expect.any(Number));
    expect(all.asns).toEqual([{ asn: 64500, name: 'Example Networks' }]);
    expect(all.ticks).toEqual({ nightly: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T03:00:00/) });
    expect(all.sources).toBeGreaterThan(0);
  });
});
