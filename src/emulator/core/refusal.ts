/**
 * Refusals and notices of the service. The specification defines 401 for the key and leaves most other statuses and texts open ("not
 * shown"), so one table holds the wording, and the dialect of an account may change each row.
 */

/** Body of a refusal: a text, a JSON object or null. `{detail}` in any of its strings is replaced by the reason. */
type RefusalBody = string | { [key: string]: unknown } | null;

interface RefusalWording {
  status: number;
  body: RefusalBody;
  headers?: Record<string, string>;
}

const defaults = {
  'missing-key': { status: 401, body: 'Authentication required: send Authorization: Bearer <API_KEY>' },
  'malformed-key': { status: 401, body: 'Authentication required: the Authorization header is not Bearer <API_KEY>' },
  'unknown-key': { status: 401, body: 'Authentication failed: the API key is not valid' },
  'expired-key': { status: 401, body: 'Authentication failed: the API key has expired' },
  'manager-token': { status: 401, body: 'Authentication required: the manager requires its own bearer token' },
  'role-refused': { status: 403, body: 'Permission denied: {detail}' },
  'invalid-request': { status: 400, body: 'Bad request: {detail}' },
  'unknown-zone': { status: 404, body: 'Zone not found: {detail}' },
  'ips-elsewhere': { status: 400, body: 'Bad request: these IPs are not in the source zone: {detail}' },
  'unknown-ports': { status: 400, body: 'Bad request: no such proxy port: {detail}' },
  'settings-unreadable': { status: 405, body: 'Method not allowed: {detail}' },
  'unknown-collector': { status: 404, body: 'Collector not found: {detail}' },
  'inputs-mismatch': { status: 422, body: "The inputs do not match the collector's input schema: {detail}" },
  'job-building': { status: 200, body: { status: '{detail}' } },
  'job-failed': { status: 200, body: { status: 'failed', error: '{detail}' } },
  'too-many-runs': { status: 429, body: 'Too many concurrent jobs: {detail}' },
  'unknown-dataset': { status: 404, body: 'Dataset not found: {detail}' },
  'snapshot-building': { status: 202, body: 'Snapshot is building, try again in a few minutes' },
  'snapshot-failed': { status: 200, body: { status: 'failed', error: '{detail}' } },
  'unknown-snapshot': { status: 404, body: { error: 'Snapshot not found' } },
  'unknown-route': { status: 404, body: 'No such route: {detail}' },
} satisfies Record<string, RefusalWording>;

export type RefusalCode = keyof typeof defaults;

export const refusalCodes = Object.keys(defaults) as RefusalCode[];

/** Thrown by operations and converted to an answer in `exchange.ts`. */
export class Refusal extends Error {
  override name = 'Refusal';
  readonly code: RefusalCode;
  readonly detail: string;

  constructor(code: RefusalCode, detail = '') {
    super(`${code}: ${detail}`);
    this.code = code;
    this.detail = detail;
  }
}

type RefusalTable = Partial<Record<RefusalCode, { [Part in keyof RefusalWording]?: RefusalWording[Part] | undefined }>>;

/** Returns the answer for a refusal: the dialect's wording, or the default one. */
export function wordRefusal({ code, detail }: Refusal, dialect: RefusalTable): RefusalWording {
  const { status, body, headers }: RefusalWording = {
    ...defaults[code],
    ...(dialect[code] as Partial<RefusalWording>),
  };
  return { status, body: fill(body, detail) as RefusalBody, ...(headers && { headers }) };
}

function fill(value: unknown, detail: string): unknown {
  if (typeof value === 'string') return value.replaceAll('{detail}', () => detail);
  if (Array.isArray(value)) return value.map((item) => fill(item, detail));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fill(item, detail)]));
}
