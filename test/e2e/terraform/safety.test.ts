/** What the real OpenTofu must not break: guards, ignored changes, lost answers, several resources at once, and secrets. */
import { execFile } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { describeOnTofu, openProject } from './project.ts';

function allocation(name: string, zones: string, more = ''): string {
  return `resource "webdata_zone_ip_allocation" "${name}" {\n  zones = ${zones}\n${more}\n}\n`;
}

const heldByPricing = ['192.0.2.10', '192.0.2.11'];

describeOnTofu('a plan', () => {
  it('leaves what is unknown until another resource exists', async () => {
    await using project = await openProject();
    await project.write(`resource "terraform_data" "zone" { input = "checkout" }
${allocation('static', '{ (terraform_data.zone.output) = { ips = ["192.0.2.10"] } }', '  sources = ["pricing"]')}`);
    await project.apply();
    expect(project.moves()).toEqual(['pricing -> checkout: 192.0.2.10']);
    expect(await project.tofu('plan', '-detailed-exitcode')).toMatchObject({ code: 0 });
  });
});

describeOnTofu('an apply', () => {
  it('swaps IPs between two resources that it handles at the same time', async () => {
    await using project = await openProject();
    const [toCheckout, toPricing] = ['198.51.100.7', '192.0.2.12'];
    await project.write(
      allocation('one', `{ checkout = { ips = ["${toCheckout}"] } }`) +
        allocation('two', `{ pricing = { ips = ["${toPricing}"] } }`),
    );
    await project.apply();
    expect(project.emulator.ips('checkout')).toContain(toCheckout);
    expect(project.emulator.ips('pricing')).toContain(toPricing);
    expect(project.moves()).toHaveLength(2);
  });

  it('sends no move twice whose answer was lost, and goes on from there', async () => {
    await using project = await openProject();
    const zones = `{ checkout = { ips = ${JSON.stringify(heldByPricing)} } }`;
    await project.write(allocation('static', zones, '  sources = ["pricing"]'));
    project.emulator.addFault({ route: 'zone/ips/migrate', occurrence: 1, fault: { kind: 'drop-after' } });
    await project.tofu('apply', '-auto-approve', '-no-color');
    await project.apply();
    expect(project.moves()).toHaveLength(1);
    expect(project.emulator.ips('checkout')).toEqual(expect.arrayContaining(heldByPricing));
  });

  it('moves nothing that an unchanged resource protects, and nothing where a resource is replaced by itself', async () => {
    await using project = await openProject();
    const guarded = allocation(
      'guarded',
      '{ checkout = { ips = ["192.0.2.12"] } }',
      '  sources = ["parked"]\n  spare = "old-pricing"\n  on_delete = "release"\n  protect = ["198.51.100.30", "198.51.100.31"]',
    );
    await project.write(guarded);
    await project.apply();
    await project.write(
      guarded + allocation('filling', '{ archive = { count = { us = 2 } } }', '  sources = ["parked"]'),
    );
    expect((await project.tofu('apply', '-auto-approve', '-no-color')).code).toBe(1);
    await project.write(guarded);
    await project.succeed('apply', '-auto-approve', '-replace=webdata_zone_ip_allocation.guarded');
    await project.succeed('taint', 'webdata_zone_ip_allocation.guarded');
    await project.apply();
    expect(project.moves()).toEqual([]);
    expect(await project.tofu('plan', '-refresh-only', '-detailed-exitcode')).toMatchObject({ code: 0 });
  });

  it('releases IPs when it is destroyed, if that is declared, and says so before', async () => {
    await using project = await openProject();
    const zones = '{ checkout = { ips = ["192.0.2.10"] } }';
    await project.write(
      allocation('static', zones, '  sources = ["pricing"]\n  spare = "parked"\n  on_delete = "release"'),
    );
    await project.apply();
    const { stdout, stderr } = await project.tofu('plan', '-destroy', '-no-color');
    expect(stdout + stderr).toMatch(/may incur charges/);
    await project.succeed('destroy', '-auto-approve', '-no-color');
    expect(project.emulator.ips('parked')).toContain('192.0.2.10');
  });
});

describeOnTofu('the process of the provider', () => {
  it('ends when the client is killed', async () => {
    await using project = await openProject();
    await project.write(allocation('static', '{ checkout = { ips = ["192.0.2.10"] } }', '  sources = ["pricing"]'));
    await project.apply();
    const providers = () =>
      new Promise<number>((done) => {
        execFile('pgrep', ['-f', 'terraform/provider.mjs'], (_error, stdout) =>
          done(stdout.split('\n').filter(Boolean).length),
        );
      });
    for (let left = await providers(); left > 0; left = await providers()) await setTimeout(100);
  });
});
