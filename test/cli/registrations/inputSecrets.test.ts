/** Inputs with secrets: the collector needs them, and no report and no plan file has them. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formatNames } from '../../../src/report/formats.ts';
import { owner } from '../../triggers/serving.ts';
import { cron, nightly, openRegistering, results } from './registrations.ts';

const url = 'https://a.example/?q=postgres://u:pw-canary@h/db&apikey=s3cret-canary';

function withInputs(password: string, rows = 1): string {
  const row = `{ url: "${url}", password: ${password} }`;
  return results + nightly(cron).replace(/inputs: .*/, `inputs: [${Array(rows).fill(row).join(', ')}]`);
}

const reports = formatNames.flatMap((format) => ['--report', `${format}=r.${format}`]);

describe('inputs with secrets', () => {
  it.each([1, 12])('are hidden in every report and in the plan file: %i rows', async (rows) => {
    await using registering = await openRegistering();
    await registering.declare(withInputs('hunter-canary', rows));
    const { code, stdout, stderr } = await registering.webdata('plan', '--output', 'plan.json', ...reports);
    expect(code).toBe(0);
    if (rows === 1) expect(stdout).toMatch(/inputs\.row 1\s+\{"password":"\*\*\*"/);
    const files = ['plan.json', ...formatNames.map((format) => `r.${format}`)];
    const texts = await Promise.all(files.map((file) => registering.read(file)));
    for (const text of [...texts, stdout, stderr]) expect(text).not.toContain('canary');
  });

  it('are registered as they are declared, and compared', async () => {
    await using registering = await openRegistering();
    const { declare, webdata, serving, read } = registering;
    await declare(withInputs('hunter-canary'));
    expect(await webdata('apply', '--yes')).toMatchObject({ code: 0, stdout: expect.not.stringContaining('canary') });
    const { schedules } = await serving.registry.records(owner);
    expect(JSON.stringify(schedules)).toContain(JSON.stringify({ url, password: 'hunter-canary' }));
    expect(await webdata('plan')).toMatchObject({ code: 0, stdout: expect.stringContaining('No changes') });
    await declare(withInputs('other-canary'));
    const { stdout } = await webdata('plan');
    expect(stdout).toMatch(/~ inputs\.secrets +digest \w{8} → digest \w{8}/);
    expect(stdout).not.toContain('canary');
    const drift = await webdata('drift', '--pending');
    expect(drift).toMatchObject({ code: 2, stdout: expect.not.stringContaining('canary') });
    expect(await read('.webdata/journal.jsonl')).not.toContain('canary');
  });

  it('are applied from a plan file beside its declaration only', async () => {
    await using registering = await openRegistering();
    const { declare, webdata, folder, serving } = registering;
    await declare(withInputs('hunter-canary'));
    expect(await webdata('plan', '--output', 'plan.json')).toMatchObject({ code: 0 });
    await declare(withInputs('other-canary'));
    expect(await webdata('apply', '--yes', 'plan.json')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('the declaration has changed since this plan was made'),
    });
    await rm(join(folder, 'webdata.yaml'));
    expect(await webdata('apply', '--yes', 'plan.json')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('the declaration of this plan, webdata.yaml, is not in the current folder'),
    });
    await declare(withInputs('hunter-canary'));
    expect(await webdata('apply', '--yes', 'plan.json')).toMatchObject({ code: 0 });
    const { schedules } = await serving.registry.records(owner);
    expect(JSON.stringify(schedules)).toContain('hunter-canary');
  });
});

describe('a secret variable in the name of a file', () => {
  const zones = (ips: string) => `zoneIpAllocations: { static: { zones: { checkout: { ips: [${ips}] } } } }\n`;
  const key = `\${WEBDATA_API_KEY}`;
  const inputs = results + nightly(cron).replace(/inputs: .*/, () => `inputs: { file: "x${key}.csv" }`);

  it.each([
    ['of a list', zones(`{ file: "ips/${key}.txt" }`), 'validate', `ips/${key}.txt`],
    ['of inputs', inputs, 'plan', `x${key}.csv`],
    ['that is included', `include: "${key}.yaml"\n`, 'validate', `${key}.yaml`],
  ])('is not shown by an error: %s', async (_what, declaration, command, shown) => {
    await using registering = await openRegistering();
    await registering.declare(declaration);
    const { code, stdout, stderr } = await registering.webdata(command);
    expect(code).toBe(1);
    expect(stdout + stderr).toContain(`${shown} can't be read`);
    expect(stdout + stderr).not.toContain(registering.emulator.keys.ops);
  });
});
