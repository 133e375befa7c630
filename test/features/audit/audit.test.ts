/** The comparison of recent callers with allow lists: of managers, and of zones with lists of their own. */
import { describe, expect, it } from 'vitest';
import { ProblemError } from '../../../src/base/diagnostics/problem.ts';
import type { Config } from '../../../src/engine/declaration/config.ts';
import type { Session } from '../../../src/engine/run/sessionViews.ts';
import { readAudit } from '../../../src/features/audit/audit.ts';
import { auditing } from '../../../src/features/audit/kinds.ts';
import type { Context } from '../../../src/kinds/context.ts';
import { managerSettings } from '../../../src/kinds/managerSettings/kind.ts';
import { type ManagerSettingsSpec, managerSettingsSpec } from '../../../src/kinds/managerSettings/spec.ts';
import { offered } from '../../kinds/offers.ts';

interface Given {
  recent: Record<string, string[]>;
  /** The declared and the live list of each manager; an error if the live one cannot be read. */
  managers?: { declared?: string[]; live?: string[] | Error }[];
  allowedCallers?: Record<string, string[]>;
  zones?: string[];
  /** True if the managers are not known. */
  isUnknown?: boolean;
}

async function audited({ recent, managers = [], allowedCallers = {}, zones = [], isUnknown = false }: Given) {
  const asked: unknown[] = [];
  const declared = managers.map((manager, index) => ({
    definition: managerSettings,
    name: `m${index}`,
    spec: { url: `http://m${index}`, whitelistIps: manager.declared },
  }));
  const manager = (url: string) => {
    if (isUnknown) throw new ProblemError([{ code: 'no-manager', found: 'the manager is not known' }]);
    return {
      url,
      readSettings: async () => {
        const { live } = managers[Number(url.at(-1))] ?? {};
        if (live instanceof Error) throw live;
        return { settings: live === undefined ? {} : { whitelistIps: live } };
      },
    };
  };
  const recentIps = async (named: unknown) => {
    asked.push(named);
    return recent;
  };
  const session = {
    client: () => ({ origin: 'http://service.example', zones: { recentIps } }),
    contextFor: () => ({ manager }),
  } as unknown as Session;
  const config = { declared, allowedCallers, manager: {}, triggers: {} } as unknown as Config;
  const audit = await readAudit(config, session, { zones });
  const statuses = audit.zones.map(({ zone, callers }) => [
    zone,
    ...callers.map(({ ip, status }) => `${ip} ${status}`),
  ]);
  return { ...audit, asked, statuses };
}

describe('a caller', () => {
  it('is allowed by an entry of any spelling, and every list that allows it is named', async () => {
    const { zones, statuses, lists } = await audited({
      recent: { checkout: ['9.9.9.9', '10.1.2.3', '10.1.2.3', '9.8.7.6'] },
      managers: [{ declared: ['10.1.1.1/8', '9.9.9.9'], live: ['10.0.0.0/8'] }, { live: ['9.9.9.9'] }],
    });
    expect(statuses).toEqual([['checkout', '9.8.7.6 not-allowed', '9.9.9.9 allowed', '10.1.2.3 allowed']]);
    expect(zones[0]?.callers[1]?.allowedBy).toEqual([
      { list: 'managerSettings.m0.whitelistIps', entry: '9.9.9.9', declared: true, live: false },
      { list: 'whitelistIps of http://m1', entry: '9.9.9.9', declared: null, live: true },
    ]);
    // One network in two spellings is one entry, declared and live.
    expect(lists[0]?.entries).toMatchObject([
      { declared: true, live: true },
      { entry: '9.9.9.9', declared: true, live: false, status: 'seen' },
    ]);
  });

  it('is compared with the list of its zone alone, if the zone has one', async () => {
    const { statuses, lists } = await audited({
      recent: { own: ['9.9.9.9', '8.8.8.8'], other: ['9.9.9.9', '8.8.8.8'] },
      managers: [{ live: ['8.8.8.8'] }],
      allowedCallers: { own: ['9.9.9.9', '9.9.9.9'], unused: ['7.7.7.7'] },
    });
    expect(statuses).toEqual([
      ['other', '8.8.8.8 allowed', '9.9.9.9 not-allowed'],
      ['own', '8.8.8.8 not-allowed', '9.9.9.9 allowed'],
      ['unused'],
    ]);
    expect(lists.map(({ list, entries }) => [list, ...entries.map(({ status }) => status)])).toEqual([
      ['service.zones.own.allowedCallers', 'seen'],
      ['service.zones.unused.allowedCallers', 'not-seen'],
      ['whitelistIps of http://m0', 'seen'],
    ]);
  });

  it('is unknown where a list could not be read, unless another one allows it', async () => {
    const { statuses, problems } = await audited({
      recent: { checkout: ['9.9.9.9', '8.8.8.8'] },
      managers: [{ live: ['9.9.9.9'] }, { live: undefined }],
    });
    expect(statuses).toEqual([['checkout', '8.8.8.8 unknown', '9.9.9.9 allowed']]);
    expect(problems).toEqual([]);
    const alone = await audited({ recent: { checkout: ['8.8.8.8'] } });
    expect(alone.statuses).toEqual([['checkout', '8.8.8.8 unknown']]);
  });

  it('is compared with the declared list where the manager shows none, and the other way round', async () => {
    const recent = { checkout: ['8.8.8.8'] };
    for (const manager of [{ declared: ['9.9.9.9'] }, { live: ['9.9.9.9'] }])
      expect((await audited({ recent, managers: [manager] })).statuses).toEqual([['checkout', '8.8.8.8 not-allowed']]);
  });

  it('is unknown if the lists have only internal addresses, which the service never sees', async () => {
    const { statuses, lists } = await audited({
      recent: { checkout: ['8.8.8.8'] },
      managers: [{ live: ['10.0.0.0/8', '192.168.1.1'] }],
    });
    expect(statuses).toEqual([['checkout', '8.8.8.8 unknown']]);
    expect(lists[0]?.entries.map(({ status }) => status)).toEqual(['not-visible', 'not-visible']);
  });

  it('that is no address is unknown', async () => {
    const { statuses } = await audited({ recent: { checkout: ['a host'] }, managers: [{ live: ['9.9.9.9'] }] });
    expect(statuses).toEqual([['checkout', 'a host unknown']]);
  });
});

describe('a list', () => {
  it('has its owner, its path and its entries', async () => {
    const { service, lists } = await audited({
      recent: { checkout: ['9.9.9.9'] },
      managers: [{ declared: ['9.9.9.9', '10.0.0.0/8'], live: ['9.9.9.9', '8.8.8.8'] }, { live: [] }],
      allowedCallers: { 'a b': ['7.7.7.7', '7.7.7.7/32', ' 7.7.7.8 '] },
    });
    expect(service).toBe('http://service.example');
    expect(lists).toEqual([
      {
        list: 'service.zones["a b"].allowedCallers',
        zone: 'a b',
        entries: [
          { entry: '7.7.7.7/32', declared: true, live: null, status: 'not-seen' },
          { entry: ' 7.7.7.8 ', declared: true, live: null, status: 'not-seen' },
        ],
      },
      {
        list: 'managerSettings.m0.whitelistIps',
        manager: 'http://m0',
        entries: [
          { entry: '9.9.9.9', declared: true, live: true, status: 'seen' },
          { entry: '10.0.0.0/8', declared: true, live: false, status: 'not-visible' },
          { entry: '8.8.8.8', declared: false, live: true, status: 'not-seen' },
        ],
      },
      { list: 'whitelistIps of http://m1', manager: 'http://m1', entries: [] },
    ]);
  });

  it('that cannot be read is a problem, and counts as it is declared', async () => {
    const unread = new ProblemError([{ code: 'no-answer', found: 'the manager does not answer' }]);
    const { problems, lists, statuses } = await audited({
      recent: { checkout: ['9.9.9.9', '8.8.8.8'] },
      managers: [{ declared: ['9.9.9.9'], live: unread }],
    });
    expect(problems.map(({ found }) => found)).toEqual(['the manager does not answer']);
    expect(lists[0]?.entries).toEqual([{ entry: '9.9.9.9', declared: true, live: null, status: 'seen' }]);
    expect(statuses).toEqual([['checkout', '8.8.8.8 not-allowed', '9.9.9.9 allowed']]);
    const undeclared = await audited({ recent: { checkout: ['9.9.9.9'] }, managers: [{ live: unread }] });
    expect(undeclared.statuses).toEqual([['checkout', '9.9.9.9 unknown']]);
  });

  it('of a manager that cannot be asked is a problem too', async () => {
    const { problems, statuses } = await audited({
      recent: { a: ['9.9.9.9'] },
      managers: [{ live: ['9.9.9.9'] }],
      isUnknown: true,
    });
    expect(problems.map(({ found }) => found)).toEqual(['the manager is not known']);
    expect(statuses).toEqual([['a', '9.9.9.9 unknown']]);
  });

  it('allows a caller by each of its entries', async () => {
    const { zones } = await audited({
      recent: { a: ['9.9.9.9'] },
      managers: [{ live: ['9.9.0.0/16', '9.0.0.0/8', '8.0.0.0/8'] }],
    });
    expect(zones[0]?.callers).toEqual([
      {
        ip: '9.9.9.9',
        status: 'allowed',
        allowedBy: ['9.9.0.0/16', '9.0.0.0/8'].map((entry) => ({
          list: 'whitelistIps of http://m0',
          entry,
          declared: null,
          live: true,
        })),
      },
    ]);
  });
});

describe('an audit of named zones', () => {
  it('asks for these alone, and leaves out the lists of others', async () => {
    const { asked, lists, statuses } = await audited({
      recent: { a: [] },
      allowedCallers: { a: ['9.9.9.9'], b: ['8.8.8.8'] },
      zones: ['a'],
    });
    expect(asked).toEqual([['a']]);
    expect(lists.map(({ zone }) => zone)).toEqual(['a']);
    expect(statuses).toEqual([['a']]);
  });

  it('without names asks for all', async () => {
    expect((await audited({ recent: {} })).asked).toEqual(['*']);
  });
});

describe('the lists of managers', () => {
  const settings: Record<string, object> = {
    'http://m:1': { whitelistIps: ['10.0.0.1', '10.0.0.2'], fixedWhitelistIps: ['10.0.0.2'] },
    'http://m:2': { zone: '' },
  };
  const context = {
    manager: (url: string) => ({ url, readSettings: async () => ({ settings: settings[url] }) }),
  } as unknown as Context<ManagerSettingsSpec>;
  const declared = (more: object = {}) =>
    new Map([['local', managerSettingsSpec.parse({ url: 'http://m:1', whitelistIps: ['10.0.0.1'], ...more })]]);

  it('contain the entries that the manager has fixed', async () => {
    const [list, other] = offered(auditing, managerSettings)
      .allowLists({ managerUrl: 'http://m:2', declared: declared() }, context)
      .reverse();
    expect(list?.owner).toBe('http://m:1');
    expect(list?.declared).toEqual({ path: ['local', 'whitelistIps'], entries: ['10.0.0.1'] });
    expect(await list?.live()).toEqual(['10.0.0.2', '10.0.0.1']);
    expect([other?.owner, other?.declared, await other?.live()]).toEqual(['http://m:2', undefined, undefined]);
  });

  it.each([{ whitelistIps: undefined }, { ignoreChanges: ['whitelistIps'] }])('are not declared with %j', (more) => {
    const [list] = offered(auditing, managerSettings).allowLists({ declared: declared(more) }, context);
    expect(list?.declared).toBeUndefined();
  });
});
