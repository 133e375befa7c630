/** Proxied requests (A): the rules of their fields by the actual type of the zone, and the page. */
import { isIPv4 } from 'node:net';
import { z } from 'zod';
import { pageAt, type TargetPage } from '../account/pages.ts';
import { Refusal } from '../core/refusal.ts';
import type { World } from '../core/world.ts';
import { bodyOf, type Route, type RouteAnswer, type RouteCall } from '../http/route.ts';

const text = z.string('must be a text').min(1, 'must not be empty').optional();

const requestBody = z.looseObject({
  zone: z.string('a zone name is required').min(1, 'a zone name is required'),
  url: z.url({ protocol: /^https?$/, error: 'an http or https URL is required' }),
  format: z.enum(['raw', 'json'], 'raw or json is required'),
  method: z.literal('GET', 'must be GET').optional(),
  country: text,
  city: text,
  zip: text,
  ASN: text,
  carrier: text,
  os: text,
  dns: z.enum(['local', 'remote'], 'must be local or remote').optional(),
  session: text,
  ip: z.string('must be an IPv4 address').refine(isIPv4, 'must be an IPv4 address').optional(),
  gip: text,
  c_tag: z
    .string('must be a text')
    .regex(/^[!-~](?:[ -~]*[!-~])?$/, 'must be a valid header value')
    .optional(),
  direct: z.boolean('must be true or false').optional(),
  data_format: text,
});

type ProxyRequest = z.output<typeof requestBody>;

/** Answers the page, or `{url, status, headers, body}`; the specification does not show that form. */
async function proxyRequest(world: World, call: RouteCall): Promise<RouteAnswer> {
  const asked = bodyOf(call, requestBody);
  checkRules(asked, world);
  const page = await pageAt(asked.url, world.account);
  const headers: Record<string, string> = asked.c_tag === undefined ? {} : { [world.dialect.tagHeader]: asked.c_tag };
  const { targetStatus, jsonFormat } = world.dialect;
  const status = targetStatus === 'passed' ? page.status : 200;
  if (asked.format === 'json' && jsonFormat === 'described') {
    return { status, body: described(asked.url, page), headers };
  }
  return { status, body: page.text, headers: { 'content-type': page.type, ...headers } };
}

/** The route is for the roles with API usage (specification, "Permission levels"). */
export const requestRoute: Route = {
  name: 'request',
  server: 'api',
  method: 'POST',
  path: '/request',
  access: ['Admin', 'Ops', 'User'],
  handle: proxyRequest,
};

function described(url: string, { status, type, text: body }: TargetPage) {
  return { url, status, headers: { 'content-type': type }, body };
}

/** Fields that only some networks accept. */
const networks: readonly (readonly [keyof ProxyRequest & string, readonly string[]])[] = [
  ['zip', ['residential']],
  ['ASN', ['residential']],
  ['carrier', ['mobile']],
  ['os', ['mobile']],
  ['ip', ['datacenter', 'isp']],
  ['gip', ['residential', 'mobile']],
];

function checkRules(asked: ProxyRequest, { zones }: World): void {
  const type = zones.get(asked.zone)?.type;
  if (type === undefined) throw new Refusal('invalid-request', `zone: ${asked.zone} does not exist`);
  for (const field of ['city', 'zip', 'ASN'] as const) {
    if (asked[field] !== undefined && asked.country === undefined) {
      throw new Refusal('invalid-request', `${field}: requires country`);
    }
  }
  for (const [field, allowed] of networks) {
    if (asked[field] === undefined || allowed.includes(type)) continue;
    throw new Refusal('invalid-request', `${field}: only in ${allowed.join(' and ')} zones; ${asked.zone} is ${type}`);
  }
}
