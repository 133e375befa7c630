import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { formatPath } from '../../../src/diagnostics/path.ts';
import { type Problem, ProblemError } from '../../../src/diagnostics/problem.ts';
import { type Config, configOf } from '../../../src/sync/config/config.ts';
import { type PlanFile, planFileOf, planFileText, readPlanFile } from '../../../src/sync/plan/planFile.ts';
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
  return readPlanFile('edited.json', { cwd: folder }).then(
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

  it('is read as it was written', async () => {
    const path = join(folder, 'plan.json');
    await writeFile(path, planFileText(file));
    expect(await readPlanFile('plan.json', { cwd: folder })).toEqual(file);
    expect(await readPlanFile(path, { cwd: '/elsewhere' })).toEqual(file);
    expect(file).toMatchObject({ owner: 'acme', intent: 'update', ...meta });
    expect(await readFile(path, 'utf8')).toBe(`${JSON.stringify(file, null, 2)}\n`);
  });

  it('holds the declaration and the plan of each resource, and no field without a value', () => {
    const of = config(
      `${allocation('192.0.2.1')}managerSettings: { one: { url: "http://m:1", logs: 1 }, two: { url: "http://m:2", logs: 2 } }\n`,
    );
    const [declared] = of.declared;
    if (declared === undefined) throw new Error('nothing is declared');
    const { kind, collection, name } = declared;
    const calls = [migrate('pricing', 'checkout', ['192.0.2.1'])];
    const plan = { kind, collection, name, changes: [], calls, notes: [], problems: [] };
    const planned = { declared, intent: 'delete' as const, plan, state: undefined, concurrencyKey: '' };
    const made = planFileOf([planned], of, 'delete', meta);
    expect(made).toEqual({
      format: 'webdata.planfile/1',
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      ...meta,
      intent: 'delete',
      declaration: {
        zoneIpAllocations: { static: expect.objectContaining({ zones: { checkout: expect.anything() } }) },
        managerSettings: { one: expect.objectContaining({ logs: 1 }), two: expect.objectContaining({ logs: 2 }) },
      },
      resources: [{ collection, name, calls, fingerprints: {} }],
    });
    expect(made).not.toHaveProperty('owner');
    expect(made).not.toHaveProperty('lists');
    const lists = [
      { path: 'zoneIpAllocations.static.protect', source: 'https://l.example', fetchedAt: 'now', items: ['192.0.2.1'] },
    ];
    expect(planFileOf([], { ...of, lists }, 'update', meta).lists).toEqual(lists);
  });

  it('is refused if it is missing, not JSON, of another format, has an unknown field or is nested too deeply', async () => {
    await expect(readPlanFile('none.json', { cwd: folder })).rejects.toMatchObject({
      problems: [
        {
          code: 'not-a-plan-file',
          found: 'none.json is not a plan file: the file does not exist',
          allowed: 'a file that `webdata plan --output FILE` wrote',
          fix: 'plan again',
        },
      ],
    });
    await expect(readPlanFile('.', { cwd: folder })).rejects.toThrow(
      /^\. is not a plan file: it is a folder; with --all, the plans of a folder are applied$/,
    );
    await expect(readPlanFile('plan.json/inside', { cwd: folder })).rejects.toThrow(
      /^plan\.json\/inside is not a plan file: it can't be read \(ENOTDIR\)$/,
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

  it('is refused with at most 5 changes, each with its path', () => {
    const delivery = (name: string) => `${name}: { endpoint: "https://hooks.example.com/${name}" }`;
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const all = planOf(`name: acme\nwebhookDeliveries: { ${names.map(delivery).join(', ')} }\n`);
    const changed = thrownBy(() =>
      declaredByPlan(all, config(`name: acme\nwebhookDeliveries: { ${delivery('g')} }\n`)),
    );
    expect(changed).toHaveLength(5);
    expect(changed[0]).toEqual({
      code: 'other-declaration',
      path: ['webhookDeliveries', expect.stringMatching(/^[a-g]$/)],
      found: 'the declaration has changed since this plan was made',
      allowed: 'a plan of this declaration',
      fix: 'plan again',
    });
  });

  it.each([
    ['logs: 4', 'logs: 5', ' (was 4, is 5)'],
    ['requestStats: true', 'requestStats: false', ' (was true, is false)'],
    // Any text may be a secret.
    ['zone: a', 'zone: b', ''],
    ['logs: 4', 'logs: 4, requestStats: true', ''],
  ])('shows numbers and switches only: %s, then %s', (before, after, shown) => {
    const settings = (fields: string) => `managerSettings: { local: { url: "http://m:1", ${fields} } }\n`;
    expect(problemsOf(() => declaredByPlan(planOf(settings(before)), config(settings(after))))).toEqual([
      `other-declaration: the declaration has changed since this plan was made${shown}`,
    ]);
  });

  it('has the inputs of schedules in their order', () => {
    const schedule = (...urls: string[]) =>
      `name: acme\ncollectorSchedules: { nightly: { collector: c_prices, cron: "0 3 * * *", inputs: [${urls.map((url) => `{ url: "https://shop.example.com/${url}" }`).join(', ')}] } }\nwebhookDeliveries: { results: { endpoint: "https://hooks.example.com/x" } }\n`;
    const kept = planOf(schedule('a', 'b'));
    expect(problemsOf(() => declaredByPlan(kept, config(schedule('a', 'b'))))).toEqual([]);
    expect(problemsOf(() => declaredByPlan(kept, config(schedule('b', 'a'))))).not.toEqual([]);
  });

  it('may have registrations that the plan does not have, and the other way round', () => {
    const one = `name: acme\n${delivery('hunter2-secret')}`;
    const none = `name: acme\n${allocation('192.0.2.1')}`;
    expect(pathsOf(() => declaredByPlan(planOf(none), config(one + allocation('192.0.2.1'))))).toEqual([
      'webhookDeliveries',
    ]);
    expect(pathsOf(() => declaredByPlan(planOf(one + allocation('192.0.2.1')), config(none)))).toEqual([
      'webhookDeliveries',
    ]);
    const other = one.replace('results', 'others');
    expect(pathsOf(() => declaredByPlan(planOf(one), config(other))).toSorted()).toEqual([
      'webhookDeliveries.others',
      'webhookDeliveries.results',
    ]);
  });

  it('takes its name and its account from the plan, unless the files name them', () => {
    const named = { ...planOf(allocation('192.0.2.1')), owner: 'acme', account: 'eu' };
    const declared = declaredByPlan(named, config(''));
    expect([declared.name, declared.account]).toEqual(['acme', 'eu']);
    const settings = declaredByPlan(named, config('name: other\naccount: us\n'));
    expect([settings.name, settings.account]).toEqual(['other', 'us']);
  });

  it('is refused if its owner is another', () => {
    for (const [name, allowed] of [
      ['', 'no owner'],
      ['name: other\n', 'other'],
    ]) {
      expect(thrownBy(() => declaredByPlan(plan, config(name + allocation('192.0.2.1, 192.0.2.2'))))).toEqual([
        {
          code: 'other-declaration',
          path: ['name'],
          found: 'the plan was made for the owner acme',
          allowed,
          fix: 'plan again',
        },
      ]);
    }
    const unnamed = planOf(allocation('192.0.2.1'));
    expect(problemsOf(() => declaredByPlan(unnamed, config(`name: acme\n${allocation('192.0.2.1')}`)))).toEqual([]);
  });

  it('has secrets only as hashes, and is compared with those of the files', () => {
    const kept = planOf(`name: acme\n${delivery('hunter2-secret')}`);
    expect(JSON.stringify(kept)).not.toContain('hunter2');
    const same = config(`name: acme\n${delivery('hunter2-secret')}`);
    expect(declaredByPlan(kept, same)).toBe(same);
    const other = config(`name: acme\n${delivery('other-secret')}`);
    expect(problemsOf(() => declaredByPlan(kept, other))).toEqual([expect.stringMatching(/^other-declaration: /)]);
    expect(problemsOf(() => declaredByPlan(kept, config('')))).toEqual([
      'secret-not-in-plan: a delivery of the plan has a secret, and plan files contain no secrets',
    ]);
    expect(thrownBy(() => declaredByPlan(kept, config('')))).toMatchObject([
      {
        allowed: 'applying the plan together with its declaration',
        fix: 'name the declaration with -f, or refer to the secret ({env: NAME}) and plan again',
      },
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
    expect(thrownBy(() => verifyPlanFile(plan, run('0123456789', []), other))).toEqual([
      {
        code: 'plan-applied',
        found: 'this plan was already applied at 2026-07-01T10:00:00.000Z (run 01234567)',
        allowed: 'a plan is applied once',
        fix: 'plan again',
      },
      {
        code: 'other-origin',
        found: 'the plan was made for https://api.example.com',
        allowed: 'https://other.example.com',
        fix: 'plan again for this service',
      },
      {
        code: 'other-account',
        found: 'the plan was made for an account without a name',
        allowed: 'account acme-eu',
        fix: 'plan again for this account',
      },
      {
        code: 'other-version',
        found: 'the plan was made by webdata 0.1.0',
        allowed: 'webdata 0.2.0',
        fix: 'plan again',
      },
    ]);
    const ofAccount = { ...plan, account: 'acme-eu' };
    expect(thrownBy(() => verifyPlanFile(ofAccount, undefined, meta))).toMatchObject([
      { found: 'the plan was made for account acme-eu', allowed: 'an account without a name' },
    ]);
    expect(thrownBy(() => verifyPlanFile(ofAccount, undefined, { ...meta, account: 'acme-eu' }))).toEqual([]);
  });
});
