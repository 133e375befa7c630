/** The baseline in a backend: which accounts are complete, and when nothing is written. */
import { describe, expect, it } from 'vitest';
import type { Backend, DocumentUpdate } from '../../../src/engine/backend/backend.ts';
import type { Confirmed } from '../../../src/engine/baseline/baseline.ts';
import { readBaseline, updateBaseline } from '../../../src/engine/baseline/baselineDocument.ts';
import type { Config } from '../../../src/engine/declaration/config.ts';
import { shownProblems } from '../shownProblems.ts';

const banner = (name: string, collection = 'banners') => ({ kind: 'Banner', collection, name });
const applied = (name: string): Confirmed => ({ resource: banner(name), is: 'applied', spec: { x: 1 }, sent: true });

/** A backend with one document, and the number of times that it was written. */
function backendWith(text?: string) {
  const state = { text, writes: 0 };
  const current = () => (state.text === undefined ? undefined : { text: state.text, where: '.webdata/baseline.json' });
  const backend = {
    readDocument: async (name: string) => (name === 'baseline' ? current() : undefined),
    updateDocument: async (name: string, update: DocumentUpdate) => {
      expect(name).toBe('baseline');
      const after = update(current());
      if (after === undefined) return;
      state.text = after;
      state.writes += 1;
    },
  } as unknown as Backend;
  return { backend, state };
}

const config = (names: readonly string[], account?: string) =>
  ({
    account,
    service: { url: 'https://api.example.com/v1' },
    declared: names.map((name) => banner(name)),
  }) as unknown as Config;

describe('an update of the baseline', () => {
  it('records the run, under the name of the account or its host', async () => {
    const { backend } = backendWith();
    expect(await readBaseline(backend)).toBeUndefined();
    await updateBaseline(backend, config(['a']), [applied('a')], 'run-1');
    await updateBaseline(backend, config(['b', 'c'], 'acme-eu'), [applied('b')], undefined);
    const at = expect.stringMatching(/^20\d\d-\d\d-\d\dT.*Z$/);
    expect(await readBaseline(backend)).toEqual({
      format: 'webdata.baseline/1',
      accounts: [
        {
          account: 'api.example.com:',
          complete: true,
          resources: [{ ...banner('a'), spec: { x: 1 }, at, run: 'run-1' }],
        },
        { account: 'acme-eu', complete: false, resources: [{ ...banner('b'), spec: { x: 1 }, at }] },
      ],
    });
  });

  it.each<[string, string[], Confirmed[], boolean]>([
    ['all resources were applied', ['a', 'b'], [applied('a'), applied('b')], true],
    ['one was not', ['a', 'b'], [applied('a')], false],
    ['one was removed', ['a', 'b'], [applied('a'), { resource: banner('b'), is: 'removed' }], false],
    ['another of the same name was', ['a'], [{ ...applied('a'), resource: banner('a', 'signs') }], false],
    ['nothing is declared', [], [applied('a')], false],
  ])('is complete or not: %s', async (_, declared, confirmed, complete) => {
    const { backend } = backendWith();
    await updateBaseline(backend, config(declared), confirmed, 'run-1');
    expect((await readBaseline(backend))?.accounts[0]?.complete).toBe(complete);
  });

  it('writes nothing if nothing changes', async () => {
    const { backend, state } = backendWith();
    await updateBaseline(backend, config(['a']), [], 'run-1');
    expect(state.writes).toBe(0);
    await updateBaseline(backend, config(['a']), [{ ...applied('a'), sent: false } as Confirmed], undefined);
    await updateBaseline(backend, config(['a']), [{ ...applied('a'), sent: false } as Confirmed], undefined);
    expect(state.writes).toBe(1);
  });

  it('leaves a damaged baseline as it is', async () => {
    const { backend, state } = backendWith('{');
    for (const action of [
      () => readBaseline(backend),
      () => updateBaseline(backend, config(['a']), [applied('a')], 'run-1'),
    ]) {
      expect(await shownProblems(action)).toContain('.webdata/baseline.json is damaged');
    }
    expect(state.text).toBe('{');
  });
});
