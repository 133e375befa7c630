/** Registrations in the state of Pulumi, in baselines, and as they are accepted. */
import { describe, expect, it } from 'vitest';
import { storedRegistration } from '../../../providers/core/stored/registration.ts';
import { acceptRegistration } from '../../../src/kinds/registered/acceptLive.ts';
import { registeredBaseline } from '../../../src/kinds/registered/baseline.ts';
import type { RegistryRecord } from '../../../src/kinds/registered/registration.ts';
import { specProperties } from '../../../src/kinds/registered/specProperties.ts';
import { sealedHash } from '../../../src/triggers/secrets/secrets.ts';
import { triggerService } from '../../kinds/registered/triggerService.ts';

const endpoint = 'https://hooks.example.com/';
const record = { triggers: 'http://127.0.0.1:22997', record: 'delivery', owner: 'acme', name: 'results' } as const;
const problems = [{ code: 'unreadable-file', found: 'inputs.csv does not exist' }];

function state(declared: object, registered: object | undefined): RegistryRecord<object> {
  return { ...record, declared: { spec: declared }, registered };
}

describe('the id of a registration', () => {
  it('has its owner and its name', () => {
    const { context } = triggerService();
    expect(storedRegistration.title({}, context('results'))).toBe('results');
    expect(storedRegistration.id({}, context('results'))).toBe('acme/results');
    expect(storedRegistration.importTarget?.('project/stack/results')).toEqual({
      id: 'project/stack/results',
      target: { name: 'results', zones: [], owner: 'project/stack' },
      inputs: { owner: 'project/stack', name: 'results' },
    });
  });

  it.each(['results', '/results', 'acme/', '', '/'])('is not %j', (id) => {
    expect(() => storedRegistration.importTarget?.(id)).toThrow(
      expect.objectContaining({
        problems: [
          {
            code: 'invalid-id',
            found: `${JSON.stringify(id)} does not name an owner and a registration`,
            allowed: 'OWNER/NAME, for example project/stack/results',
            fix: 'put the owner first: `webdata triggers list` shows it',
          },
        ],
      }),
    );
  });
});

describe('a stored registration', () => {
  const inputs = { name: 'results', owner: 'acme', endpoint, authorization: 'canary' };
  const liveInputs = (registered: object | undefined, declared: object = { endpoint, authorization: 'canary' }) =>
    storedRegistration.liveInputs(inputs, {}, state(declared, registered));

  it('keeps what matches, and takes over what differs, without secrets', () => {
    const sealed = { endpoint, authorization: sealedHash('canary') };
    expect(liveInputs(sealed)).toEqual(inputs);
    expect(liveInputs({ ...sealed, endpoint: 'https://other.example.com/' })).toEqual({
      ...inputs,
      endpoint: 'https://other.example.com/',
    });
    expect(liveInputs({ ...sealed, authorization: sealedHash('other') })).toEqual({
      ...inputs,
      authorization: '(another secret)',
    });
    expect(liveInputs({ endpoint })).toEqual({ name: 'results', owner: 'acme', endpoint });
    expect(liveInputs({ ...sealed, compression: 'gzip' })).toEqual({ ...inputs, compression: 'gzip' });
  });

  it('leaves out defaults that are registered as they are', () => {
    const spec = { endpoint, authorization: 'canary', compression: 'none' };
    expect(liveInputs({ ...spec, authorization: sealedHash('canary') }, spec)).toEqual(inputs);
  });

  it('is compared with its inputs if its declaration has problems', () => {
    const failed = { ...record, declared: { problems }, registered: { endpoint } };
    expect(storedRegistration.liveInputs({ name: 'a', owner: 'b', endpoint }, {}, failed)).toEqual({
      name: 'a',
      owner: 'b',
      endpoint,
    });
  });

  it('names the fields that drifted, once and in order', () => {
    const drifted = (its: RegistryRecord<object> | undefined, olds: object = {}) =>
      storedRegistration.outputs({ spec: {}, state: its, sent: undefined, olds: { ...olds } });
    const live = { endpoint: 'https://other.example.com/', alerts: { on: ['failed', 'late'] } };
    expect(drifted(state({ endpoint, alerts: { on: ['late', 'failed'] } }, live))).toEqual({
      drifted: ['alerts', 'endpoint'],
    });
    expect(drifted(state({ endpoint }, undefined))).toEqual({ drifted: [] });
    expect(drifted({ ...record, declared: { problems }, registered: live })).toEqual({ drifted: [] });
    expect(drifted(undefined, { drifted: ['cron'] })).toEqual({ drifted: ['cron'] });
    expect(drifted(undefined)).toEqual({ drifted: [] });
  });

  it('is gone if it is not registered', () => {
    expect(storedRegistration.isGone?.(state({}, undefined))).toBe(true);
    expect(storedRegistration.isGone?.(state({}, {}))).toBe(false);
  });
});

describe('a baseline', () => {
  const secret = { endpoint, authorization: 'canary' };

  it('keeps hashes of secrets, and finds what has changed since', () => {
    const kept = registeredBaseline.keep({}, state(secret, undefined));
    expect(JSON.stringify(kept)).not.toContain('canary');
    const changed = (registered: object | undefined, declared: object = secret) =>
      registeredBaseline.differences(kept, {}, state(declared, registered)).map(({ path, kind }) => [kind, ...path]);
    expect(changed({ endpoint, authorization: sealedHash('canary') })).toEqual([]);
    expect(changed({ endpoint, authorization: sealedHash('other') })).toEqual([['change', 'authorization']]);
    expect(changed({ endpoint: 'https://x.example.com/', authorization: sealedHash('canary') })).toEqual([
      ['change', 'endpoint'],
    ]);
    expect(changed(undefined).map(([kind]) => kind)).toEqual(['add', 'add']);
    // Two hashes cannot be compared: a secret that is declared otherwise now counts as unchanged.
    expect(changed({ endpoint, authorization: sealedHash('other') }, { endpoint, authorization: 'new' })).toEqual([]);
  });

  it('keeps nothing if the declaration has problems', () => {
    expect(registeredBaseline.keep({}, { ...record, declared: { problems }, registered: {} })).toBeUndefined();
    const found = registeredBaseline.differences(
      { endpoint },
      {},
      { ...record, declared: { problems }, registered: {} },
    );
    expect(found).toEqual([{ path: ['endpoint'], kind: 'add', after: endpoint }]);
  });

  it('keeps a digest of many inputs, and a few as they are', () => {
    const rows = (count: number) => Array.from({ length: count }, (_, index) => ({ url: `https://a/${index}` }));
    const many = registeredBaseline.keep({}, state({ inputs: rows(11) }, undefined)) as { inputs: unknown };
    expect(many.inputs).toMatch(/^11 rows \([\da-f]{8}\)$/);
    const few = registeredBaseline.keep({}, state({ inputs: rows(10) }, undefined)) as { inputs: object };
    expect(Object.entries(few.inputs)[0]).toEqual(['row 1', '{"url":"https://a/0"}']);
    expect(Object.keys(few.inputs)).toHaveLength(10);
    const inputs = (count: number) => registeredBaseline.differences(many, {}, state({}, { inputs: rows(count) }));
    expect([inputs(11), inputs(12).length]).toEqual([[], 1]);
    expect(registeredBaseline.keep({}, state({ endpoint }, undefined))).toEqual({ endpoint });
  });
});

it('properties have lists by position, and other values as they are', () => {
  expect(specProperties({ on: ['failed', ['late']], batch: { sizes: [1] }, inputs: 'text', none: null })).toEqual({
    on: { 1: 'failed', 2: { 1: 'late' } },
    batch: { sizes: { 1: 1 } },
    inputs: 'text',
    none: null,
  });
  expect(specProperties('text')).toEqual({});
});

describe('what is accepted', () => {
  const accept = (written: object, declared: object, registered: object) =>
    acceptRegistration({ written: { ...written }, spec: {} }, state(declared, registered));

  it('keeps maps as they are written, but for the fields that differ', () => {
    const [written, live] = [
      { alerts: { endpoint, on: ['failed'] }, cron: '0 3 * * *' },
      { alerts: { endpoint: 'https://x.example.com/', on: ['failed'] }, paused: true },
    ];
    expect(accept(written, written, live)).toEqual({
      fields: { alerts: { endpoint: 'https://x.example.com/', on: ['failed'] }, paused: true },
      problems: [],
    });
  });

  it('has no secret, which cannot be read', () => {
    const written = { endpoint, authorization: 'canary' };
    expect(accept(written, written, { endpoint, authorization: sealedHash('other') }).problems).toEqual([
      {
        code: 'secret-differs',
        path: ['authorization'],
        found: 'a registered secret differs from the declaration, and cannot be read',
        fix: 'declare the secret by hand, or apply to register the declared one',
      },
    ]);
  });

  it('has no inputs of a file, which is changed by hand', () => {
    const written = { inputs: { file: 'inputs.csv' } };
    expect(accept(written, { inputs: [{ url: 'a' }] }, { inputs: [{ url: 'b' }] }).problems).toEqual([
      {
        code: 'value-from-file',
        path: ['inputs'],
        found: 'the registered inputs differ from the file inputs.csv',
        fix: 'change that file by hand, or apply to register what it holds',
      },
    ]);
    expect(accept({ inputs: [] }, { inputs: [{ url: 'a' }] }, { inputs: [{ url: 'b' }] })).toEqual({
      fields: { inputs: [{ url: 'b' }] },
      problems: [],
    });
  });
});
