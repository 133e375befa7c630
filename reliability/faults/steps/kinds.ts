/** The kinds of faults, and the message of an apply for each. */
import type { FaultInput } from '../../../src/emulator/index.ts';

export type Fault = FaultInput['fault'];

/** The text that the service sends with a status. */
export const text = 'no, says the service';

export const stepFaults = {
  '401': { kind: 'status', status: 401, body: text },
  '403': { kind: 'status', status: 403, body: { error: { message: text } } },
  '404': { kind: 'status', status: 404, body: text },
  '429': { kind: 'status', status: 429, body: text, retryAfter: 1 },
  '500 before': { kind: 'status', status: 500, body: text },
  '500 after': { kind: 'status', status: 500, body: text, when: 'after' },
  '503 before': { kind: 'status', status: 503, body: { message: text } },
  '503 after': { kind: 'status', status: 503, body: text, when: 'after' },
  'delay beyond the timeout': { kind: 'delay', ms: 3_500 },
  'delay beyond all patience': { kind: 'delay', ms: 8_000 },
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

export type FaultName = keyof typeof stepFaults;

/** The outcome of the request, at the end of a line. */
export const became: Record<FaultName, string> = {
  '401': `was answered 401: ${text}`,
  '403': `was answered 403: ${text}`,
  '404': `was answered 404: ${text}`,
  '429': `was answered 429: ${text}`,
  '500 before': `was answered 500: ${text}`,
  '500 after': `was answered 500: ${text}`,
  '503 before': `was answered 503: ${text}`,
  '503 after': `was answered 503: ${text}`,
  'delay beyond the timeout': 'was not answered in time',
  'delay beyond all patience': 'was not answered in time',
  'drop before': 'lost its connection before an answer \\(.*\\)',
  'drop after': 'lost its connection before an answer \\(.*\\)',
  truncated: 'was answered \\d+, but the answer broke off after \\d+ bytes',
  malformed: 'was answered \\d+ with malformed JSON',
  'HTML before': 'was answered 200 with an HTML page instead of JSON: Sign in',
  'HTML after': 'was answered 200 with an HTML page instead of JSON: Sign in',
  'short move': 'the service says that it moved 1; \\S+ stayed in \\S+',
  'short report': '',
  lag: '',
  'lag beyond all patience': 'the service says that it moved 2; not visible in \\S+ yet: \\S+, \\S+',
};

/** The beginning of the error message, by route. */
export const requests: Record<string, string> = {
  'zone/ips': 'GET http://\\S+/zone/ips\\?zone=\\S+',
  'zone/ips/migrate': 'POST http://\\S+/zone/ips/migrate',
  'settings/get': 'GET http://\\S+/api/settings',
  'settings/put': 'PUT http://\\S+/api/settings',
  'proxies/delete': 'POST http://\\S+/api/proxies/delete',
  recent_stats: 'GET http://\\S+/api/recent_stats',
  ports: 'GET http://\\S+/api/proxies_running',
};

/** Faults whose message names the moves instead of the request. */
export const noRequest: Partial<Record<FaultName, true>> = { 'short move': true, 'lag beyond all patience': true };

/** Returns the fixes that the message must contain. */
export function fixes(name: FaultName, route: string): RegExp[] {
  const isApi = route.startsWith('zone/');
  if (name === '401') return [isApi ? /fix: Use a valid API key/ : /fix: Set the manager's token/];
  if (name === '403') return [isApi ? /fix: .*Admin (or|and) Ops/ : /fix: The manager accepts only the addresses/];
  if (name === '429') return [/The service asks to wait 1 s\./];
  return [];
}

const writes: readonly string[] = ['zone/ips/migrate', 'settings/put', 'proxies/delete'];

/** Returns true if the effect of a write is unknown: the service itself did not answer, and it may still carry it out. */
export function isUnknown(name: FaultName, route: string): boolean {
  if (name === 'delay beyond the timeout') return route === 'settings/put' || route === 'proxies/delete';
  if (name === 'HTML before') return route === 'zone/ips/migrate' || route === 'settings/put';
  if (!writes.includes(route)) return false;
  return ['drop before', 'delay beyond all patience', 'lag beyond all patience'].includes(name);
}
