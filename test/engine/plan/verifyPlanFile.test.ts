/** A plan file beside the declaration that it was made from: what may differ, and what it selects and removes. */
import { describe, expect, it } from 'vitest';
import { formatPath } from '../../../src/base/diagnostics/path.ts';
import { type Problem, ProblemError } from '../../../src/base/diagnostics/problem.ts';
import { readYaml } from '../../../src/base/yaml/source.ts';
import { type Config, configOf } from '../../../src/engine/declaration/config.ts';
import { type PlanFile, planFileOf } from '../../../src/engine/plan/planFile.ts';
import { declaredByPlan, isPruning, selectedIn } from '../../../src/engine/plan/verifyPlanFile.ts';
import { unregisterCall } from '../../report/samples.ts';

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
