/** What is read about a schedule, and what a plan and a forecast say about it. */

import { describe, expect, it } from 'vitest';
import { ProblemError } from '../../../src/base/diagnostics/problem.ts';
import { showing } from '../../../src/features/show/kinds.ts';
import { collectorSchedule } from '../../../src/kinds/collectorSchedule/kind.ts';
import { forecasting } from '../../../src/kinds/forecasting.ts';
import { liveExport } from '../../../src/kinds/liveExport.ts';
import { registeredView } from '../../../src/kinds/registered/view.ts';
import { deliverySpec } from '../../../src/triggers/declared/deliverySpec.ts';
import { offered } from '../offers.ts';
import { triggerService } from '../registered/triggerService.ts';

const fields = { collector: 'c_prices', every: '1h', inputs: [{ url: 'https://shop.example.com/a' }] };
const specOf = (more: object = {}) => collectorSchedule.spec.parse({ ...fields, ...more });
const fromFile = specOf({ inputs: { file: 'inputs.csv' }, inputSchema: { url: 'url' } });
const fires = { code: 'fires', text: 'about 24 triggers a day, each is billed' };
const noSuchFile = new ProblemError([{ code: 'unreadable-file', found: 'inputs.csv does not exist' }]);

describe('a schedule', () => {
  it('is registered with a note on what it costs, and then needs nothing', async () => {
    const { context, schedules } = triggerService();
    const before = await collectorSchedule.observe(specOf(), context('nightly'));
    expect(collectorSchedule.diff(specOf(), before)).toMatchObject({
      calls: [{ type: 'register', record: 'schedule', name: 'nightly' }],
      notes: [fires],
    });
    expect(before.now).toBe(Date.UTC(2026, 2, 1));
    const after = await collectorSchedule.converge(specOf(), context('nightly'));
    expect(collectorSchedule.diff(specOf(), after)).toEqual({ changes: [], calls: [], notes: [], problems: [] });
    expect(after.schedule).toBe(schedules[0]);
    await collectorSchedule.removal.send(specOf(), context('nightly'));
    expect(schedules).toEqual([]);
    expect(collectorSchedule.removal.diff(specOf(), after).calls).toMatchObject([{ type: 'unregister' }]);
  });

  it('has a note on a tick that is overdue', async () => {
    const held = { name: 'nightly', spec: specOf(), nextTickAt: Date.UTC(2026, 1, 1), lastRun: null };
    const { context } = triggerService([], [held]);
    const { notes } = collectorSchedule.diff(specOf(), await collectorSchedule.observe(specOf(), context('nightly')));
    expect(notes.map(({ code }) => code)).toEqual(['overdue']);
  });

  it('names the delivery that it uses, which must be registered before', async () => {
    const { context, schedules } = triggerService([{ name: 'other', spec: {} }]);
    const named = specOf({ delivery: 'main' });
    const state = await collectorSchedule.observe(named, context('nightly'));
    expect(collectorSchedule.diff(named, state).calls).toMatchObject([{ delivery: 'main' }]);
    const own = specOf({ delivery: { endpoint: 'https://hooks.example.com/' } });
    const { calls } = collectorSchedule.diff(own, await collectorSchedule.observe(own, context('nightly')));
    expect(calls[0]).not.toHaveProperty('delivery');
    await expect(collectorSchedule.converge(named, context('nightly'))).rejects.toMatchObject({
      problems: [{ code: 'unknown-delivery', allowed: 'other' }],
    });
    expect(schedules).toEqual([]);
    const expected = context('nightly');
    expected
      .view(registeredView)
      .expect({ type: 'register', record: 'delivery', owner: 'acme', name: 'main' } as never);
    expect((await collectorSchedule.observe(named, expected)).deliveries).toEqual(['other', 'main']);
  });
});

describe('inputs of a file', () => {
  const observed = async (text: string | Error) => {
    const { context } = triggerService();
    const readFile = async (name: string) => {
      if (text instanceof Error) throw text;
      return name === 'inputs.csv' ? text : '';
    };
    const state = await collectorSchedule.observe(fromFile, context('nightly', { readFile }));
    return state.declared;
  };

  it('are read, and checked against their schema', async () => {
    expect(await observed('url\nhttps://shop.example.com/a\n')).toMatchObject({
      spec: { collector: 'c_prices', inputs: [{ url: 'https://shop.example.com/a' }] },
    });
    const wrong = await observed('url\nnone\n');
    expect('problems' in wrong && wrong.problems).toMatchObject([{ found: expect.stringContaining('none') }]);
  });

  it('are a problem of the plan if the file cannot be read', async () => {
    expect(await observed(noSuchFile)).toEqual({ problems: noSuchFile.problems });
    await expect(observed(new TypeError('a defect'))).rejects.toThrow('a defect');
  });

  it('do not prevent the removal, but every other call', async () => {
    const { context, schedules } = triggerService([], [{ name: 'nightly', spec: specOf() }]);
    const readFile = async () => Promise.reject(noSuchFile);
    const state = await collectorSchedule.observe(fromFile, context('nightly', { readFile }));
    expect(collectorSchedule.diff(fromFile, state)).toMatchObject({ calls: [], problems: noSuchFile.problems });
    await expect(collectorSchedule.converge(fromFile, context('nightly', { readFile }))).rejects.toMatchObject({
      problems: noSuchFile.problems,
    });
    expect(schedules).toHaveLength(1);
    expect(collectorSchedule.removal.diff(fromFile, state).problems).toEqual([]);
  });
});

describe('the schedules of an owner', () => {
  const tick = Date.UTC(2026, 2, 1, 3);
  const service = triggerService(
    [],
    [
      { name: 'nightly', spec: specOf({ every: '2h' }), nextTickAt: tick, lastRun: { state: 'failed', tickAt: tick } },
      { name: 'old', spec: specOf({ paused: true }), nextTickAt: null, lastRun: null },
    ],
  );
  const shown = async (owner?: string) => {
    const declared = new Map([
      ['nightly', specOf()],
      ['new', specOf()],
    ]);
    const objects = await offered(showing, collectorSchedule).liveObjects({ owner, declared }, service.context('it'));
    return Promise.all(objects.map(async ({ facts, ...rest }) => ({ ...rest, facts: await facts() })));
  };

  it('are shown with their last run, declared or not', async () => {
    expect(await shown('acme')).toStrictEqual([
      {
        name: 'nightly',
        isDeclared: true,
        facts: {
          collector: 'c_prices',
          every: '2h',
          paused: false,
          nextTick: '2026-03-01T03:00:00.000Z',
          lastRun: 'failed',
          lastTick: '2026-03-01T03:00:00.000Z',
        },
      },
      { name: 'new', isDeclared: true, facts: { registered: false } },
      {
        name: 'old',
        isDeclared: false,
        facts: {
          collector: 'c_prices',
          every: '1h',
          paused: true,
          nextTick: null,
          lastRun: null,
          lastTick: null,
        },
      },
    ]);
    expect(await shown()).toEqual([]);
  });

  it('are exported without defaults', async () => {
    const exported = await offered(liveExport, collectorSchedule).exportLive(
      { name: 'it', zones: [], owner: 'acme' },
      service.context('it'),
    );
    expect(exported).toEqual({ nightly: { ...fields, every: '2h' }, old: { ...fields, paused: true } });
  });
});

it('a forecast knows the target, the timing, and whether the schedule is paused', () => {
  expect(offered(forecasting, collectorSchedule).firing(specOf())).toMatchObject({
    target: 'c_prices',
    isPaused: false,
    overlap: 'skip',
  });
  const { collector: _, ...rest } = fields;
  const ofDataset = collectorSchedule.spec.parse({ ...rest, dataset: 'gd_1', paused: true, overlap: 'queue' });
  expect(offered(forecasting, collectorSchedule).firing(ofDataset)).toMatchObject({
    target: 'gd_1',
    isPaused: true,
    overlap: 'queue',
  });
});

describe('the delivery that a schedule names', () => {
  const conflicts = (more: object, deliveries: Record<string, object>) => {
    const declared = new Map(Object.entries(deliveries).map(([name, each]) => [name, deliverySpec.parse(each)]));
    return collectorSchedule.conflicts(new Map([['nightly', specOf(more)]]), { declared: () => declared });
  };
  const missing = {
    code: 'unknown-delivery',
    path: ['nightly', 'delivery'],
    found: 'delivery `main` is not declared',
    allowed: 'a declared delivery; none is declared',
    fix: 'declare it under webhookDeliveries',
  };

  it('must be declared', () => {
    expect(conflicts({}, {})).toEqual([]);
    expect(conflicts({ delivery: 'main' }, {})).toEqual([missing]);
    expect(conflicts({ delivery: 'main' }, { mian: { endpoint: 'https://hooks.example.com/' } })).toMatchObject([
      { allowed: expect.stringContaining('mian'), fix: expect.stringContaining('mian') },
    ]);
    expect(conflicts({ delivery: 'main' }, { main: { endpoint: 'https://hooks.example.com/' } })).toEqual([]);
  });
});
