/** The random accounts of the campaign, what is declared for them, and the call that fails. */
import fc from 'fast-check';
import { countries, drawnDeclaration, zoneNames } from '../model/declaration.ts';

/** The live settings and ports of a manager, and the declared ones. */
const drawnManager = fc.record({
  live: fc.record({ logs: fc.constantFrom(0, 500, 1000), whitelist: fc.subarray(['10.0.0.1', '10.0.0.2']) }),
  ports: fc.subarray([24000, 24001, 24010]),
  declared: fc.option(
    fc.record({
      logs: fc.constantFrom(undefined, 500, 1000),
      whitelistIps: fc.option(fc.subarray(['10.0.0.1', '10.0.0.2', '10.0.0.3']), { nil: undefined }),
      absentPorts: fc.subarray([24000, 24010], { minLength: 1 }),
    }),
    { nil: undefined },
  ),
  hidesPorts: fc.nat(4).map((n) => n === 0),
});

export const drawnCase = fc.record({
  ips: fc.array(fc.tuple(fc.constantFrom(...zoneNames), fc.constantFrom(...countries, '')), {
    minLength: 4,
    maxLength: 14,
  }),
  declaration: drawnDeclaration,
  manager: drawnManager,
  dialect: fc.constantFrom({}, { migrate: 'all-or-nothing' as const, countryCase: 'upper' as const }),
  failure: fc.option(fc.record({ at: fc.nat(20), how: fc.constantFrom('refused' as const, 'lost-answer' as const) }), {
    nil: undefined,
    freq: 2,
  }),
});

export type DrawnCase = typeof drawnCase extends fc.Arbitrary<infer T> ? T : never;
