/** What becomes of a trigger, whatever the service answers: sent again only where that is safe or asked for, and the truth told about the rest. */
import { expect, it } from 'vitest';
import type { FaultInput } from '../../../src/emulator/core/faults.ts';
import type { RunState } from '../../../src/triggers/api/runs.ts';
import { deliverySpec } from '../../../src/triggers/declared/deliverySpec.ts';
import { tickText } from '../../../src/triggers/declared/placeholders.ts';
import { eventually } from '../../eventually.ts';
import { kept, open, record } from '../../receiver/helpers.ts';
import { accepted, fault, sent, firingSetting as setting } from '../firingSetting.ts';
import { describeStores } from '../stores.ts';

const dataset = { collector: undefined, dataset: 'gd_people' };

const onDataset = (status: number, when: 'before' | 'after' = 'before') =>
  fault({ kind: 'status', status, when }, 1, 'datasets/trigger');

describeStores('the totals', (newStore) => {
  it('name the service, for the status page', async (test) => {
    const firing = await setting(await newStore(), test);
    expect(await firing.triggers.totals()).toMatchObject({ schedules: 0, service: firing.emulator.apiUrl });
  });
});

describeStores('a trigger', (newStore) => {
  const cases: [what: string, faults: FaultInput[], spec: object, state: RunState, requests: number, runs: number][] = [
    ['that is accepted', [], {}, 'finished', 1, 1],
    ['of a dataset', [], { collector: undefined, dataset: 'gd_people' }, 'finished', 1, 1],
    ['that is answered 503 once', [fault({ kind: 'status', status: 503 }, 1)], {}, 'finished', 2, 1],
    [
      'that is answered 503, where nothing may be sent twice',
      [fault({ kind: 'status', status: 503 }, 1)],
      { retryOn5xx: false },
      'unknown',
      1,
      0,
    ],
    [
      'that was accepted and answered 503, where nothing may be sent twice',
      [fault({ kind: 'status', status: 503, when: 'after' }, 1)],
      { retryOn5xx: false },
      'unknown',
      1,
      1,
    ],
    [
      'that was accepted and answered 503, where it may',
      [fault({ kind: 'status', status: 503, when: 'after' }, 1)],
      {},
      'finished',
      2,
      2,
    ],
    ['whose connection is cut before it has its effect', [fault({ kind: 'drop-before' })], {}, 'unknown', 1, 0],
    ['whose connection is cut after it has had its effect', [fault({ kind: 'drop-after' })], {}, 'unknown', 1, 1],
    ['that is answered by a page', [fault({ kind: 'html', when: 'after' })], {}, 'unknown', 1, 1],
    ['of a dataset that is answered 503', [onDataset(503)], dataset, 'unknown', 1, 0],
    ['of a dataset that was accepted and answered 503', [onDataset(503, 'after')], dataset, 'unknown', 1, 1],
    ['of a dataset that is answered 501', [onDataset(501)], dataset, 'unknown', 1, 0],
    ['of a dataset that is answered 425', [onDataset(425)], dataset, 'unknown', 1, 0],
    ['that is answered 501', [fault({ kind: 'status', status: 501 }, 1)], {}, 'finished', 2, 1],
    ['that is answered 505', [fault({ kind: 'status', status: 505 }, 1)], {}, 'finished', 2, 1],
    ['that is answered 425', [fault({ kind: 'status', status: 425 }, 1)], {}, 'unknown', 1, 0],
    ['that is answered 408', [fault({ kind: 'status', status: 408 }, 1)], {}, 'unknown', 1, 0],
    [
      'that was accepted and answered 408',
      [fault({ kind: 'status', status: 408, when: 'after' }, 1)],
      {},
      'unknown',
      1,
      1,
    ],
    ['that is refused: 401', [fault({ kind: 'status', status: 401 })], {}, 'failed', 1, 0],
    ['that is refused: 404', [], { collector: 'c_none' }, 'failed', 1, 0],
    ['that is refused: 422', [], { inputs: [{ nonsense: 1 }] }, 'failed', 1, 0],
  ];

  it.concurrent.for(cases)('%s', async ([, faults, spec, state, requests, runs], end) => {
    const each = await setting(await newStore(), end);
    for (const one of faults) each.emulator.addFault(one);
    const { id } = await each.fire(spec);
    const run = await each.until(id, state);
    expect({ requests: sent(each), runs: accepted(each), state: run.state }).toEqual({ requests, runs, state });
    if (state === 'finished') expect(run).toMatchObject({ rows: 1, collectionId: expect.stringMatching(/^[js]_/) });
    else expect(run.reason).toMatch(/\S/);
  });

  it.concurrent('that is answered 429 waits for as long as the service asks, and holds up no other', async (end) => {
    const each = await setting(await newStore(), end);
    each.emulator.addFault(fault({ kind: 'status', status: 429, retryAfter: 300 }, 1));
    const refused = await each.fire({ overlap: 'allow' });
    await eventually(async () => {
      expect((await each.triggers.run(refused.id)).run.reason).toMatch(/answered 429.*; next attempt in 60 s$/);
    });
    const other = await each.fire({ overlap: 'allow' });
    await each.until(other.id, 'finished');
    expect(await each.history(refused.id)).toEqual(['waiting', 'triggering', 'waiting']);
    await each.pass(61_000);
    await each.until(refused.id, 'finished');
    expect(sent(each)).toBe(3);
  });

  it.concurrent('that is answered 5xx again and again is given up after 1, 2 and 4 seconds', async (end) => {
    const each = await setting(await newStore(), end, { openMetrics: true });
    each.emulator.addFault(fault({ kind: 'status', status: 500 }));
    const { id } = await each.fire();
    for (const seconds of [1, 2, 4]) {
      await eventually(async () => {
        expect((await each.triggers.run(id)).run.reason).toMatch(`next attempt in ${seconds} s`);
      });
      // Much longer, so that nothing is left to wait for.
      await each.pass(60_000);
    }
    const run = await each.until(id, 'failed');
    expect(sent(each)).toBe(4);
    expect(run).toMatchObject({ attempts: 4, reason: expect.stringMatching('500') });
    expect(await each.outcomes()).toEqual(['waiting 3', 'failed 1']);
  });

  it.concurrent('that finds no service is sent again, as nothing has arrived', async (end) => {
    const each = await setting(await newStore(), end, { service: { url: 'http://127.0.0.1:9', apiKey: 'k' } });
    const { id } = await each.fire();
    await eventually(async () =>
      expect(await each.history(id)).toEqual(expect.arrayContaining(['waiting', 'triggering', 'waiting'])),
    );
    expect((await each.triggers.run(id)).run.collectionId).toBeNull();
  });
});

describeStores('a trigger whose answer is lost', (newStore) => {
  it.concurrent('is logged and shown as unknown and perhaps billed, never as not triggered', async (end) => {
    const each = await setting(await newStore(), end);
    each.emulator.addFault(fault({ kind: 'drop-after' }));
    const { id } = await each.fire();
    const run = await each.until(id, 'unknown');
    expect(run.reason).toMatch(/^outcome unknown: it may have been accepted and billed\. POST .*\/dca\/trigger /);
    const logged = each.lines.filter((line) => line.includes(id)).join('');
    expect(logged).toContain('outcome unknown: it may have been accepted and billed');
    expect(logged).not.toContain('not triggered');
  });

  it.concurrent('shows neither its query nor the path of an endpoint', async (end) => {
    const each = await setting(await newStore(), end);
    const body = { error: 'https://hooks.example.com/services/T0/c4nary is not reachable' };
    each.emulator.addFault(fault({ kind: 'status', status: 422, body }));
    const delivery = { endpoint: 'https://hooks.example.com/services/T0/c4nary' };
    const { id } = await each.fire({ delivery });
    const { reason } = await each.until(id, 'failed');
    expect(reason).toMatch(/^https:\/\/hooks\.example\.com\/… is not reachable \(answered 422\)$/);
    expect(JSON.stringify(await each.triggers.run(id)) + each.lines.join('')).not.toContain('c4nary');
  });

  it.concurrent('delivers equal rows of two runs to two files, named by tick and run', async (end) => {
    const each = await setting(await newStore(), end);
    await using receiver = await open();
    const delivery = { endpoint: `${receiver.url}{owner}/{schedule}/{tick}/{run}` };
    const runs = [await each.fire({ delivery, overlap: 'allow' }), await each.fire({ delivery, overlap: 'allow' })];
    for (const { id } of runs) await each.until(id, 'finished');
    // The line of the record comes last.
    await eventually(async () => expect(await record(receiver.folder)).toHaveLength(2));
    const files = await kept(receiver.folder);
    expect(new Set(Object.values(files)).size).toBe(1);
    const names = runs.map(({ id, tickAt }) => `acme/yearly/${tickText(tickAt)}.${id}.`);
    expect(
      Object.keys(files)
        .map((name) => name.replace(/\w{64}\.json$/, ''))
        .toSorted(),
    ).toEqual(names.toSorted());
    expect((await record(receiver.folder)).map(({ run }) => run).toSorted()).toEqual(
      runs.map(({ id }) => id).toSorted(),
    );
  });

  it.concurrent('names an id that is too long for one by its length', async (end) => {
    const each = await setting(await newStore(), end);
    const body = { collection_id: `j_${'x'.repeat(3_000_000)}`, start_eta: '2026-01-01T00:00:00Z' };
    each.emulator.addFault(fault({ kind: 'status', status: 200, body }));
    const { id } = await each.fire();
    const { reason, collectionId } = await each.until(id, 'unknown');
    expect(reason).toMatch(/The answer has no usable id: "j_x+…", 3000002 characters/);
    expect({ collectionId, isShort: (reason ?? '').length < 400 }).toEqual({ collectionId: null, isShort: true });
  });
});

describeStores('a run of which nobody knows whether it was triggered', (newStore) => {
  it.concurrent('is sent by nobody again, until a person says what became of it', async (end) => {
    const each = await setting(await newStore(), end);
    each.emulator.addFault(fault({ kind: 'drop-after' }, [1, 2, 3]));
    const ids = await Promise.all([1, 2, 3].map(async () => (await each.fire({ overlap: 'allow' })).id));
    for (const id of ids) await each.until(id, 'unknown');
    await each.pass(3_600_000);
    const [first = '', second = '', third = ''] = ids;
    const [real] = each.emulator.runs();
    await each.triggers.resolve(first, { as: 'triggered', collectionId: real?.id ?? '' });
    await each.triggers.resolve(second, { as: 'lost' });
    expect(await each.until(first, 'finished')).toMatchObject({ rows: 1, collectionId: real?.id });
    expect(sent(each)).toBe(3);
    await each.triggers.resolve(third, { as: 'resend' });
    await each.until(third, 'finished');
    expect(sent(each)).toBe(4);
    await expect(each.triggers.resolve(third, { as: 'lost' })).rejects.toThrow(`run ${third} is finished`);
  });

  it.concurrent('is still under way on its own server after its lease ran out, and no longer for another one', async (end) => {
    const each = await setting(await newStore(), end);
    each.emulator.addFault(fault({ kind: 'delay', ms: 2500 }));
    const { id } = await each.fire({ overlap: 'allow' });
    await each.until(id, 'triggering');
    await each.pass(120_000);
    // The round that triggers it finds the lease of the other one at its end.
    const { id: next } = await each.triggers.runNow('acme', 'yearly');
    await eventually(async () => expect(await each.history(next)).toContain('triggering'));
    expect(await each.history(id)).toEqual(['waiting', 'triggering']);
    await each.another();
    await each.until(id, 'unknown');
    await each.until(id, 'finished');
    expect(await each.history(id)).toEqual(['waiting', 'triggering', 'unknown', 'running', 'finished']);
    expect(sent(each)).toBe(2);
  });
});

describeStores('the secrets of a delivery', (newStore) => {
  it.concurrent('go out with the trigger, and stand nowhere else', async (end) => {
    const store = await newStore();
    const each = await setting(store, end);
    const canary = 'Bearer c4nary/+=secret';
    const endpoint = 'https://hooks.example.com/in?token=t0kencanary';
    await each.triggers.putDelivery('acme', 'results', deliverySpec().parse({ endpoint, authorization: canary }));
    const { id } = await each.fire({ collector: undefined, dataset: 'gd_people', delivery: 'results' });
    await each.until(id, 'finished');
    const shown = JSON.stringify([
      await each.triggers.records('acme'),
      await each.triggers.run(id),
      await each.triggers.schedules(),
    ]);
    const tables = await Promise.all(
      ['deliveries', 'schedules', 'runs', 'events', 'alerts'].map((table) =>
        each.database.query(`SELECT * FROM ${table}`),
      ),
    );
    const everything = [shown, JSON.stringify(tables), ...each.lines].join('\n');
    for (const secret of ['c4nary', 't0kencanary', encodeURIComponent(canary)])
      expect(everything).not.toContain(secret);
    // It was really sent: the emulator calls the endpoint with it, were it one of its targets.
    expect(each.emulator.deliveries()).toMatchObject([{ url: 'https://hooks.example.com/in', state: 'withheld' }]);
  });

  it.concurrent('are looked up when they are named, and a name that is not allowed is refused', async (end) => {
    const each = await setting(await newStore(), end);
    const put = (env: string) =>
      each.triggers.putDelivery(
        'acme',
        'results',
        deliverySpec().parse({ endpoint: 'https://hooks.example.com', authorization: { env } }),
      );
    await expect(put('AWS_SECRET_ACCESS_KEY')).rejects.toThrow('secret AWS_SECRET_ACCESS_KEY must not be sent');
    await put('HOOK_MISSING');
    const missing = await each.fire({ delivery: 'results' });
    expect(await each.until(missing.id, 'failed')).toMatchObject({
      reason: expect.stringContaining('HOOK_MISSING is not set in the environment of the trigger service'),
    });
    expect(sent(each)).toBe(0);
    await put('HOOK_AUTHORIZATION');
    const { id } = await each.fire({ delivery: 'results' });
    await each.until(id, 'finished');
  });

  it.concurrent('are refused without a key to encrypt them with, unless they are named', async (end) => {
    const each = await setting(await newStore(), end, { keys: [] });
    const literal = deliverySpec().parse({ endpoint: 'https://hooks.example.com', authorization: 'Bearer literal' });
    await expect(each.triggers.putDelivery('acme', 'results', literal)).rejects.toThrow(
      'the trigger service has no key to encrypt it with',
    );
    expect((await each.triggers.records('acme')).deliveries).toEqual([]);
  });
});
