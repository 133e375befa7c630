/** Which managers a declaration is about, and what a run sends to them. */

import { describe, expect, it } from 'vitest';
import { showing } from '../../../src/features/show/kinds.ts';
import type { Context } from '../../../src/kinds/context.ts';
import { liveExport } from '../../../src/kinds/liveExport.ts';
import { managerSettings } from '../../../src/kinds/managerSettings/kind.ts';
import { type ManagerSettingsSpec, managerSettingsSpec } from '../../../src/kinds/managerSettings/spec.ts';
import { manager } from '../../report/samples.ts';
import { offered } from '../offers.ts';

const specOf = (fields: object) => managerSettingsSpec.parse(fields);

describe('the managers of a declaration', () => {
  const settings: Record<string, object> = {
    'http://m:1': { logs: 1, zone: 'shop', whitelistIps: ['10.0.0.1', '10.0.0.2'], fixedWhitelistIps: ['10.0.0.2'] },
    'http://m:2': { logs: 2, zone: '' },
    'http://m:3': { whitelistIps: ['10.0.0.1'] },
    'http://m:4': { fixedWhitelistIps: ['10.0.0.2'] },
  };
  const context = {
    manager: (url: string) => ({
      url,
      readSettings: async () => ({ settings: settings[url] }),
      ports: async () => [24_000],
    }),
  } as unknown as Context<ManagerSettingsSpec>;
  const declared = (more: object = {}) =>
    new Map([['local', specOf({ url: 'http://m:1', whitelistIps: ['10.0.0.1'], ...more })]]);

  it('are exported without an empty zone, and only if there is one', async () => {
    const exported = (managerUrl?: string) =>
      offered(liveExport, managerSettings).exportLive({ name: 'it', zones: [], managerUrl }, context);
    expect(await exported()).toBeUndefined();
    expect(await exported('http://m:1')).toEqual({ it: { logs: 1, zone: 'shop', whitelistIps: ['10.0.0.1'] } });
    expect(await exported('http://m:2')).toEqual({ it: { logs: 2 } });
  });

  it('are shown with their settings and ports, declared or not', async () => {
    const objects = await offered(showing, managerSettings).liveObjects(
      { managerUrl: 'http://m:2', declared: declared() },
      context,
    );
    const facts = await Promise.all(objects.map(async (each) => ({ ...each, facts: await each.facts() })));
    expect(facts).toEqual([
      { name: 'http://m:2', isDeclared: false, facts: { logs: 2, zone: '', ports: [24_000] } },
      {
        name: 'http://m:1',
        isDeclared: true,
        facts: { logs: 1, zone: 'shop', whitelistIps: ['10.0.0.1'], ports: [24_000] },
      },
    ]);
    expect(await offered(showing, managerSettings).liveObjects({ declared: new Map() }, context)).toEqual([]);
  });

  it('are declared if the manager of the configuration is', async () => {
    const [one, ...more] = await offered(showing, managerSettings).liveObjects(
      { managerUrl: 'http://m:1', declared: declared() },
      context,
    );
    expect([one?.isDeclared, more]).toEqual([true, []]);
  });
});

describe('a run', () => {
  /** Applies a declaration to a manager that holds these settings. */
  async function applied(fields: object, settings: object, more: Partial<Context<ManagerSettingsSpec>> = {}) {
    const [sent, held]: [object[], Record<string, unknown>] = [[], { ...settings }];
    let ports = [24_010];
    const context = {
      manager: () => ({
        url: manager,
        readSettings: async () => ({ settings: { ...held }, by: 'get' }),
        updateSettings: async (patch: object) => {
          sent.push(patch);
          Object.assign(held, patch);
        },
        ports: async () => ports,
        deletePorts: async (gone: number[]) => {
          sent.push(gone);
          ports = ports.filter((port) => !gone.includes(port));
        },
        inferredProfile: () => ({}),
        callerAddress: async () => '10.1.2.3',
      }),
      recorder: { sending: async () => ({ answered: async () => {}, seen: async () => {} }) },
      overrides: {},
      facts: () => new Set(),
      ...more,
    } as unknown as Context<ManagerSettingsSpec>;
    const state = await managerSettings.converge(specOf(fields), context).catch((error: unknown) => ({ error }));
    return { state, sent };
  }

  it('sends the calls and returns what is live afterwards', async () => {
    const { state, sent } = await applied({ logs: 5, absentPorts: [24_010] }, { logs: 6 });
    expect(sent).toEqual([{ logs: 5 }, [24_010]]);
    expect(state).toMatchObject({ settings: { logs: 5 }, ports: [] });
  });

  it('sends nothing if nothing differs', async () => {
    const { state, sent } = await applied({ logs: 5 }, { logs: 5 }, { isPlanned: () => false });
    expect(sent).toEqual([]);
    expect(state).toMatchObject({ settings: { logs: 5 } });
  });

  it('sends nothing after a problem, after an interruption, and if other calls were shown', async () => {
    const locked = await applied({ wwwWhitelistIps: ['192.0.2.1'] }, { wwwWhitelistIps: ['10.1.2.3'] });
    expect(locked).toMatchObject({ sent: [], state: { error: { problems: [{ code: 'self-lockout' }] } } });
    const interrupted = await applied({ logs: 5 }, { logs: 6 }, { signal: AbortSignal.abort(new Error('stopped')) });
    expect(interrupted).toEqual({ sent: [], state: { error: new Error('stopped') } });
    const stale = await applied({ logs: 5 }, { logs: 6 }, { isPlanned: () => false });
    expect(stale).toMatchObject({ sent: [], state: { error: { problems: [{ code: 'changed-since-plan' }] } } });
  });

  it('keeps the caller in, unless it may be locked out', async () => {
    const { sent } = await applied(
      { wwwWhitelistIps: ['192.0.2.1'] },
      { wwwWhitelistIps: ['10.1.2.3'] },
      { overrides: { allowSelfLockout: true } },
    );
    expect(sent).toEqual([{ wwwWhitelistIps: ['192.0.2.1'] }]);
  });
});
