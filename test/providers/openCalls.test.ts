/** Calls whose effect no listing shows yet, from one update to the next one. Each `test.open()` is a process of its own. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkInputs } from '../../providers/core/check.ts';
import {
  createResource,
  deleteResource,
  diffResource,
  PartialUpdateError,
  readResource,
  updateResource,
} from '../../providers/core/lifecycle.ts';
import type { Properties } from '../../src/kinds/seam/kind.ts';
import { migrationsOf } from '../cli/harness.ts';
import { kindNamed, openTestStack, type TestStack, up } from './testStack.ts';

const kind = kindNamed('ZoneIpAllocation');
const inputs = { zones: { checkout: { ips: ['192.0.2.10', '192.0.2.12'] } }, sources: ['pricing'], spare: 'parked' };
const move = 'pricing -> checkout: 192.0.2.10';

let test: TestStack;
beforeEach(async () => {
  test = await openTestStack();
});
afterEach(() => test[Symbol.asyncDispose]());

const sent = () => migrationsOf(test.emulator.requests());
const hideMoves = () => test.emulator.addFault({ route: 'zone/ips', fault: { kind: 'stale', ms: 60_000 } });
const showMoves = () => test.emulator.clearFaults();

/** Returns the properties that the engine keeps of an update that failed. */
async function keptOf(update: Promise<unknown>, code: string): Promise<Properties> {
  const error = await update.catch((thrown: unknown) => thrown);
  if (!(error instanceof PartialUpdateError)) throw error;
  expect(error.problems).toMatchObject([{ code }]);
  return error.kept.properties;
}

/** Creates a resource whose move the service accepts, and no listing shows. */
async function createUnseen(): Promise<Properties> {
  hideMoves();
  return keptOf(createResource(test.open(), kind, inputs), 'not-yet-visible');
}

describe('a move that the service accepted and no listing shows', () => {
  it('is in the state, and the next update does not send it again', async () => {
    const state = await createUnseen();
    expect(state.openCalls).toMatchObject([{ call: { from: 'pricing', to: 'checkout' }, answered: { count: 1 } }]);
    await expect(up(test, kind, inputs, state)).rejects.toMatchObject({
      problems: [{ code: 'accepted-unseen', found: expect.stringContaining('an earlier update moved 1 IP') }],
    });
    expect(sent()).toEqual([move]);
  });

  it('is not sent again where its answer had no count', async () => {
    const noCount = { kind: 'status', status: 202, body: '', when: 'after' } as const;
    test.emulator.addFault({ route: 'zone/ips/migrate', fault: noCount });
    const state = await createUnseen();
    await expect(up(test, kind, inputs, state)).rejects.toMatchObject({ problems: [{ code: 'accepted-unseen' }] });
    expect(sent()).toEqual([move]);
  });

  it('is in the state until a listing shows it, and then in no difference', async () => {
    const state = await createUnseen();
    showMoves();
    const settled = await up(test, kind, inputs, state);
    expect(settled).not.toHaveProperty('openCalls');
    expect(await up(test, kind, inputs, settled)).toBe(settled);
    expect(sent()).toEqual([move]);
  });

  it('is awaited as long as listings may lag', async () => {
    const state = await createUnseen();
    test.settings.profile = '{"settleSeconds":20}';
    setTimeout(showMoves, 400);
    expect(await updateResource(test.open(), kind, 'checkout', state, inputs)).not.toHaveProperty('openCalls');
    expect(sent()).toEqual([move]);
  });

  it('is a warning of a preview, which shows no calls', async () => {
    const state = await createUnseen();
    const stack = test.open();
    await checkInputs(kind, inputs, inputs, () => stack);
    expect(await diffResource(stack, kind, state, inputs)).toMatchObject({ hasChanges: true, calls: [] });
    expect(test.printed.join('\n')).toMatch(
      /checkout: warning: cannot be applied yet\n {2}an earlier update moved[\s\S]*fix: .*`pulumi config set webdata:resend true` sends/,
    );
  });

  it('stops every call of its resource, because the listings are no basis for a plan', async () => {
    const state = await createUnseen();
    const more = { ...inputs, zones: { checkout: { ips: ['192.0.2.11', '192.0.2.12'] } } };
    await expect(up(test, kind, more, state)).rejects.toMatchObject({ problems: [{ code: 'accepted-unseen' }] });
    expect(sent()).toEqual([move]);
  });

  it('is not sent by another resource of the next update', async () => {
    const state = await createUnseen();
    const stack = test.open();
    await checkInputs(kind, inputs, inputs, () => stack);
    await diffResource(stack, kind, state, inputs);
    const other = { zones: { archive: { ips: ['192.0.2.10'] } }, sources: ['pricing'] };
    await expect(createResource(stack, kind, other)).rejects.toMatchObject({ problems: [{ code: 'accepted-unseen' }] });
    expect(sent()).toEqual([move]);
  });

  it('is sent again if the configuration allows it', async () => {
    const state = await createUnseen();
    test.emulator.move(['192.0.2.10'], 'pricing');
    showMoves();
    await expect(up(test, kind, inputs, state)).rejects.toMatchObject({ problems: [{ code: 'accepted-unseen' }] });
    test.settings.resend = 'true';
    expect(await up(test, kind, inputs, state)).not.toHaveProperty('openCalls');
    expect(sent()).toEqual([move, move]);
  });

  it('is forgotten by an update that does not need it any more', async () => {
    const state = await createUnseen();
    const settled = await up(test, kind, { ...inputs, zones: { checkout: { ips: ['192.0.2.12'] } } }, state);
    expect(settled).not.toHaveProperty('openCalls');
  });

  it('is no drift in a refresh, which keeps it until a listing shows it', async () => {
    const state = await createUnseen();
    expect(await readResource(test.open(), kind, state)).toEqual({ inputs, properties: state });
    showMoves();
    const live = await readResource(test.open(), kind, state);
    expect(live?.inputs).toEqual(inputs);
    expect(live?.properties).not.toHaveProperty('openCalls');
    // The refresh came too early, so an update without calls removes it.
    expect(await diffResource(test.open(), kind, state, inputs)).toMatchObject({ hasChanges: true, calls: [] });
  });

  it('is not waited for beyond the lag if the clock was set back', async () => {
    const state = await createUnseen();
    const text = JSON.stringify(state).replace(/"(sentAt|at)":"2/g, '"$1":"3');
    await expect(up(test, kind, inputs, JSON.parse(text))).rejects.toMatchObject({
      problems: [{ code: 'accepted-unseen' }],
    });
  });
});

describe('a move that a listing showed', () => {
  it('is expected of the listings of the next update and refresh, as long as they may be older', async () => {
    const state = await up(test, kind, inputs);
    test.settings.profile = '{"settleSeconds":20}';
    for (const read of [() => up(test, kind, inputs, state), () => readResource(test.open(), kind, state)]) {
      hideMoves();
      setTimeout(showMoves, 300);
      expect([state, { inputs, properties: state }]).toContainEqual(await read());
    }
    expect(sent()).toEqual([move]);
  });
});

describe('a move whose answer was lost', () => {
  it('is sent again by the next update once the lag has passed without it', async () => {
    test.emulator.addFault({ route: 'zone/ips/migrate', occurrence: 1, fault: { kind: 'drop-before' } });
    const state = await keptOf(createResource(test.open(), kind, inputs), 'connection-lost');
    expect(state.openCalls).toHaveLength(1);
    expect(await up(test, kind, inputs, state)).not.toHaveProperty('openCalls');
    expect(sent()).toEqual([move, move]);
  });
});

describe('a delete whose calls were accepted and no listing shows', () => {
  it('is done, with a warning, because a state that stays would send them again', async () => {
    const state = await up(test, kind, { ...inputs, onDelete: 'release' });
    const before = sent().length;
    hideMoves();
    await deleteResource(test.open(), kind, state);
    expect(sent()).toHaveLength(before + 1);
    expect(test.printed.at(-1)).toMatch(/checkout: warning: deleted, but not all of its moves are visible yet\n/);
  });

  it('fails if a call was refused', async () => {
    const state = await up(test, kind, { ...inputs, onDelete: 'release' });
    test.emulator.addFault({ route: 'zone/ips/migrate', fault: { kind: 'status', status: 409, body: 'busy' } });
    await expect(deleteResource(test.open(), kind, state)).rejects.toThrow('busy');
  });
});

describe('a state with calls that cannot be read', () => {
  it('is refused, because a call that was billed could be sent again', async () => {
    const state = await createUnseen();
    const openCalls = [...(state.openCalls as object[]), { call: { type: 'teleport' }, sentAt: 'noon' }];
    showMoves();
    test.emulator.move(['192.0.2.10'], 'pricing');
    for (const attempt of [
      () => updateResource(test.open(), kind, 'checkout', { ...state, openCalls }, inputs),
      () => readResource(test.open(), kind, { ...state, openCalls }),
    ]) {
      await expect(attempt()).rejects.toMatchObject({ problems: [{ code: 'unreadable-state' }] });
    }
    expect(sent()).toEqual([move]);
  });
});
