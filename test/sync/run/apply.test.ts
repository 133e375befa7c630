import { expect, it } from 'vitest';
import type { AnyKind } from '../../../src/kinds/kind.ts';
import { managerSettings } from '../../../src/kinds/managerSettings/kind.ts';
import { ServiceError, type ServiceErrorCode } from '../../../src/service/errors.ts';
import { bareConfig } from '../../../src/sync/config/config.ts';
import type { Planned } from '../../../src/sync/plan/planned.ts';
import { applyPlanned } from '../../../src/sync/run/apply.ts';
import { beginRun } from '../../../src/sync/run/journal.ts';
import { openSession } from '../../../src/sync/session.ts';
import { settingsCall } from '../../report/samples.ts';

const config = bareConfig({ env: {} });

function refusal(code: ServiceErrorCode): ServiceError {
  const request = { method: 'PUT', url: 'http://127.0.0.1:22999/api/settings' };
  return new ServiceError('refused', { code, effect: 'none', request, fix: 'none', transient: false });
}

/** Resources of one concurrency key; `fails` is what converging the first of them ends with. */
async function applied(fails: ServiceErrorCode, keys: readonly string[], unread?: ServiceError) {
  const converged: string[] = [];
  const definition: AnyKind = {
    ...(managerSettings as AnyKind),
    async converge(_spec, { name }) {
      converged.push(name);
      if (name === 'r0') throw refusal(fails);
    },
  };
  const planned = keys.map((concurrencyKey, index): Planned => {
    const id = { kind: definition.name, collection: definition.collection, name: `r${index}` };
    const problems = index === 0 && unread ? [{ code: unread.code, found: unread.message }] : [];
    const plan = { ...id, calls: [settingsCall], changes: [], notes: [], problems };
    const declared = { ...id, definition, spec: {} };
    return { declared, intent: 'update', plan, state: {}, concurrencyKey, ...(index === 0 && { unread }) };
  });
  await using session = Object.assign(openSession(config, {}), { [Symbol.asyncDispose]: async () => undefined });
  const writer = await beginRun(undefined, { command: 'apply', origin: '', version: '1' });
  const { resources } = await applyPlanned(planned, config, session, writer);
  return { converged, outcomes: resources.map(({ outcome }) => outcome) };
}

it.each([
  'unauthorized',
  'forbidden',
] as const)('a key that is refused (%s) skips the resources after it', async (code) => {
  expect(await applied(code, ['m', 'm', 'm'])).toEqual({
    converged: ['r0'],
    outcomes: ['failed', 'skipped', 'skipped'],
  });
});

it('a key that was refused when planning skips the resources of the same concurrency key', async () => {
  const unread = refusal('unauthorized');
  expect(await applied('refused', ['m', 'm'], unread)).toEqual({ converged: [], outcomes: ['failed', 'skipped'] });
});

it('any other failure, and a refused key of another server, skips none', async () => {
  const outcomes = ['failed', 'done', 'done'];
  expect(await applied('refused', ['m', 'm', 'm'])).toEqual({ converged: ['r0', 'r1', 'r2'], outcomes });
  expect((await applied('unauthorized', ['m', 'n', 'n'])).outcomes).toEqual(outcomes);
});
