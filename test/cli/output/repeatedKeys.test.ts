/** Inputs with a key that one object has twice: JSON.parse would keep the last value, and its job would be billed. */
import { describe, expect, it } from 'vitest';
import { token } from '../../triggers/serving.ts';
import { openHarness, writesOf } from '../harness.ts';
import { nightly, openRegistering, results } from '../registrations/registrations.ts';

const twice = '{"url":"https://a.example/",\n"url":"https://b.example/"}';
const oneLine = twice.replace('\n', '');
const says = 'the key "url" is given twice in one object';

describe('a key that is given twice', () => {
  it.each([
    ['d.json', twice, 'd.json:2'],
    ['d.json', `[{"url":"https://c.example/"},\n\n${twice}]`, 'd.json:4'],
    ['d.ndjson', `{"url":"https://c.example/"}\n${oneLine}\n`, 'd.ndjson:2'],
  ])('collect refuses %s with %j', async (file, text, place) => {
    await using harness = await openHarness('plain');
    await harness.write(file, text);
    const { code, stdout, stderr } = await harness.webdata('collect', 'c_prices', '--inputs', file);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(`${place}: ${says}`);
    expect(stderr).toContain('allowed: each key once in an object');
    expect(stderr).toContain('fix: remove one of the two; nothing was triggered');
    expect(writesOf(harness.emulator.requests())).toEqual([]);
  });

  it.each([
    ['d.json', `[${twice}]`, 'd.json:2'],
    ['d.ndjson', `{"url":"https://c.example/"}\n${oneLine}\n`, 'd.ndjson:2'],
  ])('a plan refuses the inputs of a schedule in %s', async (file, text, place) => {
    await using registering = await openRegistering();
    await registering.write(file, text);
    await registering.declare(results + nightly('every: 1h').replace(/inputs: .*/, `inputs: { file: ${file} }`));
    const { code, stdout, stderr } = await registering.webdata('plan');
    expect(code).toBe(1);
    expect(stderr + stdout).toContain(`${place}: ${says}`);
  });

  it('the trigger service refuses to register it', async () => {
    await using registering = await openRegistering();
    const answer = await fetch(`${registering.serving.url}/v1/owners/acme/schedules/s`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: `{"collector":"c_a","every":"1h","inputs":[${twice}]}`,
    });
    expect([answer.status, await answer.json()]).toMatchObject([
      422,
      { error: [{ code: 'duplicate-key', found: `line 2 of the body: ${says}` }] },
    ]);
    expect((await registering.serving.registry.records('acme')).schedules).toEqual([]);
  });
});
