/** Rules for the fields of a proxied request (specification, A), checked before anything is sent or billed. */
import { z } from 'zod';
import { type Problem, ProblemError } from '../../../base/diagnostics/problem.ts';
import { parse, problemIssue } from '../../../base/diagnostics/zodProblems.ts';
import type { ZoneType, ZoneTypes } from '../zones/zoneTypes.ts';

const text = z.string().min(1);

/** The tag is returned in a header, so it must be a valid header value. */
const headerText = z.string().regex(/^[!-~](?:[ -~]*[!-~])?$/, 'must be visible ASCII, with spaces only inside');

const fields = {
  zone: text.describe('Zone that serves the request.'),
  url: z.url({ protocol: /^https?$/ }).describe('Target URL, http or https.'),
  format: z.enum(['raw', 'json']).describe('`raw` returns the page itself, `json` returns JSON.'),
  method: z.literal('GET').optional().describe('HTTP method; the specification describes only GET.'),
  country: text.optional().describe('Country code of the exit proxy.'),
  city: text.optional().describe('City of the exit proxy; requires `country`.'),
  zip: text.optional().describe('Postal code; requires `country`; residential zones only.'),
  asn: text.optional().describe('ASN code; requires `country`; residential zones only.'),
  carrier: text.optional().describe('Carrier code; mobile zones only.'),
  os: text.optional().describe('Operating system set on the proxy; mobile zones only.'),
  dns: z.enum(['local', 'remote']).optional().describe('Host that resolves names: the client or the peer.'),
  session: text.optional().describe('Session; all requests with the same value go to the same peer.'),
  ip: z.ipv4().optional().describe('The proxy with this IP; datacenter and ISP zones only.'),
  gip: text.optional().describe('The group of proxies of this name; residential and mobile zones only.'),
  tag: headerText.optional().describe('Tag that is returned in a header of the answer.'),
  direct: z.boolean().optional().describe('Uses the super proxy instead of a peer.'),
  dataFormat: text.optional().describe('Data format; the specification shows only `markdown`.'),
};

export type CheckedRequest = z.output<z.ZodObject<typeof fields, z.core.$strict>>;

/** Returns a valid request. @throws ProblemError with every rule that it breaks; the paths are its fields */
type CheckRequest = (request: unknown) => CheckedRequest;

/** Creates the check once for many requests: building a schema costs more than preparing a request. */
export function requestCheck(zoneTypes: ZoneTypes): CheckRequest {
  const schema = z.strictObject(fields).superRefine((value, context) => {
    const type = Object.hasOwn(zoneTypes, value.zone) ? zoneTypes[value.zone] : undefined;
    for (const problem of ruleProblems(value, type)) problemIssue(context, problem);
  });
  return (request) => {
    const parsed = parse(schema, request);
    if (parsed.ok) return parsed.value;
    throw new ProblemError(parsed.problems);
  };
}

/** Zone types that accept a field. Fields that are missing here are accepted by all types. */
const typesByField = {
  zip: ['residential'],
  asn: ['residential'],
  carrier: ['mobile'],
  os: ['mobile'],
  ip: ['datacenter', 'isp'],
  gip: ['residential', 'mobile'],
} as const satisfies Partial<Record<keyof CheckedRequest, readonly ZoneType[]>>;

const limited = Object.keys(typesByField) as (keyof typeof typesByField)[];

function ruleProblems(request: CheckedRequest, type: ZoneType | undefined): Problem[] {
  const used = limited.filter((field) => request[field] !== undefined);
  const misplaced =
    type === undefined
      ? contradictions(used)
      : used.filter((field) => !typesOf(field).includes(type)).map((field) => wrongZone(field, request.zone, type));
  return [...withoutCountry(request), ...misplaced];
}

function withoutCountry(request: CheckedRequest): Problem[] {
  if (request.country !== undefined) return [];
  const placed = (['city', 'zip', 'asn'] as const).filter((field) => request[field] !== undefined);
  return placed.map((field) => ({
    code: 'missing-key',
    found: `\`${field}\` without \`country\``,
    allowed: `\`${field}\` together with \`country\``,
    fix: 'add `country`, the country code',
    path: [field],
  }));
}

function wrongZone(field: keyof typeof typesByField, zone: string, type: ZoneType): Problem {
  return {
    code: 'not-allowed',
    found: `\`${field}\` for the zone ${zone}, which is of type ${type}`,
    allowed: whereAllowed(field),
    fix: `remove \`${field}\`, use another zone, or correct the declared type of this one`,
    path: [field],
  };
}

/** Returns problems for fields that no zone type accepts together, for a zone of unknown type. */
function contradictions(used: readonly (keyof typeof typesByField)[]): Problem[] {
  return used.flatMap((field, index) => {
    const other = used
      .slice(0, index)
      .find((earlier) => !typesOf(earlier).some((type) => typesOf(field).includes(type)));
    if (other === undefined) return [];
    return {
      code: 'not-allowed',
      found: `\`${field}\` together with \`${other}\``,
      allowed: `${whereAllowed(other)}, ${whereAllowed(field)}`,
      fix: 'remove one of them: no zone accepts both',
      path: [field],
    };
  });
}

function typesOf(field: keyof typeof typesByField): readonly ZoneType[] {
  return typesByField[field];
}

function whereAllowed(field: keyof typeof typesByField): string {
  return `\`${field}\` in ${typesOf(field).join(' and ')} zones only`;
}
