import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addresses, allocationId, manager, migrate, portsCall, resource, samplePlan, settingsId } from './samples.ts';
import { planText } from './texts.ts';

const plain = { color: false, mode: 'plan' as const };
const of = (...resources: ReturnType<typeof resource>[]) => ({ resources });

describe('the text of a plan', () => {
  it('breaks lists of IPs under their first one', () => {
    const plan = of(
      resource(allocationId, [
        migrate('pricing', 'checkout', addresses(7)),
        migrate('checkout', 'parked', addresses(40, 7), 'released'),
      ]),
    );
    expect(planText(plan, { ...plain, width: 80 })).toMatchInlineSnapshot(`
      "Account at https://api.example.com

      zoneIpAllocations.static
        1.  7 IPs   from pricing   to checkout  198.18.0.0 us, 198.18.0.1 us,
                                                198.18.0.2 us, 198.18.0.3 us,
                                                198.18.0.4 us, 198.18.0.5 us,
                                                198.18.0.6 us
        2.  40 IPs  from checkout  to parked    198.18.0.7 us, 198.18.0.8 us,
                                                198.18.0.9 us, 198.18.0.10 us,
                                                198.18.0.11 us, 198.18.0.12 us,
                                                … and 34 more   (released)

      Plan: 47 IPs move in 2 calls (may incur charges).
      "
    `);
  });

  it('stays readable at 60 columns with long names', () => {
    const from = 'residential-static-prices-europe';
    const plan = of(
      resource(
        allocationId,
        [migrate(from, 'checkout', addresses(4)), migrate('pricing', 'archive', addresses(2, 4))],
        samplePlan.resources[0]?.notes,
      ),
    );
    expect(planText(plan, { ...plain, width: 60 })).toMatchInlineSnapshot(`
      "Account at https://api.example.com

      zoneIpAllocations.static
        1.  4 IPs  from residential-static-prices-europe  to checkout
            198.18.0.0 us, 198.18.0.1 us, 198.18.0.2 us,
            198.18.0.3 us
        2.  2 IPs  from pricing  to archive
            198.18.0.4 us, 198.18.0.5 us

        note: pricing: 1 unmanaged IP is left there: 198.51.100.9
        note: 198.51.100.7 in pricing: geolocation databases
              disagree (us, us, ca, us)

      Plan: 6 IPs move in 2 calls (may incur charges) · 1
      unmanaged IP left.
      "
    `);
  });

  it('keeps to the width, but for headings and the last line', () => {
    const plan = of(
      resource(
        allocationId,
        [migrate('pricing', 'checkout', addresses(30)), migrate('checkout', 'parked', addresses(9, 30), 'surplus')],
        samplePlan.resources[0]?.notes,
      ),
    );
    fc.assert(
      fc.property(fc.integer({ min: 60, max: 200 }), fc.boolean(), (width, full) => {
        const lines = planText(plan, { ...plain, width, full })
          .split('\n')
          .slice(1, -3);
        expect(lines.filter((line) => line.length > width)).toEqual([]);
      }),
    );
  });

  it('says of a move for several reasons how many IPs are a surplus', () => {
    const [call, other] = [
      migrate('checkout', 'parked', addresses(2)),
      migrate('checkout', 'parked', ['192.0.2.1'], 'surplus'),
    ];
    const plan = of(resource(allocationId, [{ ...call, moves: [...call.moves, ...other.moves] }]));
    expect(planText(plan, plain)).toContain('192.0.2.1 us   (1 surplus)\n');
  });

  it('takes the calls that a batch limit makes of one pair together, and with `full` shows each with every IP', () => {
    const calls = [0, 1, 2].map((batch) =>
      migrate('pricing', 'checkout', addresses(30).slice(batch * 10, batch * 10 + 10)),
    );
    const plan = of(resource(allocationId, calls));
    expect(planText(plan, plain)).toMatchInlineSnapshot(`
      "zoneIpAllocations.static
        1–3.  30 IPs in 3 calls  from pricing  to checkout  198.18.0.0 us,
                                                            198.18.0.1 us,
                                                            198.18.0.2 us,
                                                            198.18.0.3 us,
                                                            198.18.0.4 us,
                                                            198.18.0.5 us,
                                                            … and 24 more

      Plan: 30 IPs move in 3 calls (may incur charges).
      "
    `);
    const full = planText(plan, { ...plain, full: true });
    expect(full.match(/from pricing {2}to checkout/g)).toHaveLength(3);
    for (const ip of addresses(30)) expect(full).toContain(`${ip} us`);
  });

  it('shows three of many notes that say the same', () => {
    const notes = addresses(300).map((ip) => ({
      code: 'geolocation-disagrees' as const,
      text: `${ip} in pricing: geolocation databases disagree (us, ca)`,
    }));
    expect(planText(of(resource(allocationId, [], notes)), plain)).toMatchInlineSnapshot(`
      "zoneIpAllocations.static
        note: 198.18.0.0 in pricing: geolocation databases disagree (us, ca)
        note: 198.18.0.1 in pricing: geolocation databases disagree (us, ca)
        note: 198.18.0.2 in pricing: geolocation databases disagree (us, ca)
        note: … and 297 more of this kind (geolocation-disagrees)

      No changes. Live state is as declared.
      "
    `);
    expect(planText(of(resource(allocationId, [], notes)), { ...plain, full: true }).split('\n')).toHaveLength(304);
  });

  it('shows settings that appear, vanish, or could be misread', () => {
    const call = {
      type: 'updateSettings' as const,
      manager,
      before: { zone: '', wwwWhitelistIps: ['10.0.0.5', 'office.example.com'], requestStats: false },
      settings: { zone: 'my zone', wwwWhitelistIps: [], requestStats: true, logs: 0 },
    };
    expect(planText(of(resource(settingsId, [call])), plain)).toMatchInlineSnapshot(`
      "managerSettings.local  http://127.0.0.1:22999
        1.  ~ zone             "" → "my zone"
            - wwwWhitelistIps  10.0.0.5
            - wwwWhitelistIps  office.example.com
            ~ requestStats     false → true
            + logs             0

      Plan: 5 settings change.
      "
    `);
  });

  it('escapes what would steer a terminal or hide text', () => {
    const plan = of(
      resource(
        { ...allocationId, name: 'a\u001b[2J' },
        [migrate('\u001b[31mx\ny', '\u202ez', ['192.0.2.1'])],
        [{ code: 'empty-zone', text: 'a\u009bb\u{e0001}' }],
      ),
    );
    expect(planText(plan, plain)).toMatchInlineSnapshot(`
      "zoneIpAllocations["a\\\\u{1b}[2J"]
        1.  1 IP  from \\u{1b}[31mx\\ny  to \\u{202e}z  192.0.2.1 us
        note: a\\u{9b}b\\u{e0001}

      Plan: 1 IP moves in 1 call (may incur charges).
      "
    `);
  });

  it('colours signs, arrows and headings', () => {
    const text = planText(of(resource(settingsId, [portsCall])), { ...plain, color: true });
    expect(text).toContain('\u001b[1mmanagerSettings.local\u001b[22m');
    expect(text).toContain('\u001b[31m-\u001b[39m port');
  });
});
