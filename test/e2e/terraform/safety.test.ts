/** What the real OpenTofu must not break: several resources at once, a destroy, and the end of the provider. */
import { execFile } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { describeOnTofu, openProject } from './project.ts';

function allocation(name: string, zones: string, more = ''): string {
  return `resource "webdata_zone_ip_allocation" "${name}" {\n  zones = ${zones}\n${more}\n}\n`;
}

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
