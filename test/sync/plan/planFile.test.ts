import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { formatPath } from '../../../src/diagnostics/path.ts';
import { type Problem, ProblemError } from '../../../src/diagnostics/problem.ts';
import { type Config, configOf } from '../../../src/sync/config/config.ts';
import { type PlanFile, planFileOf, readPlanFile, writePlanFile } from '../../../src/sync/plan/planFile.ts';
import { declaredByPlan, isPruning, selectedIn, verifyPlanFile } from '../../../src/sync/plan/verifyPlanFile.ts';
import { readYaml } from '../../../src/yaml/source.ts';
import { migrate, run, unregisterCall } from '../../report/samples.ts';

const folder = await mkdtemp(join(tmpdir(), 'webdata-plan-'));
afterAll(() => rm(folder, { recursive: true }));

const meta = { origin: 'https://api.example.com', version: '0.1.0' };
const allocation = (ips: string, more = '') =>
  `zoneIpAllocations: { static: { zones: { checkout: { ips: [${ips}] } }${more} } }\n`;
const delivery = (secret: string) =>
  `webhookDeliveries: { results: { endpoint: "https://hooks.example.com/x", authorization: ${secret} } }\n`;

function config(yaml: string): Config {
  return configOf(readYaml(yaml, 'w.yaml'), { env: {} });
}

function planOf(yaml: string): PlanFile {
  return planFileOf([], config(yaml), 'update', meta);
}

function thrownBy(action: () => unknown): readonly Problem[] {
  try {
    action();
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return error.problems;
  }
  return [];
}

function problemsOf(action: () => unknown): string[] {
  return thrownBy(action).map(({ code, found }) => `${code}: ${found}`);
}

function pathsOf(action: () => unknown): string[] {
  return thrownBy(action).map(({ path = [] }) => formatPath(path));
}

async function refusal(text: string): Promise<string> {
  const file = join(folder, 'edited.json');
  await writeFile(file, text);
  return readPlanFile('edited.json', folder).then(
    () => '',
    (error: Error) => error.message,
  );
}

describe('a plan file', () => {
  const file: PlanFile = {
    ...planOf(`name: acme\n${allocation('192.0.2.1')}`),
    resources: [
      {
        collection: 'zoneIpAllocations',
        name: 'static',
        calls: [migrate('pricing', 'checkout', ['192.0.2.1'])],
        fingerprints: { 'zone checkout': '0123' },
      },
    ],
  };

  it('is read as it was written, by its owner only', async () => {
    const path = join(folder, 'plan.json');
    await writePlanFile(path, file);
    expect(await readPlanFile('plan.json', folder)).toEqual(file);
    expect(file).toMatchObject({ owner: 'acme', intent: 'update', ...meta });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('is refused if it is missing, not JSON, of another format, has an unknown field or is nested too deeply', async () => {
    await expect(readPlanFile('none.json', folder)).rejects.toThrow(
      /^none\.json is not a plan file: the file does not exist$/,
    );
    await expect(readPlanFile('.', folder)).rejects.toThrow(
      /is not a plan file: it is a folder; with --all, the plans of a folder are applied$/,
    );
    expect(await refusal('{')).toBe('edited.json is not a plan file: it is not JSON');
    expect(await refusal('[]')).toMatch(/is not a plan file: at its top: /);
    expect(await refusal(JSON.stringify({ ...file, format: 'webdata.planfile/9' }))).toMatch(/: at format: /);
    expect(await refusal(JSON.stringify({ ...file, force: true }))).toMatch(/: at its top: .*force/);
    const deep = JSON.parse(`${'['.repeat(200)}${']'.repeat(200)}`);
    const nested = { ...file, declaration: { zoneIpAllocations: { static: deep } } };
    expect(await refusal(JSON.stringify(nested))).toMatch(/: at declaration: maps and lists are nested too deeply$/);
  });
});

describe('the declaration of a plan', () => {
  const plan = planOf(`name: acme\n${allocation('192.0.2.1, 192.0.2.2')}`);

  it('is used if there is no other, with its owner', () => {
    const { name, declared } = declaredByPlan(plan, config(''));
    expect([name, declared.map((each) => each.name)]).toEqual(['acme', ['static']]);
    expect(declaredByPlan(plan, config('name: other')).name).toBe('other');
  });

  it('may have lists of addresses in another order, with repetitions', () => {
    const reordered = config(`name: acme\n${allocation('192.0.2.2, 192.0.2.1')}`);
    expect(declaredByPlan(plan, reordered)).toBe(reordered);
  });

  it('is refused if that of the files has changed: each changed field is named, numbers with both values', () => {
    const before = planOf(`name: acme\n${allocation('192.0.2.1, 192.0.2.2', ', maxMoves: 4')}`);
    const changed = config(`name: acme\n${allocation('192.0.2.1', ', maxMoves: 5')}`);
    const action = () => declaredByPlan(before, changed);
    expect(problemsOf(action)).toContain(
      'other-declaration: the declaration has changed since this plan was made (was 4, is 5)',
    );
    expect(problemsOf(action)).toHaveLength(2);
    expect(pathsOf(action)).toEqual(
      expect.arrayContaining([expect.stringContaining('checkout.ips'), 'zoneIpAllocations.static.maxMoves']),
    );
    expect(problemsOf(action).join()).not.toContain('192.0.2.2');
  });

  it('is refused if its owner is another', () => {
    for (const name of ['', 'name: other\n']) {
      expect(problemsOf(() => declaredByPlan(plan, config(name + allocation('192.0.2.1, 192.0.2.2'))))).toEqual([
        'other-declaration: the plan was made for the owner acme',
      ]);
    }
  });

  it('has secrets only as hashes, and is compared with those of the files', () => {
    const kept = planOf(`name: acme\n${delivery('hunter2-secret')}`);
    expect(JSON.stringify(kept)).not.toContain('hunter2');
    const same = config(`name: acme\n${delivery('hunter2-secret')}`);
    expect(declaredByPlan(kept, same)).toBe(same);
    const other = config(`name: acme\n${delivery('other-secret')}`);
    expect(problemsOf(() => declaredByPlan(kept, other))).toEqual([expect.stringMatching(/^other-declaration: /)]);
    expect(problemsOf(() => declaredByPlan(kept, config('')))).toEqual([
      expect.stringMatching(/^secret-not-in-plan: /),
    ]);
  });
});

describe('the resources of a plan', () => {
  const removal = { collection: 'webhookDeliveries', name: 'results', calls: [unregisterCall], fingerprints: {} };
  const kept = { collection: 'zoneIpAllocations', name: 'static', calls: [], fingerprints: {} };
  const plan = { ...planOf(`name: acme\n${allocation('192.0.2.1')}`), resources: [kept, removal] };

  it('are selected, except registrations that are no longer declared', () => {
    expect(selectedIn(plan)).toEqual(['zoneIpAllocations/static']);
    const declared = { ...plan, declaration: { ...plan.declaration, webhookDeliveries: { results: {} } } };
    expect(selectedIn(declared)).toEqual(['zoneIpAllocations/static', 'webhookDeliveries/results']);
    expect(isPruning(declared)).toBe(false);
  });

  it('are pruned only by an apply that removes some', () => {
    expect(isPruning(plan)).toBe(true);
    expect(isPruning({ ...plan, intent: 'delete' })).toBe(false);
    expect(isPruning({ ...plan, resources: [kept, { ...removal, calls: [] }] })).toBe(false);
    expect(isPruning({ ...plan, resources: [kept] })).toBe(false);
  });
});

describe('before the live state is read, a plan', () => {
  const plan = planOf(allocation('192.0.2.1'));

  it('is accepted for the same service and version', () => {
    expect(problemsOf(() => verifyPlanFile(plan, undefined, meta))).toEqual([]);
  });

  it('is refused if it was applied, or made for another service or by another version: all causes at once', () => {
    const other = { origin: 'https://other.example.com', version: '0.2.0', account: 'acme-eu' };
    expect(problemsOf(() => verifyPlanFile(plan, run('0123456789', []), other))).toEqual([
      'plan-applied: this plan was already applied at 2026-07-01T10:00:00.000Z (run 01234567)',
      'other-origin: the plan was made for https://api.example.com',
      'other-account: the plan was made for an account without a name',
      'other-version: the plan was made by webdata 0.1.0',
    ]);
  });
});
