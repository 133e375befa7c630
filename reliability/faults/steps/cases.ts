/**
 * The table of faults: the route, the requests, the fault, and the expected end of the apply. The declaration requires five steps: A, B and
 * C are migrations (A and B of one allocation, C of another), S the manager's settings, P its ports.
 */
import type { AccountName } from '../../../test/cli/harness.ts';
import {
  became,
  type Fault,
  type FaultName,
  fixes,
  isUnknown,
  noRequest,
  requests,
  stepFaults,
  text,
} from './kinds.ts';

export const migrations = {
  A: { from: 'pricing', to: 'checkout', ips: ['192.0.2.10', '192.0.2.11'] },
  B: { from: 'old-pricing', to: 'archive', ips: ['198.51.100.20', '198.51.100.21'] },
  C: { from: 'parked', to: 'pricing', ips: ['203.0.113.40', '203.0.113.41'] },
} as const;

export const declaration = `
zoneIpAllocations:
  static:
    zones:
      checkout: { ips: [192.0.2.10, 192.0.2.11] }
      archive: { ips: [198.51.100.20, 198.51.100.21] }
    sources: [old-pricing]
    spare: parked
  filled:
    zones:
      pricing: { count: { de: 5 } }
    spare: parked
managerSettings:
  local: { zone: checkout, logs: 500, absentPorts: [24010] }
`;

/** A fault on some of the requests to a route. */
interface Hit {
  route: string;
  which: Which;
  fault: Fault;
}

/** A selection of the requests to a route: the first, all, all after the first write, or the n-th write. */
export type Which = 'first' | 'all' | 'read-back' | 'write 1' | 'write 2' | 'write 3';

export interface FaultCase {
  account: AccountName;
  name: string;
  faults: readonly Hit[];
  /** Exit code 0 and everything done, or exit code 1 and only these steps done; a lowercase letter for a step that was partly done. */
  end: 'absorbed' | { took: string };
  /** The ends of lines that report the failure. */
  says: readonly RegExp[];
  /** True if the outcome of a step is unknown before the next run. */
  isUncertain: boolean;
  /** True if the service claims a move that it did not make: the next run does not send it again by itself. */
  unseen?: boolean;
}

const absorbed = 'absorbed';
type End = string;

type Table = Partial<Record<FaultName, readonly End[]>>;

interface RouteCases {
  route: string;
  accounts: readonly AccountName[];
  columns: readonly Which[];
  table: Table;
  /** The reported lines, if they do not consist of the request and its outcome. */
  says?: Partial<Record<FaultName, string>>;
}

const both = ['plain', 'odd'] as const;

const routes: readonly RouteCases[] = [
  {
    route: 'zone/ips',
    accounts: both,
    columns: ['first', 'all', 'read-back'],
    // No migration follows a refusal of the key. An unknown zone makes the whole declaration invalid. A listing that one allocation cannot
    // read is read again after the other allocation.
    table: {
      '401': ['SP', 'SP', 'ABSP'],
      '403': ['SP', 'SP', 'ABSP'],
      '404': [absorbed, '', 'ABSP'],
      '429': [absorbed, 'SP', 'ABSP'],
      '500 before': [absorbed, 'SP', 'ABSP'],
      '503 before': [absorbed, 'SP', 'ABSP'],
      'delay beyond the timeout': [absorbed, 'SP', 'ABSP'],
      'drop before': [absorbed, 'SP', 'ABSP'],
      'drop after': [absorbed, 'SP', 'ABSP'],
      truncated: [absorbed, 'SP', 'ABSP'],
      malformed: [absorbed, 'SP', 'ABSP'],
      'HTML before': [absorbed, 'SP', 'ABSP'],
    },
    says: {
      '404': `(no declared zone exists at \\S+|zone \`\\S+\` does not exist) \\(the service said: ${text}\\)|was answered 404: ${text}`,
    },
  },
  {
    route: 'zone/ips/migrate',
    accounts: both,
    columns: ['write 1', 'write 2', 'write 3', 'all'],
    table: {
      '401': ['SP', 'ASP', 'ABSP', 'SP'],
      '403': ['SP', 'ASP', 'ABSP', 'SP'],
      '404': ['CSP', 'ACSP', 'ABSP', 'SP'],
      '429': [absorbed, absorbed, absorbed, 'SP'],
      '500 before': ['BCSP', 'ACSP', 'ABSP', 'SP'],
      '500 after': [absorbed, absorbed, absorbed, absorbed],
      '503 before': ['BCSP', 'ACSP', 'ABSP', 'SP'],
      '503 after': [absorbed, absorbed, absorbed, absorbed],
      'delay beyond the timeout': [absorbed, absorbed, absorbed, absorbed],
      'delay beyond all patience': ['ABCSP', 'ABCSP', 'ABCSP', 'ABCSP'],
      'drop before': ['BCSP', 'ACSP', 'ABSP', 'SP'],
      'drop after': [absorbed, absorbed, absorbed, absorbed],
      truncated: [absorbed, absorbed, absorbed, absorbed],
      malformed: [absorbed, absorbed, absorbed, absorbed],
      'HTML before': ['BCSP', 'ACSP', 'ABSP', 'SP'],
      'HTML after': [absorbed, absorbed, absorbed, absorbed],
      'short move': ['aCSP', 'AbCSP', 'ABcSP', 'acSP'],
      'short report': [absorbed, absorbed, absorbed, absorbed],
      lag: [absorbed, absorbed, absorbed, absorbed],
      'lag beyond all patience': ['ABCSP', 'ABCSP', 'ABCSP', 'ABCSP'],
    },
  },
  {
    route: 'settings/get',
    accounts: ['plain'],
    columns: ['first', 'all', 'read-back'],
    // If this call does not return settings, the tool reads them by a PUT of {}.
    table: {
      '401': ['ABC', 'ABC', 'ABCS'],
      '403': ['ABC', 'ABC', 'ABCS'],
      '404': [absorbed, absorbed, absorbed],
      '429': [absorbed, 'ABC', 'ABCS'],
      '500 before': [absorbed, 'ABC', 'ABCS'],
      '503 before': [absorbed, 'ABC', 'ABCS'],
      // A manager that hangs is asked a second time.
      'delay beyond the timeout': [absorbed, 'ABC', 'ABCS'],
      'drop before': [absorbed, 'ABC', 'ABCS'],
      'drop after': [absorbed, 'ABC', 'ABCS'],
      truncated: [absorbed, 'ABC', 'ABCS'],
      malformed: [absorbed, 'ABC', 'ABCS'],
      'HTML before': [absorbed, absorbed, absorbed],
    },
  },
  {
    route: 'settings/get',
    accounts: ['odd'],
    columns: ['first', 'all'],
    // The manager refuses this call anyway, and the status of the refusal is enough.
    table: {
      '401': ['ABC', 'ABC'],
      '403': ['ABC', 'ABC'],
      '404': [absorbed, absorbed],
      '429': [absorbed, 'ABC'],
      '500 before': [absorbed, 'ABC'],
      'delay beyond the timeout': [absorbed, 'ABC'],
      'drop before': [absorbed, 'ABC'],
      'drop after': [absorbed, 'ABC'],
      truncated: [absorbed, absorbed],
      malformed: [absorbed, absorbed],
      'HTML before': [absorbed, absorbed],
    },
  },
  {
    route: 'settings/put',
    accounts: ['odd'],
    columns: ['first', 'all', 'read-back'],
    // These are reads: PUT of {}.
    table: {
      '401': ['ABC', 'ABC', 'ABCS'],
      '403': ['ABC', 'ABC', 'ABCS'],
      '404': ['ABC', 'ABC', 'ABCS'],
      '429': [absorbed, 'ABC', 'ABCS'],
      '500 before': [absorbed, 'ABC', 'ABCS'],
      '503 before': [absorbed, 'ABC', 'ABCS'],
      'delay beyond the timeout': [absorbed, 'ABC', 'ABCS'],
      'drop before': [absorbed, 'ABC', 'ABCS'],
      'drop after': [absorbed, 'ABC', 'ABCS'],
      truncated: [absorbed, 'ABC', 'ABCS'],
      malformed: [absorbed, 'ABC', 'ABCS'],
      'HTML before': ['ABC', 'ABC', 'ABCS'],
    },
  },
  {
    route: 'settings/put',
    accounts: both,
    columns: ['write 1'],
    table: {
      '401': ['ABC'],
      '403': ['ABC'],
      '404': ['ABC'],
      '429': [absorbed],
      '500 before': ['ABC'],
      '500 after': [absorbed],
      '503 before': ['ABC'],
      '503 after': [absorbed],
      // The read-back runs before the delayed effect.
      'delay beyond the timeout': ['ABCS'],
      'drop before': ['ABC'],
      'drop after': [absorbed],
      truncated: [absorbed],
      malformed: [absorbed],
      'HTML before': ['ABC'],
      'HTML after': [absorbed],
    },
  },
  {
    route: 'proxies/delete',
    accounts: both,
    columns: ['write 1'],
    table: {
      '401': ['ABCS'],
      '403': ['ABCS'],
      '404': ['ABCS'],
      '429': [absorbed],
      '500 before': ['ABCS'],
      '500 after': [absorbed],
      '503 before': ['ABCS'],
      '503 after': [absorbed],
      'delay beyond the timeout': ['ABCSP'],
      'drop before': ['ABCS'],
      'drop after': [absorbed],
      truncated: [absorbed],
      malformed: [absorbed],
      'HTML before': ['ABCS'],
      'HTML after': [absorbed],
    },
    says: {
      '404': `port 24010 is still there after its deletion \\(the manager said: ${text}\\)`,
      'HTML before': 'port 24010 is still there after its deletion',
    },
  },
  ...(['plain', 'odd'] as const).map((account) => ({
    route: { plain: 'recent_stats', odd: 'ports' }[account],
    accounts: [account],
    columns: ['first', 'all', 'read-back'] as const,
    table: {
      // If recent stats cannot be read, ports are not observable. A route that the profile names must answer.
      '401': { plain: [absorbed, absorbed, absorbed], odd: ['ABC', 'ABC', 'ABCSP'] }[account],
      '403': { plain: [absorbed, absorbed, absorbed], odd: ['ABC', 'ABC', 'ABCSP'] }[account],
      '404': { plain: [absorbed, absorbed, absorbed], odd: ['ABC', 'ABC', 'ABCSP'] }[account],
      '429': [absorbed, 'ABC', 'ABCSP'],
      '500 before': [absorbed, 'ABC', 'ABCSP'],
      '503 before': [absorbed, 'ABC', 'ABCSP'],
      'delay beyond the timeout': [absorbed, 'ABC', 'ABCSP'],
      'drop before': [absorbed, 'ABC', 'ABCSP'],
      'drop after': [absorbed, 'ABC', 'ABCSP'],
      truncated: [absorbed, 'ABC', 'ABCSP'],
      malformed: [absorbed, 'ABC', 'ABCSP'],
      'HTML before': { plain: [absorbed, absorbed, absorbed], odd: ['ABC', 'ABC', 'ABCSP'] }[account],
    },
  })),
];

/** Cases with two faults at once. */
const pairs: readonly Omit<FaultCase, 'account'>[] = [
  {
    name: 'the service counts more than it moved',
    faults: [
      { route: 'zone/ips/migrate', which: 'write 1', fault: stepFaults['short move'] },
      { route: 'zone/ips/migrate', which: 'write 1', fault: { kind: 'short-report', count: 2 } },
    ],
    end: { took: 'aBCSP' },
    says: [/the service says that it moved 2; not visible in checkout yet: 192\.0\.2\.11$/m],
    isUncertain: true,
    unseen: true,
  },
  {
    name: 'the key expires between two migrations',
    faults: [
      { route: 'zone/ips/migrate', which: 'write 2', fault: stepFaults['401'] },
      { route: 'zone/ips', which: 'read-back', fault: stepFaults['401'] },
    ],
    end: { took: 'ASP' },
    says: [new RegExp(`${requests['zone/ips/migrate']} ${became['401']}$`, 'm')],
    isUncertain: false,
  },
  {
    name: 'a migration fails, and so does its read-back',
    faults: [
      { route: 'zone/ips/migrate', which: 'write 1', fault: stepFaults['500 before'] },
      { route: 'zone/ips', which: 'read-back', fault: stepFaults['503 before'] },
    ],
    end: { took: 'BSP' },
    says: [
      new RegExp(`${requests['zone/ips/migrate']} ${became['500 before']}$`, 'm'),
      /unknown whether the request took effect/,
    ],
    isUncertain: true,
  },
  {
    name: 'settings are lost, and their read-back fails',
    faults: [
      { route: 'settings/put', which: 'write 1', fault: stepFaults['drop after'] },
      { route: 'settings/get', which: 'read-back', fault: stepFaults['500 before'] },
      { route: 'settings/put', which: 'read-back', fault: stepFaults['500 before'] },
    ],
    end: { took: 'ABCS' },
    says: [
      new RegExp(`${requests['settings/put']} ${became['drop after']}$`, 'm'),
      /unknown whether the request took effect/,
    ],
    isUncertain: true,
  },
];

export function faultCases(account: AccountName): FaultCase[] {
  const single = routes.filter(({ accounts }) => accounts.includes(account)).flatMap((its) => casesOf(account, its));
  return [...single, ...pairs.map((pair) => ({ ...pair, account }))];
}

/** The accounts differ in one column of what they share as they would in the others. */
function casesOf(account: AccountName, { route, accounts, columns, table, says }: RouteCases): FaultCase[] {
  const rows = Object.entries(table) as [FaultName, readonly End[]][];
  return rows.flatMap(([name, ends]) =>
    ends.flatMap((end, column): FaultCase[] => {
      const which = columns[column];
      if (which === undefined || (column > 0 && accounts === both && account === 'odd')) return [];
      const line = says?.[name] ?? `${name in noRequest ? '' : `${requests[route]} `}${became[name]}`;
      return [
        {
          account,
          name: `${route}, ${which}: ${name}`,
          faults: [{ route, which, fault: stepFaults[name] }],
          end: end === absorbed ? absorbed : { took: end },
          says: [new RegExp(`(${line})$`, 'm'), ...fixes(name, route)],
          isUncertain: isUnknown(name, route),
          // A page with status 200 accepts a move, and may not have made it.
          unseen: name === 'HTML before' && route === 'zone/ips/migrate',
        },
      ];
    }),
  );
}
