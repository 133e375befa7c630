/** Every call that the client sends: how to recognize its requests, and what a fault on them may cost. */

/** The peers of a call: the service, a proxy manager, the trigger service, or the receiver of alerts. */
export const peers = ['api', 'manager', 'triggers', 'receiver'] as const;
export type Peer = (typeof peers)[number];

/**
 * A read may be sent again. An idempotent write has the same effect if it is sent again. A paid move is a write that may be billed. A
 * trigger is billed each time it is sent.
 */
type CallKind = 'read' | 'idempotent write' | 'paid move' | 'trigger';

export interface CallType {
  name: string;
  peer: Peer;
  kind: CallKind;
  method: string;
  path: RegExp;
  /** For calls that share method and path with another one. */
  only?(request: { query: URLSearchParams; body: string }): boolean;
  /** The answer has no shape that could be wrong. */
  shapeless?: true;
  /** Any JSON is a valid answer. */
  anyJson?: true;
  /** Fields may have any type: the fields of rows are unknown in advance, and a port may be a text. */
  anyFields?: true;
  /** True if the client returns the answer as a stream. */
  stream?: true;
  /** Only the status of the answer is read. */
  headOnly?: true;
  /** The specification asks clients to send it again after a 5xx. */
  repeatsAfter5xx?: true;
}

const isNothing = ({ body }: { body: string }) => body === '{}';
const isCounting = ({ query }: { query: URLSearchParams }) => query.size > 1;

export const calls: readonly CallType[] = [
  { name: 'request', peer: 'api', kind: 'trigger', method: 'POST', path: /^\/request$/, stream: true },
  {
    name: 'collector trigger',
    peer: 'api',
    kind: 'trigger',
    method: 'POST',
    path: /^\/dca\/trigger$/,
    repeatsAfter5xx: true,
  },
  {
    name: 'collector dataset',
    peer: 'api',
    kind: 'read',
    method: 'GET',
    path: /^\/dca\/dataset$/,
    stream: true,
    anyFields: true,
  },
  { name: 'dataset trigger', peer: 'api', kind: 'trigger', method: 'POST', path: /^\/datasets\/v3\/trigger$/ },
  {
    name: 'snapshot download',
    peer: 'api',
    kind: 'read',
    method: 'GET',
    path: /^\/datasets\/snapshots\/[^/]+\/download$/,
    stream: true,
    anyFields: true,
  },
  { name: 'zone countries', peer: 'api', kind: 'read', method: 'GET', path: /^\/zone\/ips$/, only: isCounting },
  { name: 'zone ips', peer: 'api', kind: 'read', method: 'GET', path: /^\/zone\/ips$/ },
  { name: 'recent ips', peer: 'api', kind: 'read', method: 'GET', path: /^\/zone\/recent_ips$/ },
  { name: 'migrate', peer: 'api', kind: 'paid move', method: 'POST', path: /^\/zone\/ips\/migrate$/ },
  { name: 'asns', peer: 'api', kind: 'read', method: 'GET', path: /^\/api\/[^/]+\/get_asn$/ },
  { name: 'settings by get', peer: 'manager', kind: 'read', method: 'GET', path: /^\/api\/settings$/ },
  { name: 'settings by put', peer: 'manager', kind: 'read', method: 'PUT', path: /^\/api\/settings$/, only: isNothing },
  { name: 'update settings', peer: 'manager', kind: 'idempotent write', method: 'PUT', path: /^\/api\/settings$/ },
  {
    name: 'delete ports',
    peer: 'manager',
    kind: 'idempotent write',
    method: 'POST',
    path: /^\/api\/proxies\/delete$/,
    shapeless: true,
  },
  {
    name: 'recent stats',
    peer: 'manager',
    kind: 'read',
    method: 'GET',
    path: /^\/api\/recent_stats$/,
    anyJson: true,
  },
  {
    name: 'ports by route',
    peer: 'manager',
    kind: 'read',
    method: 'GET',
    path: /^\/api\/proxies_running$/,
    anyFields: true,
  },
  // `GET /v1/owners` is left out: no command sends it, only programs that use the client.
  { name: 'records', peer: 'triggers', kind: 'read', method: 'GET', path: /^\/v1\/owners\/[^/]+$/ },
  {
    name: 'put delivery',
    peer: 'triggers',
    kind: 'idempotent write',
    method: 'PUT',
    path: /^\/v1\/owners\/[^/]+\/deliveries\//,
  },
  {
    name: 'put schedule',
    peer: 'triggers',
    kind: 'idempotent write',
    method: 'PUT',
    path: /^\/v1\/owners\/[^/]+\/schedules\//,
  },
  {
    name: 'delete delivery',
    peer: 'triggers',
    kind: 'idempotent write',
    method: 'DELETE',
    path: /^\/v1\/owners\/[^/]+\/deliveries\//,
    shapeless: true,
  },
  {
    name: 'delete schedule',
    peer: 'triggers',
    kind: 'idempotent write',
    method: 'DELETE',
    path: /^\/v1\/owners\/[^/]+\/schedules\//,
    shapeless: true,
  },
  { name: 'schedules', peer: 'triggers', kind: 'read', method: 'GET', path: /^\/v1\/schedules$/ },
  { name: 'pause', peer: 'triggers', kind: 'idempotent write', method: 'POST', path: /\/(pause|resume)$/ },
  { name: 'run now', peer: 'triggers', kind: 'trigger', method: 'POST', path: /\/schedules\/[^/]+\/run$/ },
  { name: 'runs', peer: 'triggers', kind: 'read', method: 'GET', path: /^\/v1\/runs$/ },
  { name: 'run', peer: 'triggers', kind: 'read', method: 'GET', path: /^\/v1\/runs\/[^/]+$/ },
  { name: 'resolve', peer: 'triggers', kind: 'idempotent write', method: 'POST', path: /^\/v1\/runs\/[^/]+\/resolve$/ },
  { name: 'alert', peer: 'receiver', kind: 'idempotent write', method: 'POST', path: /^\/alert$/, headOnly: true },
  { name: 'totals', peer: 'triggers', kind: 'read', method: 'GET', path: /^\/v1\/totals$/ },
];

export function callOf(peer: Peer, method: string, target: string, body: string): CallType | undefined {
  const { pathname, searchParams: query } = new URL(target, 'http://x');
  return calls.find(
    (call) =>
      call.peer === peer &&
      call.method === method &&
      call.path.test(pathname) &&
      (call.only === undefined || call.only({ query, body })),
  );
}
