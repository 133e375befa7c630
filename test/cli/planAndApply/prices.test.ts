/** Prices of the declaration: plans show what their moves cost, and without a price no amount of money. */
import { expect, it } from 'vitest';
import { plan } from '../../../src/program.ts';
import { openDeclared } from '../harness.ts';

const allocation =
  'zoneIpAllocations: { static: { zones: { checkout: { ips: [192.0.2.10, 192.0.2.11] } }, sources: [pricing] } }\n';
const formats = ['text', 'markdown', 'html', 'junit', 'github'];

async function shown(prices: string) {
  await using harness = await openDeclared('plain', `${prices}\n${allocation}`);
  const texts: string[] = [];
  for (const format of formats) texts.push((await harness.webdata('plan', '--format', format)).stdout);
  const { summary } = JSON.parse((await harness.webdata('plan', '--format', 'json')).stdout);
  const { folder: cwd, emulator } = harness;
  const env = { WEBDATA_API_URL: emulator.apiUrl, WEBDATA_API_KEY: emulator.keys.ops };
  const program = await plan({ cwd, env });
  const drift = (await harness.webdata('drift', '--pending')).stdout;
  const applied = await harness.webdata('apply', '--yes');
  const undone = await harness.webdata('undo', '--yes');
  return {
    texts,
    summary,
    program: program.summary.cost,
    drift,
    applied: applied.stderr + applied.stdout,
    undone: undone.stderr + undone.stdout,
  };
}

it('are shown in every report of a plan, to programs, and before an undo', async () => {
  const { texts, summary, program, drift, applied, undone } = await shown('prices: { currency: USD, move: 0.1 }');
  for (const text of texts) expect(text).toMatch(/(2 IPs.* move in 1 call.*, |2 moves · 1 call · )0\.20 USD/);
  for (const text of texts) expect(text).not.toContain('may incur charges');
  expect([summary.cost, program]).toEqual([
    { amount: 0.2, currency: 'USD' },
    { amount: 0.2, currency: 'USD' },
  ]);
  expect(drift).not.toContain('USD');
  expect(applied).toContain('0.20 USD');
  expect(undone).toContain('2 IPs move back in 1 call, 0.20 USD');
});

it.each([
  'prices: { trigger: 3 }',
  'prices: { currency: USD }',
  '',
])('state no amount without a price of moves: %s', async (prices) => {
  const { texts, summary, program } = await shown(prices);
  for (const text of texts) expect(text).toContain('may incur charges');
  for (const text of texts) expect(text).not.toContain('USD');
  expect([summary.cost, program]).toEqual([undefined, undefined]);
});
