/** How a change of manager settings is compared, counted, worded and undone. */

import { describe, expect, it } from 'vitest';
import type { ManagerSettingsPatch } from '../../../../src/client/areas/manager/settings.ts';
import type { Call } from '../../../../src/kinds/call.ts';
import type { SendingUndo, Undoing } from '../../../../src/kinds/callType.ts';
import type { PlanMode } from '../../../../src/kinds/callWords.ts';
import type { UpdateSettingsCall } from '../../../../src/kinds/managerSettings/calls/managerCalls.ts';
import { updateSettings } from '../../../../src/kinds/managerSettings/calls/updateSettings.ts';
import { updateSettingsWords } from '../../../../src/kinds/managerSettings/calls/words.ts';
import { manager, settingsCall } from '../../../report/samples.ts';
import { totalWords } from '../../totalWords.ts';

function changing(before: ManagerSettingsPatch, settings: ManagerSettingsPatch): UpdateSettingsCall {
  return { type: 'updateSettings', manager, before, settings };
}

describe('the same change', () => {
  const [one, other] = [['10.0.0.1', '10.0.0.2'], ['10.0.0.2', '10.0.0.1'] as string[]];

  it('has the same key, whatever the order of a list', () => {
    const key = updateSettings.key(changing({}, { whitelistIps: one }));
    expect(updateSettings.key(changing({}, { whitelistIps: other }))).toBe(key);
    expect(updateSettings.key(changing({ whitelistIps: [] }, { whitelistIps: one }))).not.toBe(key);
    expect(updateSettings.key({ ...changing({}, { whitelistIps: one }), manager: 'http://m:1' })).not.toBe(key);
  });

  it('is handled after other changes of its manager', () => {
    expect(updateSettings.target(settingsCall)).toBe(`manager ${manager}`);
  });
});

describe('a changed setting', () => {
  it.each([
    [{ zone: 'shop' }, { zone: 'check out' }, 'zone shop → "check out"'],
    [{ zone: '' }, { zone: 'shop' }, 'zone "" → shop'],
    [{ requestStats: false }, { requestStats: true }, 'requestStats false → true'],
    [{}, { logs: 5 }, 'logs +5'],
    [{}, { zone: ' shop' }, 'zone +" shop"'],
    [{}, { whitelistIps: ['10.0.0.1', '10.0.0.2'] }, 'whitelistIps +10.0.0.1, 10.0.0.2'],
    [{}, { whitelistIps: [] }, 'whitelistIps +[]'],
  ])('from %j to %j is described as %s', (before, settings, expected) => {
    expect(updateSettingsWords.describe(changing(before, settings), [])).toMatchObject({
      subject: 'settings',
      place: manager,
      items: [expected],
    });
  });

  it.each<[PlanMode, string[]]>([
    ['plan', ['setting logs: 1000 → 500', 'setting whitelistIps: - 10.0.0.9', 'setting whitelistIps: + 10.0.0.0/8']],
    [
      'drift',
      [
        'setting logs: 1000 live, 500 declared',
        'setting whitelistIps: 10.0.0.9, live but not declared',
        'setting whitelistIps: 10.0.0.0/8, declared but not live',
      ],
    ],
  ])('is worded for a %s', (mode, texts) => {
    const differences = updateSettingsWords.differences(settingsCall, [], mode);
    expect(differences.map(({ text }) => text)).toEqual(texts);
    expect(differences.map(({ key }) => key)).toEqual([
      ['setting', 'logs'],
      ['setting', 'whitelistIps', '10.0.0.9'],
      ['setting', 'whitelistIps', '10.0.0.0/8'],
    ]);
  });

  it.each<[PlanMode, string, string]>([
    ['plan', '1 setting changes', '3 settings change'],
    ['destroy', '1 setting changes', '3 settings change'],
    ['drift', '1 setting differs', '3 settings differ'],
    ['undo', '1 setting changes back', '3 settings change back'],
  ])('is counted in the words of a %s', (mode, one, many) => {
    expect(totalWords([changing({ logs: 1 }, { logs: 2 })], mode)).toEqual([one]);
    expect(totalWords([settingsCall], mode)).toEqual([many]);
  });

  it('is counted after a run', () => {
    expect(totalWords([changing({ logs: 1 }, { logs: 2 })])).toEqual(['1 setting changed']);
    expect(totalWords([settingsCall, changing({}, { zone: 'shop' })])).toEqual(['4 settings changed']);
  });
});

describe('an undo', () => {
  const [inverted] = updateSettings.invert(settingsCall).calls;
  if (inverted === undefined) throw new Error('settings can be undone');

  /** A manager with these settings, the settings that were sent to it, and an undo of calls to it. */
  function undoing(live: ManagerSettingsPatch, more: Partial<SendingUndo['context']> = {}) {
    let settings = live;
    const sent: ManagerSettingsPatch[] = [];
    const context = {
      manager: (url: string) => ({
        async readSettings() {
          expect(url).toBe(manager);
          return { settings };
        },
        async updateSettings(patch: ManagerSettingsPatch) {
          sent.push(patch);
          settings = { ...settings, ...patch };
        },
      }),
      recorder: {
        sending: async () => ({ answered: async () => {}, failed: async () => {}, seen: async () => {} }),
      },
      ...more,
    } as unknown as Undoing['context'];
    const guards = (_calls: readonly Call[]) => [] as { code: string; found: string }[];
    return { sent, undoing: { context, done: [], recent: [], later: [], readGuards: async () => guards } };
  }

  it('sends the settings of before', async () => {
    expect(inverted).toEqual({ ...settingsCall, settings: settingsCall.before, before: settingsCall.settings });
    const { sent, undoing: step } = undoing(settingsCall.settings);
    expect(updateSettings.undo.joins([inverted], inverted)).toBe(false);
    await updateSettings.undo.send([inverted], step);
    expect(sent).toEqual([settingsCall.before]);
  });

  it('has nothing to do if the settings are as before', async () => {
    const { sent, undoing: step } = undoing(settingsCall.before);
    expect(await updateSettings.undo.remaining(inverted, step)).toEqual({ problems: [] });
    await updateSettings.undo.send([inverted], step);
    await updateSettings.undo.send([], step);
    expect(sent).toEqual([]);
  });

  it('changes only the settings that are not as before', async () => {
    const { undoing: step } = undoing({ ...settingsCall.before, logs: 500 });
    expect(await updateSettings.undo.remaining(inverted, step)).toEqual({
      call: { ...inverted, settings: { logs: 1000 }, before: { logs: 500 } },
      problems: [],
    });
  });

  it('is refused for a setting that has changed since the run', async () => {
    const { sent, undoing: step } = undoing({ ...settingsCall.settings, logs: 7 });
    const problem = {
      code: 'changed-since',
      path: ['logs'],
      found: 'logs is 7 now, but the run left it at 500',
      allowed: 'undoing changes that are still as the run left them',
      fix: 'declare what it should be and apply',
    };
    expect((await updateSettings.undo.remaining(inverted, step)).problems).toEqual([problem]);
    await expect(updateSettings.undo.send([inverted], step)).rejects.toMatchObject({ problems: [problem] });
    expect(sent).toEqual([]);
  });

  it('is refused by a guard, and if other calls were shown', async () => {
    const { sent, undoing: step } = undoing(settingsCall.settings);
    const broken = { code: 'self-lockout', found: 'the list would lose the address of the caller' };
    const guarded = { ...step, readGuards: async () => (calls: readonly Call[]) => calls.map(() => broken) };
    await expect(updateSettings.undo.send([inverted], guarded)).rejects.toMatchObject({ problems: [broken] });
    const { undoing: changed } = undoing(settingsCall.settings, { isPlanned: () => false });
    await expect(updateSettings.undo.send([inverted], changed)).rejects.toMatchObject({
      problems: [
        {
          code: 'changed-since-plan',
          found: 'the live state has changed since it was shown: other calls would be needed now, and none was made',
          allowed: 'the calls that were shown',
          fix: 'run it again, and review what would be done now',
        },
      ],
    });
    expect(sent).toEqual([]);
  });
});
