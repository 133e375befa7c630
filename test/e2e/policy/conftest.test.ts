/** The rules of examples/policy/conftest, run by Conftest on real plans and a real history. */
import { execFileSync, spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { onGitHub } from '../../ci/setup.ts';
import { type Harness, openDeclared } from '../../cli/harness.ts';

/** Built by CI. Elsewhere the tests are skipped, and counted so, if there is neither Conftest nor Go. */
const conftest = installed();
const policy = resolve('examples/policy/conftest');

function installed(): string | undefined {
  if (spawnSync('go', ['version']).status !== 0) return undefined;
  return execFileSync('scripts/conftest.sh', { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim();
}

const declaration = (ips: string, rest: string) => `zoneIpAllocations: { static: { zones: { ${ips} }, ${rest} } }\n`;
const outOfCheckout = declaration('parked: { ips: [192.0.2.12] }', 'sources: [checkout]');
const intoCheckout = declaration('checkout: { ips: [192.0.2.10, 192.0.2.11] }', 'sources: [pricing]');

async function test({ webdata, folder }: Harness, ...args: string[]) {
  const { stdout: plan } = await webdata('plan', '--format', 'json');
  const all = ['test', '--no-color', '--policy', policy, ...args, '-'];
  const { status, stdout } = spawnSync(conftest ?? '', all, { input: plan, cwd: folder, encoding: 'utf8' });
  return { status, stdout };
}

describe.skipIf(conftest === undefined && process.env.CI === undefined)('the rules for Conftest', () => {
  it('allow IPs to enter a zone, and deny that they leave it', async () => {
    await using entering = await openDeclared('plain', intoCheckout);
    expect(await test(entering)).toMatchObject({ status: 0 });
    await using leaving = await openDeclared('plain', outOfCheckout);
    const { status, stdout } = await test(leaving);
    expect(stdout).toContain('checkout must keep its IPs, and the plan moves 192.0.2.12 out of it');
    expect(status).toBe(1);
  });

  it('cap the moves of 24 hours, with those of the history', async () => {
    await using harness = await openDeclared('plain', intoCheckout);
    await harness.webdata('apply', '--yes');
    const { stdout: history } = await harness.webdata('history', '--format', 'json');
    // The rule allows 20: 19 older moves of the same day.
    const document = JSON.parse(history);
    const [call] = document.runs[0].calls;
    const ips = Array.from({ length: 17 }, (_, index) => ({ ...call.call.ips[0], ip: `198.18.9.${index}` }));
    document.runs[0].calls.push({ ...call, call: { ...call.call, ips } });
    await harness.write('history.json', JSON.stringify(document));
    await harness.write(
      'webdata.yaml',
      (await harness.read('webdata.yaml')).replace('192.0.2.11', '192.0.2.11, 198.51.100.10'),
    );
    expect(await test(harness, '--data', 'history.json')).toMatchObject({ status: 0 });
    document.runs[0].calls.push({ ...call, call: { ...call.call, ips: [{ ...ips[0], ip: '198.18.9.99' }] } });
    await harness.write('history.json', JSON.stringify(document));
    const { status, stdout } = await test(harness, '--data', 'history.json');
    expect(stdout).toContain('at most 20 IPs may move in 24 hours: 20 have moved, and the plan moves 1');
    expect(status).toBe(1);
    const old = JSON.stringify(document).replaceAll(/"sentAt":"\d{4}/g, '"sentAt":"2020');
    await harness.write('history.json', old);
    expect(await test(harness, '--data', 'history.json')).toMatchObject({ status: 0 });
  });

  it('cap the cost of a plan, by the prices of the declaration', async () => {
    await using cheap = await openDeclared('plain', `prices: { currency: USD, move: 25 }\n${intoCheckout}`);
    expect(await test(cheap)).toMatchObject({ status: 0 });
    await using dear = await openDeclared('plain', `prices: { currency: USD, move: 25.5 }\n${intoCheckout}`);
    const { status, stdout } = await test(dear);
    expect(stdout).toContain('the moves cost 51, and a plan may cost at most 50');
    expect(status).toBe(1);
  });

  it('deny in the comment of the pull request', async () => {
    await using github = await onGitHub(outOfCheckout);
    const command = `'${conftest}' test --output json --policy '${policy}' -`;
    expect(await github.ciWith({ HOME: process.env.HOME }, 'plan', '--policy', command)).toMatchObject({ code: 1 });
    expect(github.forge.on(7)[0]?.body).toContain(
      '### ❌ Denied by policy\n\n- checkout must keep its IPs, and the plan moves `192.0.2.12` out of it\n\n### webdata plan',
    );
  });
});
