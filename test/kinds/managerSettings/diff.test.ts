/** Settings are compared by meaning: the order, repetitions and spellings of addresses do not matter. */
import { describe, expect, it } from 'vitest';
import { type ManagerSettingsWire, settingNames, settingOf } from '../../../src/client/areas/manager/settings.ts';
import {
  acceptedSettings,
  differingSettings,
  inOrder,
  liveSettings,
  unseenSettings,
  wantedSettings,
} from '../../../src/kinds/managerSettings/diff.ts';

const listName = settingNames.find((name) => settingOf(name).fixedBy !== undefined);
if (listName === undefined) throw new Error('no list has fixed entries');
const fixedName = settingOf(listName).fixedBy as string;
const plainName = 'logs';

const differing = (declared: object, live: ManagerSettingsWire) =>
  differingSettings(wantedSettings(declared, live), liveSettings(live));

describe('an allow list', () => {
  const list = (...entries: string[]) => ({ [listName]: entries });

  it.each([
    ['in another order, repeated', ['10.0.0.0/8', '1.2.3.4', '1.2.3.4'], ['1.2.3.4', '10.0.0.0/8'], false],
    ['in another spelling', ['10.1.2.3/8', 'Proxy.Example '], ['10.0.0.0/8', 'proxy.example'], false],
    ['with an entry more', ['1.2.3.4', '5.6.7.8'], ['1.2.3.4'], true],
    ['with an entry less', ['1.2.3.4'], ['1.2.3.4', '5.6.7.8'], true],
    ['with another entry', ['1.2.3.4'], ['5.6.7.8'], true],
    ['that is empty', [], [], false],
  ])('%s', (_, declared, live, differs) => {
    expect(differing(list(...declared), list(...live))).toEqual(differs ? [listName] : []);
  });

  it('has the entries that the manager has fixed, declared or not', () => {
    const live = { ...list('1.2.3.4', '5.6.7.8'), [fixedName]: ['5.6.7.8'] };
    expect(differing(list('1.2.3.4'), live)).toEqual([]);
    expect(differing(list('1.2.3.4', '5.6.7.8'), live)).toEqual([]);
    expect(wantedSettings(list('1.2.3.4', '5.6.7.8'), live)).toEqual(list('1.2.3.4'));
  });

  it('is accepted with its order and spelling, then the other live entries', () => {
    const live = { ...list('7.7.7.7', '1.2.3.4', '10.0.0.0/8'), [fixedName]: ['5.6.7.8'] };
    const spec = list('10.1.1.1/8', '5.6.7.8', '9.9.9.9', '1.2.3.4');
    expect(acceptedSettings({ url: 'u' }, spec, { settings: live, ports: null })).toEqual({
      url: 'u',
      [listName]: ['10.1.1.1/8', '5.6.7.8', '1.2.3.4', '7.7.7.7'],
    });
  });
});

describe('a setting', () => {
  it('that is ignored or not declared does not differ', () => {
    expect(differing({ [plainName]: 5 }, { [plainName]: 6 })).toEqual([plainName]);
    expect(differing({ [plainName]: 5, ignoreChanges: [plainName] }, { [plainName]: 6 })).toEqual([]);
    expect(differing({ [plainName]: 5, ignoreChanges: [listName] }, { [plainName]: 6 })).toEqual([plainName]);
    expect(differing({}, { [plainName]: 6 })).toEqual([]);
    expect(differing({ [plainName]: 5 }, { [plainName]: 5 })).toEqual([]);
  });

  it('that the manager does not show is reported as unseen, unless it is ignored', () => {
    const unseen = (declared: object, live: ManagerSettingsWire) => unseenSettings(declared, live);
    expect(unseen({ [plainName]: 5 }, {})).toEqual([plainName]);
    expect(unseen({ [plainName]: 5, ignoreChanges: [listName] }, {})).toEqual([plainName]);
    expect(unseen({ [plainName]: 5, ignoreChanges: [plainName] }, {})).toEqual([]);
    expect(unseen({ [plainName]: 5 }, { [plainName]: null })).toEqual([]);
    expect(unseen({}, {})).toEqual([]);
    expect(liveSettings({ [plainName]: null } as never)).toEqual({});
  });
});

describe('ports that must be absent', () => {
  const accepted = (spec: object, ports: number[] | null) => acceptedSettings({}, spec, { settings: {}, ports });

  it('are accepted without those that exist, unless they are ignored', () => {
    expect(accepted({ absentPorts: [1, 2] }, [2, 3])).toEqual({ absentPorts: [1] });
    expect(accepted({ absentPorts: [1, 2] }, null)).toEqual({ absentPorts: [1, 2] });
    expect(accepted({ absentPorts: [1, 2], ignoreChanges: ['absentPorts'] }, [2])).toEqual({ absentPorts: [1, 2] });
    expect(accepted({}, [2])).toEqual({});
  });
});

it('equal settings have equal orders', () => {
  const settings = (entries: string[]) => ({ [listName]: entries, [plainName]: 5 });
  expect(inOrder(settings(['b', 'a', 'b']))).toEqual(inOrder(settings(['a', 'b'])));
  expect(inOrder(settings(['a']))).not.toEqual(inOrder(settings(['a', 'b'])));
  expect(inOrder({})).toEqual(settingNames.map(() => null));
});
