/** `ZoneIpAllocation` in a stack, without the engine. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkInputs } from '../../providers/core/check.ts';
import { createResource, deleteResource, diffResource, readResource } from '../../providers/core/lifecycle.ts';
import { unknownValue } from '../../providers/core/unknown.ts';
import { migrationsOf } from '../cli/harness.ts';
import { failuresOf, kindNamed, openTestStack, type TestStack, up } from './testStack.ts';

const kind = kindNamed('ZoneIpAllocation');

let test: TestStack;
beforeEach(async () => {
  test = await openTestStack();
});
afterEach(() => test[Symbol.asyncDispose]());

const held = ['192.0.2.12', '192.0.2.13'];
const adopting = { zones: { checkout: { ips: held } }, sources: ['pricing'], spare: 'parked' };
const moving = { ...adopting, zones: { checkout: { ips: [...held, '192.0.2.10'] } } };

const counted = { zones: { checkout: { count: { us: 5, de: 3 } }, pricing: { count: { us: 7 } } }, spare: 'parked' };

describe('check', () => {
  it('names the property of an invalid input', async () => {
    const inputs = { zones: { checkout: { ips: ['192.0.2.300'], cuont: 3 } }, spair: 'parked' };
    expect(await failuresOf(kind, inputs, test.open())).toEqual({
      'zones.checkout.ips[0]': expect.stringContaining('192.0.2.300'),
      'zones.checkout.cuont': expect.stringContaining('count'),
      spair: expect.stringContaining('did you mean `spare`?'),
    });
    expect(test.emulator.requests()).toEqual([]);
  });

  it('returns the inputs in one order, without properties that are null', async () => {
    const inputs = { zones: { checkout: { ips: ['192.0.2.13', '192.0.2.12', '192.0.2.13'] } }, maxMoves: null };
    const checked = await checkInputs(kind, {}, inputs, () => test.open());
    expect(checked).toEqual({ inputs: { zones: { checkout: { ips: held } } }, problems: [] });
  });

  it('accepts unknown values, and prints why it cannot show the calls', async () => {
    const inputs = { zones: { checkout: { ips: ['192.0.2.12', unknownValue] } }, spare: unknownValue };
    expect(await failuresOf(kind, inputs, test.open())).toEqual({});
    expect(test.printed).toEqual([
      'ZoneIpAllocation: its calls can be shown once zones.checkout.ips[1], spare are known',
    ]);
    expect(test.emulator.requests()).toEqual([]);
  });

  it('refuses a zone that another resource fills', async () => {
    const stack = test.open();
    expect(await failuresOf(kind, adopting, stack)).toEqual({});
    const other = { zones: { checkout: { count: 8 } } };
    expect(await failuresOf(kind, other, stack)).toEqual({
      'zones.checkout': expect.stringContaining('checkout is filled by two allocations'),
    });
  });

  it('names an unknown zone, and the fix', async () => {
    expect(await failuresOf(kind, { ...adopting, zones: { chekout: { count: 8 } } }, test.open())).toEqual({
      'zones.chekout': expect.stringMatching(/zone `chekout` does not exist[\s\S]*fix: correct the name/),
    });
  });

  it('refuses an update that would break a guard', async () => {
    const inputs = { zones: { checkout: { count: 3 } }, spare: 'parked', maxMoves: 1 };
    expect(Object.values(await failuresOf(kind, inputs, test.open())).join()).toContain('webdata:allowMoves 5');
    test.settings.allowMoves = '5';
    expect(await failuresOf(kind, inputs, test.open())).toEqual({});
  });

  it('only warns of IPs that another resource may release', async () => {
    const inputs = { zones: { checkout: { count: { jp: 3 } } }, sources: ['pricing'] };
    expect(await failuresOf(kind, inputs, test.open())).toEqual({});
    expect(test.printed.join()).toContain('warning: cannot be applied yet');
  });

  it('names the setting of the stack if the service refuses the key, and does not print the key', async () => {
    test.settings.apiKey = 'canary-key-4711';
    const reasons = Object.values(await failuresOf(kind, adopting, test.open())).join();
    expect(reasons).toContain('pulumi config set --secret webdata:apiKey');
    expect(reasons).not.toContain('canary-key-4711');
  });
});

describe('diff', () => {
  it('ignores order, spelling and defaults', async () => {
    const properties = await up(test, kind, { ...adopting, zones: { checkout: { ips: held, count: { us: 5 } } } });
    const same = {
      ...adopting,
      zones: { checkout: { ips: [...held].reverse(), count: { US: 5 } } },
      unmanaged: 'report',
    };
    expect(await diffResource(test.open(), kind, properties, same)).toEqual({
      hasChanges: false,
      replaces: [],
      properties: [],
      calls: [],
    });
  });

  it('names changed properties by path, and the calls', async () => {
    const properties = await up(test, kind, adopting);
    const diff = await diffResource(test.open(), kind, properties, {
      ...adopting,
      zones: { checkout: { ips: ['192.0.2.10', ...held] } },
    });
    expect(diff.properties.map(({ path, kind }) => [path.join('.'), kind])).toEqual([['zones.checkout.ips.0', 'add']]);
    expect(diff.calls).toMatchObject([{ from: 'pricing', to: 'checkout' }]);
  });

  it('is a change as long as an input is unknown', async () => {
    const properties = await up(test, kind, adopting);
    const diff = await diffResource(test.open(), kind, properties, { ...adopting, spare: unknownValue });
    expect(diff).toMatchObject({ hasChanges: true, properties: [{ path: ['spare'], kind: 'update' }], calls: [] });
  });
});

describe('create and update', () => {
  it('adopts IPs that are in place, and stores where the others are', async () => {
    const stack = test.open();
    const { id, properties } = await createResource(stack, kind, adopting);
    expect(id).toBe('checkout');
    expect(properties).toMatchObject({ ...adopting, moved: [], missingIps: {} });
    expect(Object.values(properties.unmanagedIps as object)).toContain('checkout');
    // The inputs show the others.
    expect(properties.placements).toEqual(properties.unmanagedIps);
    expect(migrationsOf(test.emulator.requests())).toEqual([]);
  });

  it('finds IPs in zones that only the previous declaration named', async () => {
    const before = await up(test, kind, moving);
    const inputs = { zones: { archive: { ips: ['192.0.2.10'] } } };
    const properties = await up(test, kind, inputs, before);
    expect(properties.moved).toEqual([{ ip: '192.0.2.10', from: 'checkout', to: 'archive' }]);
  });

  it('gives the same IPs of a surplus away as the command line: the highest', async () => {
    const before = await up(test, kind, counted);
    const fewer = { ...counted, zones: { ...counted.zones, pricing: { count: { us: 5 } } } };
    expect((await up(test, kind, fewer, before)).moved).toEqual(
      ['198.51.100.12', '198.51.100.13'].map((ip) => ({ ip, from: 'pricing', to: 'parked' })),
    );
  });

  it('returns IPs that were moved by hand to the zones that held them, after a refresh too', async () => {
    const [before, byHand] = [await up(test, kind, counted), { '192.0.2.15': 'checkout', '192.0.2.10': 'pricing' }];
    for (const refresh of [false, true]) {
      test.emulator.move(Object.keys(byHand), 'parked');
      const read = refresh ? (await readResource(test.open(), kind, before))?.properties : before;
      const { moved } = await up(test, kind, counted, read);
      const returned = (moved as { ip: string; to: string }[]).map(({ ip, to }) => [ip, to]);
      expect(Object.fromEntries(returned)).toEqual(byHand);
    }
  });

  it('keeps nothing if no call was sent', async () => {
    test.emulator.refreshKey('ops');
    const created = createResource(test.open(), kind, adopting);
    await expect(created).rejects.toMatchObject({ code: 'unauthorized' });
  });

  it('waits for IPs that another resource of the program releases', async () => {
    const stack = test.open();
    const taking = createResource(stack, kind, { zones: { archive: { ips: ['192.0.2.12'] } }, spare: 'parked' });
    const releasing = createResource(stack, kind, {
      zones: { checkout: { ips: ['192.0.2.13'] } },
      spare: 'parked',
      unmanaged: 'release',
    });
    await Promise.all([releasing, taking]);
    expect(test.emulator.ips('archive')).toContain('192.0.2.12');
  });
});

it('exchanges IPs between two resources of the program, each once', async () => {
  const stack = test.open();
  const both = [{ zones: { checkout: { ips: ['198.51.100.10'] } } }, { zones: { pricing: { ips: ['192.0.2.12'] } } }];
  for (const inputs of both) expect(await failuresOf(kind, inputs, stack)).toEqual({});
  await Promise.all(both.map((inputs) => createResource(stack, kind, inputs)));
  expect(migrationsOf(test.emulator.requests()).sort()).toEqual([
    'checkout -> pricing: 192.0.2.12',
    'pricing -> checkout: 198.51.100.10',
  ]);
});

describe('read', () => {
  it('returns inputs that show drift', async () => {
    const properties = await up(test, kind, { ...adopting, zones: { checkout: { ips: held, count: 8 } } });
    test.emulator.move(['192.0.2.12'], 'parked');
    const live = await readResource(test.open(), kind, properties);
    expect(live?.inputs).toMatchObject({ zones: { checkout: { ips: ['192.0.2.13'], count: 7 } } });
    expect(live?.properties).toMatchObject({
      zones: { checkout: { ips: held } },
      missingIps: { '192.0.2.12': 'checkout' },
    });
  });

  it('shows no drift of a country that a geolocation database changed or lost, and an update moves nothing', async () => {
    const counted = { zones: { checkout: { count: { us: 5, de: 3 } } }, spare: 'parked', unmanaged: 'release' };
    const properties = await up(test, kind, counted);
    for (const [ip, country] of [
      ['192.0.2.12', 'ca'],
      ['203.0.113.10', ''],
    ] as const) {
      test.emulator.removeIps([ip]);
      test.emulator.addIps('checkout', [{ ip, countries: [country, country, country, country] }]);
    }
    test.emulator.clearRequests();
    const live = await readResource(test.open(), kind, properties);
    expect(live?.inputs).toMatchObject({ zones: counted.zones });
    expect(live?.properties).toEqual(properties);
    expect(await diffResource(test.open(), kind, properties, counted)).toMatchObject({ hasChanges: false });
    await up(test, kind, { ...counted, maxMoves: 5 }, properties);
    expect(migrationsOf(test.emulator.requests())).toEqual([]);
  });

  it('leaves out zones that the service does not know any more, and is undefined without any zone', async () => {
    const properties = await up(test, kind, adopting);
    const extended = { ...properties, zones: { checkout: { ips: held }, gone: { count: 1 } } };
    const live = await readResource(test.open(), kind, extended);
    expect(live?.inputs).toMatchObject({ zones: { checkout: { ips: held } } });
    expect(live?.inputs.zones).not.toHaveProperty('gone');
    expect(await readResource(test.open(), kind, { ...properties, zones: { gone: { count: 1 } } })).toBeUndefined();
  });
});

describe('delete', () => {
  it('moves nothing by default, and releases IPs if declared', async () => {
    await deleteResource(test.open(), kind, adopting);
    expect(migrationsOf(test.emulator.requests())).toEqual([]);
    const releasing = { ...adopting, onDelete: 'release' };
    await deleteResource(test.open(), kind, releasing);
    expect(test.emulator.ips('parked')).toEqual(expect.arrayContaining(held));
    const sent = migrationsOf(test.emulator.requests()).length;
    await deleteResource(test.open(), kind, releasing);
    expect(migrationsOf(test.emulator.requests())).toHaveLength(sent);
  });

  it('leaves zones alone that another declared resource fills', async () => {
    const stack = test.open();
    await failuresOf(kind, { zones: { checkout: { count: 8 } }, spare: 'parked' }, stack);
    await deleteResource(stack, kind, { ...adopting, onDelete: 'release' });
    expect(migrationsOf(test.emulator.requests())).toEqual([]);
  });
});
