/** Deliveries and schedules at a trigger service: what is read, sent, removed, undone and shown. */

import { describe, expect, it } from 'vitest';
import { ProblemError } from '../../../src/base/diagnostics/problem.ts';
import { failing } from '../../../src/client/errors.ts';
import type { Call } from '../../../src/kinds/call.ts';
import { liveExport } from '../../../src/kinds/liveExport.ts';
import { ownership } from '../../../src/kinds/ownership.ts';
import { references } from '../../../src/kinds/references.ts';
import { unregister } from '../../../src/kinds/registered/calls/registration.ts';
import type { RegisterCall } from '../../../src/kinds/registered/calls/registrationCall.ts';
import { removeRecord } from '../../../src/kinds/registered/registration.ts';
import { webhookDelivery } from '../../../src/kinds/webhookDelivery/kind.ts';
import { specDigest } from '../../../src/triggers/declared/specDigest.ts';
import { offered } from '../offers.ts';
import { triggerService, triggersUrl } from './triggerService.ts';

const spec = webhookDelivery.spec.parse({ endpoint: 'https://hooks.example.com/a', authorization: 'canary' });
const other = webhookDelivery.spec.parse({ endpoint: 'https://hooks.example.com/b', authorization: 'canary' });
const fail = failing({ method: 'PUT', url: triggersUrl, read: false }, {});
const lost = fail('timed-out', 'timed out');
const refused = fail('refused', 'was refused', { status: 400 });
const thrown = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('a delivery', () => {
  it('is registered once, and then as it is declared', async () => {
    const { context, deliveries, events } = triggerService();
    const state = await webhookDelivery.converge(spec, context('results'));
    expect(state.registered).toMatchObject({ endpoint: 'https://hooks.example.com/a' });
    expect(deliveries.map(({ name }) => name)).toEqual(['results']);
    expect(events).toEqual(['reads acme', 'sends register', 'answered', 'took']);
    events.length = 0;
    expect(webhookDelivery.diff(spec, await webhookDelivery.converge(spec, context('results')))).toEqual({
      changes: [],
      calls: [],
      notes: [],
      problems: [],
    });
    expect(events).toEqual(['reads acme']);
  });

  it('is planned as a new one, its defaults marked, or as a change of the registered one', async () => {
    const { context, deliveries } = triggerService();
    const { calls, changes } = webhookDelivery.diff(spec, await webhookDelivery.observe(spec, context('results')));
    const call = { type: 'register', triggers: triggersUrl, record: 'delivery', owner: 'acme', name: 'results' };
    expect(calls).toEqual([{ ...call, digest: specDigest(spec), before: null }]);
    const isDefault = Object.fromEntries(changes.map((change) => [change.path.join('.'), change.isDefault]));
    expect(isDefault).toMatchObject({ endpoint: undefined, authorization: undefined });
    expect(Object.values(isDefault)).toContain(true);
    await webhookDelivery.converge(spec, context('results'));
    const changed = webhookDelivery.diff(other, await webhookDelivery.observe(other, context('results')));
    expect(changed.calls).toEqual([{ ...call, digest: specDigest(other), before: specDigest(deliveries[0]?.spec) }]);
    expect(changed.changes).toEqual([
      {
        path: ['endpoint'],
        kind: 'change',
        before: 'https://hooks.example.com/a',
        after: 'https://hooks.example.com/b',
      },
    ]);
  });

  it('is compared after a lost answer, and not sent again', async () => {
    const { context, events, faults } = triggerService();
    faults.push({ error: lost, isEffective: true });
    await webhookDelivery.converge(spec, context('results'));
    expect(events.filter((event) => !event.startsWith('reads'))).toEqual([
      'sends register',
      'failed timed-out unknown',
      'took',
    ]);
  });

  it.each([
    ['had no effect', { error: lost }, 'failed timed-out unknown', lost],
    ['cannot be found out', { error: lost, isEffective: true, isBroken: true }, 'failed timed-out unknown', lost],
    ['was refused', { error: refused }, 'failed refused none', refused],
  ])('fails with the error of a call that %s', async (_, fault, event, error) => {
    const { context, events, faults } = triggerService();
    faults.push(fault);
    expect(await thrown(webhookDelivery.converge(spec, context('results')))).toBe(error);
    expect(events.filter((each) => !each.startsWith('reads'))).toEqual(['sends register', event]);
  });

  it('fails with the problems that the service found', async () => {
    const { context, events, faults } = triggerService();
    const error = new ProblemError([{ code: 'no-key', found: 'no key is set' }]);
    faults.push({ error });
    expect(await thrown(webhookDelivery.converge(spec, context('results')))).toBe(error);
    expect(events).toEqual(['reads acme', 'sends register', 'failed no-key none']);
  });

  it('is refused if the service ignores a value', async () => {
    const { context, ignored } = triggerService([{ name: 'results', spec: other }]);
    ignored.add('results');
    const error = await thrown(webhookDelivery.converge(spec, context('results')));
    expect((error as ProblemError).problems).toContainEqual({
      code: 'did-not-take',
      path: ['endpoint'],
      found:
        'endpoint: wanted "https://hooks.example.com/a", got "https://hooks.example.com/b", although the trigger service accepted the change',
      fix: 'check that the trigger service and this tool have the same version',
    });
  });

  it('is not sent after an interruption, or if other calls were shown', async () => {
    const { context, events } = triggerService();
    const aborted = context('results', { signal: AbortSignal.abort(new Error('stopped')) });
    await expect(webhookDelivery.converge(spec, aborted)).rejects.toThrow('stopped');
    const stale = context('results', { isPlanned: () => false });
    expect(await thrown(webhookDelivery.converge(spec, stale))).toMatchObject({
      problems: [{ code: 'changed-since-plan' }],
    });
    expect(await thrown(removeRecord('delivery', stale))).toBeUndefined();
    expect(new Set(events)).toEqual(new Set(['reads acme']));
  });
});

describe('the removal of a delivery', () => {
  const named = { name: 'nightly', spec: { delivery: 'results' } };

  it('is sent once, and leaves the others', async () => {
    const { context, deliveries, schedules, events } = triggerService(
      [
        { name: 'results', spec },
        { name: 'more', spec: other },
      ],
      [{ name: 'results', spec: {} }],
    );
    await webhookDelivery.removal.send(spec, context('results'));
    await webhookDelivery.removal.send(spec, context('results'));
    expect([deliveries.length, schedules.length]).toEqual([1, 1]);
    expect(events.filter((event) => event.startsWith('sends'))).toEqual(['sends unregister']);
    await removeRecord('schedule', context('results'));
    expect([deliveries.length, schedules.length]).toEqual([1, 0]);
  });

  it('says so if there is nothing to remove', async () => {
    const { context } = triggerService();
    const state = await webhookDelivery.observe(spec, context('results'));
    expect(webhookDelivery.removal.diff(spec, { ...state, usedBy: ['nightly'] })).toEqual({
      changes: [],
      calls: [],
      notes: [{ code: 'left-as-is', text: 'it is not registered: there is nothing to remove' }],
      problems: [],
    });
  });

  it('is refused while schedules name it', async () => {
    const { context } = triggerService([{ name: 'results', spec }], [named, { ...named, name: 'hourly' }]);
    const state = await webhookDelivery.observe(spec, context('results'));
    const { calls, problems } = webhookDelivery.removal.diff(spec, state);
    expect(calls).toEqual([
      { type: 'unregister', triggers: triggersUrl, record: 'delivery', owner: 'acme', name: 'results' },
    ]);
    expect(problems).toEqual([
      {
        code: 'delivery-in-use',
        found: 'the delivery results is named by nightly, hourly',
        allowed: 'removing a delivery that no schedule names',
        fix: 'remove or change these schedules too',
      },
    ]);
    expect(webhookDelivery.removal.diff(spec, { ...state, usedBy: [] }).problems).toEqual([]);
  });
});

describe('what is registered', () => {
  it('is listed with a note, and can be removed', async () => {
    const { context } = triggerService([{ name: 'results', spec }], [{ name: 'nightly', spec: {} }]);
    const call = { type: 'unregister', triggers: triggersUrl, record: 'delivery', owner: 'acme', name: 'results' };
    expect(await offered(ownership, webhookDelivery).registered('acme', context('it'))).toEqual([
      {
        name: 'results',
        note: {
          code: 'not-declared',
          text: 'the delivery is registered for acme, and not declared: it stays, unless `--prune` removes it',
        },
        removal: { changes: [], calls: [call], notes: [], problems: [] },
      },
    ]);
  });

  it('decides by its endpoints where requests are sent, and not by its inputs', () => {
    const endpoint = 'https://hooks.example.com/';
    expect(
      offered(references, webhookDelivery).destinations?.({
        endpoint,
        alerts: { endpoint, inputs: { endpoint } },
        inputs: { endpoint },
      }),
    ).toEqual([['endpoint'], ['alerts', 'endpoint'], ['alerts', 'inputs', 'endpoint']]);
    expect(offered(references, webhookDelivery).destinations?.({ endpoint: { endpoint: 5 } })).toEqual([]);
    expect(offered(references, webhookDelivery).destinations?.(null)).toEqual([]);
  });

  it('is handled after other calls to its trigger service, and depends on its own registration', async () => {
    const { context } = triggerService([{ name: 'results', spec }]);
    expect(webhookDelivery.concurrencyKey(spec, context('results'))).toBe(`triggers ${triggersUrl}`);
    const print = async (name: string) =>
      webhookDelivery.fingerprint(await webhookDelivery.observe(spec, context(name)));
    expect(await print('results')).toEqual({ 'delivery results of acme': specDigest(spec) });
    expect(await print('more')).toEqual({ 'delivery more of acme': null });
  });

  it('changes only by calls of its own', async () => {
    const { context } = triggerService();
    const state = await webhookDelivery.observe(spec, context('results'));
    const { calls } = webhookDelivery.diff(spec, state);
    expect(webhookDelivery.guards.broken(spec, state, calls)).toEqual([]);
    const [own] = calls as RegisterCall[];
    const foreign = [
      { ...own, name: 'more' },
      { ...own, owner: 'shop' },
      { ...own, record: 'schedule' },
      { ...own, triggers: 'http://t' },
      { type: 'migrate' },
    ] as Call[];
    const problem = (found: string) => ({
      code: 'foreign-record',
      found: `the plan would ${found}`,
      allowed: 'the delivery results of acme',
      fix: 'plan again',
    });
    expect(webhookDelivery.guards.broken(spec, state, foreign)).toEqual([
      problem('change the delivery more of acme'),
      problem('change the delivery results of shop'),
      problem('change the schedule results of acme'),
      problem('change the delivery results of acme'),
      problem('migrate'),
    ]);
  });

  it('is exported for an owner, and only if there is one', async () => {
    const { context } = triggerService([{ name: 'results', spec: other }]);
    const exported = (owner?: string) =>
      offered(liveExport, webhookDelivery).exportLive({ name: 'it', zones: [], owner }, context('it'));
    expect(await exported()).toBeUndefined();
    expect(await exported('shop')).toEqual({});
    expect(await exported('acme')).toMatchObject({ results: { endpoint: 'https://hooks.example.com/b' } });
  });
});

describe('an undo of a registration', () => {
  const call = {
    type: 'unregister',
    triggers: triggersUrl,
    record: 'delivery',
    owner: 'acme',
    name: 'results',
  } as const;
  const registration: RegisterCall = { ...call, type: 'register', digest: specDigest(spec), before: null };

  function undoing(service: ReturnType<typeof triggerService>) {
    const done = [{ call: registration, sentAt: '2026-03-01T00:00:00Z' }];
    const readGuards = async () => () => [];
    return { context: service.context('results'), done, recent: [], later: [], readGuards };
  }

  it('removes what is still as the run registered it, one after the other', async () => {
    const service = triggerService([{ name: 'results', spec }]);
    expect(unregister.undo.joins([call], call)).toBe(false);
    await unregister.undo.send([call], undoing(service));
    expect(service.deliveries).toEqual([]);
    await unregister.undo.send([call], undoing(service));
    expect(service.events.filter((event) => event.startsWith('sends'))).toEqual(['sends unregister']);
    expect(await unregister.undo.remaining(call, undoing(service))).toEqual({ problems: [] });
  });

  it('is refused if it has changed since', async () => {
    const service = triggerService([{ name: 'results', spec: other }]);
    expect(await unregister.undo.remaining(call, undoing(service))).toEqual({
      call,
      problems: [
        {
          code: 'changed-since',
          found: 'the delivery results of acme has changed since the run registered it',
          allowed: 'undoing changes that are still as the run left them',
          fix: 'declare what it should be and apply, or remove it from the declaration and apply with --prune',
        },
      ],
    });
    expect(await thrown(unregister.undo.send([call], undoing(service)))).toBeInstanceOf(ProblemError);
    expect(service.deliveries).toHaveLength(1);
  });

  it('is refused at another trigger service', async () => {
    const elsewhere = { ...call, triggers: 'http://t:1' };
    const error = await thrown(unregister.undo.remaining(elsewhere, undoing(triggerService())));
    expect(error).toMatchObject({
      problems: [
        {
          code: 'other-origin',
          found: `the run registered at http://t:1, but the trigger service is ${triggersUrl} now`,
          allowed: 'http://t:1',
          fix: 'set triggers.url, or WEBDATA_TRIGGERS_URL, to that one',
        },
      ],
    });
  });

  it('fails if the service accepts the removal and keeps the registration', async () => {
    const service = triggerService([{ name: 'results', spec }]);
    service.ignored.add('results');
    expect(await thrown(unregister.undo.send([call], undoing(service)))).toMatchObject({
      problems: [
        {
          code: 'did-not-take',
          found: 'the delivery results of acme is still registered after its removal was accepted',
          fix: 'run it again; if it stays, check which server answers at triggers.url',
        },
      ],
    });
    expect(service.events.filter((event) => !event.startsWith('reads'))).toEqual([
      'sends unregister',
      'answered',
      'took',
      'did not take',
    ]);
  });
});
