/**
 * The table of faults: which route, which of its requests, which fault, and what must have become of the apply. The declaration
 * asks for five steps: A, B and C are migrations (A and B of one allocation, C of another), S the manager's settings, P its ports.
 */
import type { FaultInput } from '../../src/emulator/index.ts';
import type { AccountName } from '../cli/harness.ts';

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

type Fault = FaultInput['fault'];

/** Of the requests to a route: the first, all of them, all after the first write, or the n-th write. */
export type Which = 'first' | 'all' | 'read-back' | 'write 1' | 'write 2' | 'write 3';

export interface FaultCase {
  account: AccountName;
  route: string;
  which: Which;
  name: string;
  faults: readonly Fault[];
  /** Exit 0 and everything done, or exit 1 and only these steps done; a small letter for a step that was done in part. */
  end: 'absorbed' | { took: string };
  /** What the output says where it failed: ends of lines. */
  says: readonly RegExp[];
  /** What became of a step can't be told before the next run. */
  untold: boolean;
}

const absorbed = 'absorbed';
type End = string;

const text = 'no, says the service';

const faults = {
  '401': { kind: 'status', status: 401, body: text },
  '403': { kind: 'status', status: 403, body: { error: { message: text } } },
  '404': { kind: 'status', status: 404, body: text },
  '429': { kind: 'status', status: 429, body: text, retryAfter: 1 },
  '500 before': { kind: 'status', status: 500, body: text },
  '500 after': { kind: 'status', status: 500, body: text, when: 'after' },
  '503 before': { kind: 'status', status: 503, body: { message: text } },
  '503 after': { kind: 'status', status: 503, body: text, when: 'after' },
  'delay beyond the time-out': { kind: 'delay', ms: 2_500 },
  'delay beyond all patience': { kind: 'delay', ms: 7_000 },
  'drop before': { kind: 'drop-before' },
  'drop after': { kind: 'drop-after' },
  truncated: { kind: 'truncated' },
  malformed: { kind: 'malformed' },
  'HTML before': { kind: 'html' },
  'HTML after': { kind: 'html', when: 'after' },
  'short move': { kind: 'short-move', moves: 1 },
  'short report': { kind: 'short-report', count: 1 },
  lag: { kind: 'lag', lag: { listings: 3 } },
  'lag beyond all patience': { kind: 'lag', lag: { ms: 5_000 } },
} satisfies Record<string, Fault>;

type FaultName = keyof typeof faults;

/** What became of the request, at the end of a line. */
const became: Record<FaultName, string> = {
  '401': `was answered 401: ${text}`,
  '403': `was answered 403: ${text}`,
  '404': `was answered 404: ${text}`,
  '429': `was answered 429: ${text}`,
  '500 before': `was answered 500: ${text}`,
  '500 after': `was answered 500: ${text}`,
  '503 before': `was answered 503: ${text}`,
  '503 after': `was answered 503: ${text}`,
  'delay beyond the time-out': 'had no answer in time',
  'delay beyond all patience': 'had no answer in time',
  'drop before': 'lost its connection before an answer \\(.*\\)',
  'drop after': 'lost its connection before an answer \\(.*\\)',
  truncated: 'was answered \\d+, but the answer broke off after \\d+ bytes',
  malformed: 'was answered \\d+ with malformed JSON',
  'HTML before': 'was answered 200 with an HTML page instead of JSON: Sign in',
  'HTML after': 'was answered 200 with an HTML page instead of JSON: Sign in',
  'short move': 'the service moved 1; \\S+ stayed in \\S+',
  'short report': '',
  lag: '',
  'lag beyond all patience': 'accepted, but \\S+, \\S+ do not list in \\S+ yet',
};

const requests: Record<string, string> = {
  'zone/ips': 'GET http://\\S+/zone/ips\\?zone=\\S+',
  'zone/ips/migrate': 'POST http://\\S+/zone/ips/migrate',
  'settings/get': 'GET http://\\S+/api/settings',
  'settings/put': 'PUT http://\\S+/api/settings',
  'proxies/delete': 'POST http://\\S+/api/proxies/delete',
  recent_stats: 'GET http://\\S+/api/recent_stats',
  ports: 'GET http://\\S+/api/proxies_running',
};

type Table = Partial<Record<FaultName, readonly End[]>>;

interface RouteCases {
  route: string;
  accounts: readonly AccountName[];
  columns: readonly Which[];
  table: Table;
  /** Where the line is not the request and what became of it. */
  says?: Partial<Record<FaultName, string>>;
}

const both = ['plain', 'odd'] as const;

const routes: readonly RouteCases[] = [
  {
    route: 'zone/ips',
    accounts: both,
    columns: ['first', 'all', 'read-back'],
    // No refusal of the key is followed by a migration; a zone that is not known refuses the declaration as a whole.
    table: {
      '401': ['SP', 'SP', 'ABSP'],
      '403': ['SP', 'SP', 'ABSP'],
      '404': ['', '', 'ABSP'],
      '429': [absorbed, 'SP', 'ABSP'],
      '500 before': [absorbed, 'SP', 'ABSP'],
      '503 before': [absorbed, 'SP', 'ABSP'],
      'delay beyond the time-out': [absorbed, 'SP', 'ABSP'],
      'drop before': [absorbed, 'SP', 'ABSP'],
      'drop after': [absorbed, 'SP', 'ABSP'],
      truncated: [absorbed, 'SP', 'ABSP'],
      malformed: [absorbed, 'SP', 'ABSP'],
      'HTML before': ['CSP', 'SP', 'ABSP'],
    },
    says: { '404': 'a zone that the service does not know|was answered 404.*' },
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
      '500 before': ['CSP', 'ACSP', 'ABSP', 'SP'],
      '500 after': [absorbed, absorbed, absorbed, absorbed],
      '503 before': ['CSP', 'ACSP', 'ABSP', 'SP'],
      '503 after': [absorbed, absorbed, absorbed, absorbed],
      'delay beyond the time-out': [absorbed, absorbed, absorbed, absorbed],
      'delay beyond all patience': ['ACSP', 'ABCSP', 'ABCSP', 'ACSP'],
      'drop before': ['CSP', 'ACSP', 'ABSP', 'SP'],
      'drop after': [absorbed, absorbed, absorbed, absorbed],
      truncated: [absorbed, absorbed, absorbed, absorbed],
      malformed: [absorbed, absorbed, absorbed, absorbed],
      'HTML before': ['CSP', 'ACSP', 'ABSP', 'SP'],
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
    // A manager without this call is read by a PUT of {}.
    table: {
      '401': ['ABC', 'ABC', 'ABCS'],
      '403': ['ABC', 'ABC', 'ABCS'],
      '404': [absorbed, absorbed, absorbed],
      '429': [absorbed, 'ABC', 'ABCS'],
      '500 before': [absorbed, 'ABC', 'ABCS'],
      '503 before': [absorbed, 'ABC', 'ABCS'],
      'delay beyond the time-out': [absorbed, 'ABC', 'ABCS'],
      'drop before': [absorbed, 'ABC', 'ABCS'],
      'drop after': [absorbed, 'ABC', 'ABCS'],
      truncated: [absorbed, 'ABC', 'ABCS'],
      malformed: [absorbed, 'ABC', 'ABCS'],
      'HTML before': ['ABC', 'ABC', 'ABCS'],
    },
  },
  {
    route: 'settings/get',
    accounts: ['odd'],
    columns: ['first', 'all'],
    // It is refused here in any case; the status of the refusal says enough, whatever becomes of its text.
    table: {
      '401': ['ABC', 'ABC'],
      '403': ['ABC', 'ABC'],
      '404': [absorbed, absorbed],
      '429': [absorbed, 'ABC'],
      '500 before': [absorbed, 'ABC'],
      'delay beyond the time-out': [absorbed, 'ABC'],
      'drop before': [absorbed, 'ABC'],
      'drop after': [absorbed, 'ABC'],
      truncated: [absorbed, absorbed],
      malformed: [absorbed, absorbed],
      'HTML before': ['ABC', 'ABC'],
    },
  },
  {
    route: 'settings/put',
    accounts: ['odd'],
    columns: ['first', 'all', 'read-back'],
    // These are reads: a PUT of {}.
    table: {
      '401': ['ABC', 'ABC', 'ABCS'],
      '403': ['ABC', 'ABC', 'ABCS'],
      '404': ['ABC', 'ABC', 'ABCS'],
      '429': [absorbed, 'ABC', 'ABCS'],
      '500 before': [absorbed, 'ABC', 'ABCS'],
      '503 before': [absorbed, 'ABC', 'ABCS'],
      'delay beyond the time-out': [absorbed, 'ABC', 'ABCS'],
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
      // The manager is read back at once: it does it later.
      'delay beyond the time-out': ['ABCS'],
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
      'delay beyond the time-out': ['ABCSP'],
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
      '401': ['ABC', 'ABC', 'ABCSP'],
      '403': ['ABC', 'ABC', 'ABCSP'],
      // Recent stats may be missing: then ports can't be observed. A route that the profile names may not.
      '404': { plain: [absorbed, absorbed, absorbed], odd: ['ABC', 'ABC', 'ABCSP'] }[account],
      '429': [absorbed, 'ABC', 'ABCSP'],
      '500 before': [absorbed, 'ABC', 'ABCSP'],
      '503 before': [absorbed, 'ABC', 'ABCSP'],
      'delay beyond the time-out': [absorbed, 'ABC', 'ABCSP'],
      'drop before': [absorbed, 'ABC', 'ABCSP'],
      'drop after': [absorbed, 'ABC', 'ABCSP'],
      truncated: [absorbed, 'ABC', 'ABCSP'],
      malformed: [absorbed, 'ABC', 'ABCSP'],
      'HTML before': ['ABC', 'ABC', 'ABCSP'],
    },
  })),
];

export function faultCases(account: AccountName): FaultCase[] {
  return routes.filter(({ accounts }) => accounts.includes(account)).flatMap((its) => casesOf(account, its));
}

function casesOf(account: AccountName, { route, columns, table, says }: RouteCases): FaultCase[] {
  const rows = Object.entries(table) as [FaultName, readonly End[]][];
  return rows.flatMap(([name, ends]) =>
    ends.flatMap((end, column): FaultCase[] => {
      const which = columns[column];
      if (which === undefined) return [];
      const line = says?.[name] ?? `${name in noRequest ? '' : `${requests[route]} `}${became[name]}`;
      return [
        {
          account,
          route,
          which,
          name,
          faults: [faults[name]],
          end: end === absorbed ? absorbed : { took: end },
          says: [new RegExp(`(${line})$`, 'm'), ...fixes(name, route)],
          untold: isUntold(name, route),
        },
      ];
    }),
  );
}

/** Said of what was asked for, not of the request. */
const noRequest: Partial<Record<FaultName, true>> = { 'short move': true, 'lag beyond all patience': true };

/** Who the refusal of a key, a role or an address asks to do what. */
function fixes(name: FaultName, route: string): RegExp[] {
  const isApi = route.startsWith('zone/');
  if (name === '401') return [isApi ? /fix: Use a valid API key/ : /fix: Set the manager's token/];
  if (name === '403') return [isApi ? /fix: .*Admin or Ops/ : /fix: The manager lets in only the addresses/];
  if (name === '429') return [/It asks to wait 1 s\./];
  return [];
}

/** No answer came to a write: it may still be carried out, or it may not. */
function isUntold(name: FaultName, route: string): boolean {
  if (!['zone/ips/migrate', 'settings/put', 'proxies/delete'].includes(route)) return false;
  return ['drop before', 'delay beyond all patience', 'delay beyond the time-out'].includes(name);
}
