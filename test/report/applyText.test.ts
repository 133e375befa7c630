import { describe, expect, it } from 'vitest';
import type { ResourceResult } from '../../src/engine/run/applyResult.ts';
import {
  addresses,
  allocationId,
  journaled,
  migrate,
  portsCall,
  samplePlan,
  seen,
  settingsCall,
  settingsId,
} from './samples.ts';
import { applyText } from './texts.ts';

const at = '2026-07-01T10:00:01.000Z';
const plain = { color: false, width: 100 };
const result = (...resources: ResourceResult[]) => ({ plan: samplePlan, resources });
const first = migrate('pricing', 'checkout', ['192.0.2.10', '192.0.2.11', '192.0.2.9']);
const second = migrate('checkout', 'parked', ['192.0.2.40'], 'surplus');
const settingsDone = journaled(settingsId, settingsCall, { answered: { at }, seen: { at, took: true } });

describe('the text of an apply', () => {
  it('also counts the moves where an IP moved twice', () => {
    const calls = [migrate('a', 'parked', ['192.0.2.1', '192.0.2.2']), migrate('parked', 'b', ['192.0.2.1'])];
    const made = calls.map((call) => journaled(allocationId, call, { answered: { at }, seen: seen(call) }));
    const text = applyText(result({ ...allocationId, outcome: 'done', made, notMade: [], problems: [] }), plain);
    expect(text).toContain('Apply: 2 IPs moved in 2 calls, 3 moves in all.\n');
  });

  it('says what was done', () => {
    const made = [first, second].map((call) =>
      journaled(allocationId, call, { answered: { at, count: call.moves.length }, seen: seen(call) }),
    );
    const text = applyText(
      result(
        { ...allocationId, outcome: 'done', made, notMade: [], problems: [] },
        { ...allocationId, name: 'quiet', outcome: 'nothing', made: [], notMade: [], problems: [] },
        {
          ...settingsId,
          outcome: 'done',
          made: [settingsDone, journaled(settingsId, portsCall, { answered: { at } })],
          notMade: [],
          problems: [],
        },
      ),
      plain,
    );
    expect(text).toMatchInlineSnapshot(`
      "zoneIpAllocations.static  done
      managerSettings.local  http://127.0.0.1:22999  done

      Apply: 4 IPs moved in 2 calls, 3 settings changed, 2 ports deleted.
      "
    `);
  });

  it('says that an answer was lost only where no answer refused the call', () => {
    const failed = (effect: 'none' | 'unknown') => ({ at, code: 'not-found', message: 'HTTP 404', effect });
    const texts = (['none', 'unknown'] as const).map((effect) => {
      const made = [journaled(settingsId, portsCall, { failed: failed(effect), seen: { at, took: true } })];
      return applyText(result({ ...settingsId, outcome: 'failed', made, notMade: [], problems: [] }), plain);
    });
    expect(texts.map((text) => text.includes('answer lost, read back'))).toEqual([false, true]);
  });

  it('says that nothing had to be done', () => {
    expect(applyText(result({ ...allocationId, outcome: 'nothing', made: [], notMade: [], problems: [] }), plain)).toBe(
      'Apply: nothing had to be done.\n',
    );
  });

  it('says that nothing could be tried', () => {
    const problem = { code: 'no-spare', found: 'pricing holds 2 IPs more than declared' };
    const failed = result({ ...allocationId, outcome: 'failed', made: [], notMade: [], problems: [problem] });
    expect(applyText(failed, { ...plain, command: 'destroy' })).toMatchInlineSnapshot(`
      "zoneIpAllocations.static  failed

      pricing holds 2 IPs more than declared
        docs: node_modules/pulumi-webdata/docs/errors.md#no-spare

      Destroy failed: no calls made; 1 problem, see above.
      "
    `);
  });

  it('takes many calls of one pair together', () => {
    const calls = addresses(500).map((ip) => migrate('pricing', 'checkout', [ip]));
    const made = calls
      .slice(0, 300)
      .map((call) => journaled(allocationId, call, { answered: { at, count: 1 }, seen: seen(call) }));
    const problem = { code: 'aborted', found: 'interrupted' };
    const text = applyText(
      result({ ...allocationId, outcome: 'failed', made, notMade: calls.slice(300), problems: [problem] }),
      plain,
    );
    expect(text).toMatchInlineSnapshot(`
      "zoneIpAllocations.static  failed
        300 IPs in 300 calls  from pricing  to checkout  done   198.18.0.0 us, 198.18.0.1 us,
                                                         198.18.0.2 us, 198.18.0.3 us, 198.18.0.4 us,
                                                         198.18.0.5 us, … and 294 more
        200 IPs in 200 calls  from pricing  to checkout  not sent   198.18.1.44 us, 198.18.1.45 us,
                                                         198.18.1.46 us, 198.18.1.47 us, 198.18.1.48 us,
                                                         198.18.1.49 us, … and 194 more

      interrupted
        docs: node_modules/pulumi-webdata/docs/errors.md#aborted

      Apply failed: 300 of 500 calls made, 200 not sent; 300 IPs moved in 300 calls; 1 problem, see above.
      "
    `);
  });
});
