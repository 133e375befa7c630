/** Registrations of the owner that are not declared: shown, or removed. */
import { describe, expect, it } from 'vitest';
import { readYaml } from '../../../src/base/yaml/source.ts';
import { ServiceError } from '../../../src/client/errors.ts';
import { type Config, configOf } from '../../../src/engine/declaration/config.ts';
import type { Planned } from '../../../src/engine/plan/planned.ts';
import { planAll } from '../../../src/engine/plan/planner.ts';
import { type UndeclaredFate, undeclaredIn } from '../../../src/engine/plan/undeclared.ts';
import { createSession } from '../../../src/engine/run/sessionViews.ts';
import { deliverySpec } from '../../../src/triggers/declared/deliverySpec.ts';
import { scheduleSpec } from '../../../src/triggers/declared/scheduleSpec.ts';
import type { RegisteredDelivery, RegisteredSchedule } from '../../../src/triggers/model.ts';

const env = {
  WEBDATA_TRIGGERS_URL: 'http://triggers.example',
  WEBDATA_TRIGGERS_TOKEN: 'token-of-the-tests-0123456789',
};
const config = (yaml: string, variables: Record<string, string> = env) =>
  configOf(readYaml(yaml, 'w.yaml'), { env: variables });
const declared = 'name: acme\nwebhookDeliveries: { kept: { endpoint: "https://hooks.example.com/x" } }\n';

const delivery = (name: string): RegisteredDelivery =>
  ({
    owner: 'acme',
    name,
    spec: deliverySpec.parse({ endpoint: 'https://hooks.example.com/x' }),
    changedAt: 0,
  }) as RegisteredDelivery;
const schedule = (name: string): RegisteredSchedule =>
  ({
    owner: 'acme',
    name,
    spec: scheduleSpec.parse({
      collector: 'c_prices',
      cron: '0 3 * * *',
      timeZone: 'UTC',
      delivery: 'old',
      inputs: [{ url: 'https://shop.example.com/' }],
    }),
    changedAt: 0,
    nextTickAt: null,
    lastRun: null,
  }) as RegisteredSchedule;

function sessionOf(its: Config, owners: string[]) {
  const triggers = () =>
    ({
      url: 'http://triggers.example',
      totals: async () => ({ lastEvent: 0 }),
      records: async (owner: string) => {
        owners.push(owner);
        return { deliveries: [delivery('kept'), delivery('old')], schedules: [schedule('nightly')] };
      },
    }) as never;
  const unused = () => {
    throw new TypeError('not used');
  };
  return createSession(its, {
    client: unused,
    manager: unused,
    triggers,
    readFile: async () => '',
    sleep: async () => undefined,
    close: async () => undefined,
  });
}

async function found(fate: UndeclaredFate, its = config(declared), planned: Planned[] = []) {
  const owners: string[] = [];
  const undeclared = await undeclaredIn(its, sessionOf(its, owners), fate, planned);
  return { undeclared, owners };
}

const shown = ({ undeclared }: { undeclared: readonly Planned[] }) =>
  undeclared.map(({ plan, intent, concurrencyKey, state, declared: { spec } }) => ({
    id: `${plan.kind} ${plan.collection}/${plan.name}`,
    calls: plan.calls.map(({ type }) => type),
    notes: plan.notes.map(({ text }) => text),
    intent,
    concurrencyKey,
    state,
    spec,
  }));

describe('undeclared registrations', () => {
  it('are notes, schedules before the deliveries that they name', async () => {
    expect(shown(await found('show'))).toMatchInlineSnapshot(`
      [
        {
          "calls": [],
          "concurrencyKey": "triggers http://triggers.example",
          "id": "CollectorSchedule collectorSchedules/nightly",
          "intent": "delete",
          "notes": [
            "the schedule is registered for acme, and not declared: it stays, unless \`--prune\` removes it",
          ],
          "spec": undefined,
          "state": undefined,
        },
        {
          "calls": [],
          "concurrencyKey": "triggers http://triggers.example",
          "id": "WebhookDelivery webhookDeliveries/old",
          "intent": "delete",
          "notes": [
            "the delivery is registered for acme, and not declared: it stays, unless \`--prune\` removes it",
          ],
          "spec": undefined,
          "state": undefined,
        },
      ]
    `);
  });

  it('are removed by a plan that prunes', async () => {
    expect(shown(await found('prune'))).toMatchInlineSnapshot(`
      [
        {
          "calls": [
            "unregister",
          ],
          "concurrencyKey": "triggers http://triggers.example",
          "id": "CollectorSchedule collectorSchedules/nightly",
          "intent": "delete",
          "notes": [],
          "spec": undefined,
          "state": undefined,
        },
        {
          "calls": [
            "unregister",
          ],
          "concurrencyKey": "triggers http://triggers.example",
          "id": "WebhookDelivery webhookDeliveries/old",
          "intent": "delete",
          "notes": [],
          "spec": undefined,
          "state": undefined,
        },
      ]
    `);
  });

  it('are those of the owner of the declaration', async () => {
    const { owners } = await found('show');
    expect(new Set(owners)).toEqual(new Set(['acme']));
  });

  it('are not read without an owner, a URL or a token; a plan that prunes needs an owner', async () => {
    const nothing = { undeclared: [], owners: [] };
    expect(await found('show', config('{}'))).toEqual(nothing);
    expect(await found('show', config('name: acme', {}))).toEqual(nothing);
    await expect(found('prune', config('{}'))).rejects.toMatchObject({ problems: [{ code: 'no-owner' }] });
  });

  it('are not read if a declared registration could not be read', async () => {
    const its = config(`${declared}managerSettings: { local: { url: "http://127.0.0.1:1", logs: 1 } }\n`);
    const request = { method: 'GET', url: 'http://triggers.example/' };
    const unread = new ServiceError('gone', {
      code: 'unreachable',
      effect: 'none',
      request,
      fix: '',
      transient: false,
    });
    const planned = (collection: string): Planned[] =>
      its.declared
        .filter((each) => each.collection === collection)
        .map((each) => ({
          declared: each,
          intent: 'update',
          plan: { ...each, changes: [], calls: [], notes: [], problems: [] },
          state: undefined,
          concurrencyKey: '',
          unread,
        }));
    expect((await found('show', its, planned('webhookDeliveries'))).undeclared).toEqual([]);
    expect((await found('show', its, planned('managerSettings'))).undeclared).toHaveLength(2);
  });

  it('belong to a plan that asks for them, but never to that of a destroy', async () => {
    const its = config('name: acme');
    const plan = async (options: Parameters<typeof planAll>[2]) =>
      (await planAll(its, sessionOf(its, []), options)).map(({ plan: { name } }) => name);
    expect(await plan({ undeclared: 'show' })).toEqual(['nightly', 'kept', 'old']);
    expect(await plan({ undeclared: 'show', intent: 'delete' })).toEqual([]);
    expect(await plan({})).toEqual([]);
  });
});
