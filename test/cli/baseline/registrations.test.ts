/** Causes of differences of deliveries and schedules, whose specs hold secrets and name files. */
import { describe, expect, it } from 'vitest';
import { owner } from '../../triggers/serving.ts';
import {
  canary,
  cron,
  nightly,
  openApplied,
  openRegistering,
  type Registering,
  results,
} from '../registrations/registrations.ts';

const zoned = [cron, 'timeZone: Europe/Berlin'];

async function causes({ webdata }: Registering) {
  const { code, stdout } = await webdata('drift', '--format', 'json');
  return { code, ...causesIn(stdout) };
}

function causesIn(stdout: string): { causes: Record<string, string> } {
  const { resources } = JSON.parse(stdout) as {
    resources: { name: string; differences?: { path: string[]; cause: string }[] }[];
  };
  const all = resources.flatMap(({ name, differences = [] }) =>
    differences.map(({ path, cause }) => [[name, ...path].join('.'), cause]),
  );
  return { causes: Object.fromEntries(all) };
}

describe('a schedule', () => {
  it('that was paused by hand has drifted, and one that is declared as paused is pending', async () => {
    await using registering = await openApplied();
    const { serving, declare } = registering;
    await serving.registry.setPaused(owner, 'nightly', true);
    expect(await causes(registering)).toEqual({ code: 2, causes: { 'nightly.paused': 'drift' } });
    await declare(results + nightly(...zoned, 'paused: true'));
    expect(await causes(registering)).toEqual({ code: 0, causes: {} });
    await serving.registry.setPaused(owner, 'nightly', false);
    expect(await causes(registering)).toEqual({ code: 0, causes: { 'nightly.paused': 'pending' } });
  });

  it('compares the inputs of a file by their content', async () => {
    await using registering = await openRegistering();
    const { declare, write, webdata } = registering;
    const rows = Array.from({ length: 20 }, (_, index) => `https://shop.example.com/${index}`);
    await write('prices.csv', ['url', ...rows, ''].join('\n'));
    await declare(results + nightly(...zoned).replace(/inputs: .*/, 'inputs: { file: prices.csv }'));
    expect(await webdata('apply', '--yes')).toMatchObject({ code: 0 });
    expect(await registering.read('.webdata/baseline.json')).not.toContain('shop.example.com');
    await write('prices.csv', ['url', ...rows.slice(1), ''].join('\n'));
    expect(await causes(registering)).toEqual({ code: 0, causes: { 'nightly.inputs': 'pending' } });
  });

  it('that was deleted by hand has drifted in every field', async () => {
    await using registering = await openApplied();
    await registering.serving.registry.deleteSchedule(owner, 'nightly');
    const found = await causes(registering);
    expect(found.code).toBe(2);
    expect(new Set(Object.values(found.causes))).toEqual(new Set(['drift']));
  });
});

describe('a secret', () => {
  it('is not in the baseline', async () => {
    await using registering = await openApplied();
    const text = await registering.read('.webdata/baseline.json');
    expect(text).toContain('"sealed"');
    expect(text).not.toContain(canary.slice('Bearer '.length));
  });

  it('is pending where another one is declared', async () => {
    await using registering = await openApplied();
    const { stdout, code } = await registering.webdataWith({ HOOK: 'Bearer rotated' }, 'drift', '--format', 'json');
    expect({ code, ...causesIn(stdout) }).toEqual({ code: 0, causes: { 'results.authorization': 'pending' } });
    expect(stdout).not.toContain('rotated');
  });

  it('has drifted where another one is registered', async () => {
    await using registering = await openApplied();
    const delivery = { endpoint: 'https://hooks.example.com/webdata', authorization: 'Bearer of-somebody' };
    await registering.serving.call('PUT', `/v1/owners/${owner}/deliveries/results`, delivery);
    expect(await causes(registering)).toEqual({ code: 2, causes: { 'results.authorization': 'drift' } });
  });
});
