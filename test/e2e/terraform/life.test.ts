/** Resources in the real OpenTofu: created, unchanged, planned, changed, drifted, destroyed. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnTofu, openProject, type Project } from './project.ts';

const held = ['192.0.2.12', '192.0.2.13', '192.0.2.14'];

function program(checkout: readonly string[], logs: number): string {
  return `
resource "webdata_zone_ip_allocation" "static" {
  zones = {
    checkout = { ips = ${JSON.stringify(checkout)} }
    pricing  = { ips = ["198.51.100.7", "198.51.100.10"] }
  }
  sources = ["archive"]
  spare   = "parked"
}
resource "webdata_manager_settings" "local" {
  zone          = "checkout"
  logs          = ${logs}
  whitelist_ips = ["10.0.0.0/8"]
}
resource "webdata_webhook_delivery" "results" {
  name          = "results"
  endpoint      = "https://hooks.example.com/webdata"
  authorization = { value = "canary-authorization" }
}
resource "webdata_collector_schedule" "nightly" {
  name      = "nightly"
  collector = "c_prices"
  every     = "24h"
  inputs    = [{ url = "https://shop.example.com/a" }]
  delivery  = webdata_webhook_delivery.results.name
  paused    = true
}
`;
}

describeOnTofu('resources of every kind', () => {
  let project: Project;
  beforeAll(async () => {
    project = await openProject();
  });
  afterAll(() => project[Symbol.asyncDispose]());

  it('adopt what is as declared', async () => {
    await project.write(program(held, 500));
    expect(await project.apply()).toContain('Apply complete! Resources: 4 added');
    expect(project.moves()).toEqual([]);
    expect(project.emulator.settings()).toMatchObject({ zone: 'checkout', logs: 500 });
  });

  it('then have no changes, with and without a refresh', async () => {
    expect(await project.tofu('plan', '-detailed-exitcode')).toMatchObject({ code: 0 });
    expect(await project.tofu('plan', '-detailed-exitcode', '-refresh=false')).toMatchObject({ code: 0 });
  });

  it('show in a plan where IPs move, how many of which country, and which', async () => {
    await project.write(program([...held, '192.0.2.77', '192.0.2.10', '192.0.2.11'], 300));
    const { code, stdout } = await project.tofu('plan', '-detailed-exitcode', '-no-color', '-out=plan');
    expect(code).toBe(2);
    expect(stdout).toMatch(/logs +(=|:) +500 -> 300/);
    expect(stdout).toMatch(/billable_moves += 0 -> 3/);
    expect(stdout).toMatch(/"archive -> checkout" += "1 IP: 192\.0\.2\.77 [a-z]{2}"/);
    expect(stdout).toMatch(/"pricing -> checkout" += "2 IPs: 192\.0\.2\.10 [a-z]{2}, 192\.0\.2\.11 [a-z]{2}"/);
    expect(project.moves()).toEqual([]);
  });

  it('make exactly the calls of a saved plan', async () => {
    await project.succeed('apply', '-no-color', 'plan');
    expect(project.moves().sort()).toEqual([
      'archive -> checkout: 192.0.2.77',
      'pricing -> checkout: 192.0.2.10 192.0.2.11',
    ]);
    expect(await project.tofu('plan', '-detailed-exitcode')).toMatchObject({ code: 0 });
  });

  it('drift, fail a check for it, and are corrected', async () => {
    project.emulator.move(['192.0.2.77'], 'pricing');
    project.emulator.setSettings({ logs: 9 });
    const { code, stdout } = await project.tofu('plan', '-detailed-exitcode', '-no-color');
    expect(code).toBe(2);
    expect(stdout).toMatch(/logs +(=|:) +9 -> 300/);
    await project.apply();
    expect(project.emulator.ips('checkout')).toContain('192.0.2.77');
    expect(project.emulator.settings()).toMatchObject({ logs: 300 });
  });

  it('name the attribute of an invalid value', async () => {
    await project.write(program(['192.0.2.300'], 300));
    const { code, stderr } = await project.tofu('plan', '-no-color');
    expect(code).toBe(1);
    expect(stderr).toContain('192.0.2.300');
    expect(stderr).toMatch(/on main\.tf line \d+/);
  });

  it('leave the live state as it is when they are destroyed', async () => {
    await project.write(program(held, 300));
    const moves = project.moves();
    await project.succeed('destroy', '-auto-approve', '-no-color');
    expect(project.moves()).toEqual(moves);
  });
});

describeOnTofu('a resource that stays as it is', () => {
  it('protects its IPs in the apply too, which is not asked for it', async () => {
    await using project = await openProject();
    const allocation = (name: string, text: string) => `resource "webdata_zone_ip_allocation" "${name}" {${text}}\n`;
    const guarded = allocation(
      'guarded',
      `
      zones   = { checkout = { ips = ["192.0.2.12"] } }
      sources = ["parked"]
      protect = ["198.51.100.30"]
    `,
    );
    await project.write(guarded);
    await project.apply();
    const filling = `
      zones      = { archive = { count = { us = 2 } } }
      sources    = ["parked"]
      depends_on = [webdata_zone_ip_allocation.guarded]
    `;
    await project.write(guarded + allocation('filling', filling));
    await project.apply();
    expect(project.moves()).toEqual(['parked -> archive: 198.51.100.31']);
  });
});
