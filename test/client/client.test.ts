/** What is wrong with a configuration is said before anything is sent, and never shows a secret. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createManager } from '../../src/client/areas/manager/manager.ts';
import { createClient } from '../../src/client/client.ts';
import { parseProfile, serviceProfile } from '../../src/client/profile.ts';
import { apiKey, failureOf } from './setup.ts';

const url = 'https://api.example.com';

test.each([
  ['ftp://api.example.com', 'the URL "ftp://api.example.com" is not an http or https URL'],
  ['api.example.com', 'the URL "api.example.com" is not an http or https URL'],
  ['', 'the URL "" is not an http or https URL'],
  [
    'https://me:pw@api.example.com',
    'the URL "https://***@api.example.com" contains credentials, a query or a fragment',
  ],
  [`${url}?token=abc`, `the URL "${url}?token=***" contains credentials, a query or a fragment`],
])('the URL %j', async (faulty, message) => {
  const failure = await failureOf(() => createClient({ url: faulty, apiKey }));
  expect(failure).toMatchObject({ code: 'unreachable', message, effect: 'none' });
});

test.each([
  ['', 'the API key is empty'],
  ['key\n', 'the API key contains a space, a line break or another character that no header can carry'],
  ['schlüssel', 'the API key contains a space, a line break or another character that no header can carry'],
])('the API key %j', async (faulty, message) => {
  expect(await failureOf(() => createClient({ url, apiKey: faulty }))).toEqual({
    code: 'unauthorized',
    message,
    fix: 'Set WEBDATA_API_KEY to the complete key.',
    effect: 'none',
  });
});

test("a manager's token that no header can carry", async () => {
  const failure = await failureOf(() => createManager({ url, token: 'a b' }));
  expect(failure.message).toBe(
    "the manager's token contains a space, a line break or another character that no header can carry",
  );
});

test('the profile has a default and a description for every field', () => {
  expect(parseProfile()).toEqual({
    geolocation: {},
    perCountrySwitch: { name: 'ip_per_country', value: 'true' },
    resellerPath: '/api/{partner}/get_asn',
    settleSeconds: 10,
    collectors: {
      versionParameter: 'version',
      nameParameter: 'name',
      queueParameter: 'queue',
      cancelRunningParameter: 'cancel_running',
      noMediaParameter: 'no_downloads',
      maxTimeParameter: 'deadline',
      accessKeyField: 'aws-access-key',
      secretKeyField: 'aws-secret-key',
      webhookEndpointField: 'endpoint',
      webhookUncompressedField: 'uncompressed_webhook',
      webhookAuthorizationField: 'webhook_header_Authorization',
    },
    datasets: {
      endpointParameter: 'endpoint',
      authorizationParameter: 'webhook_header_Authorization',
      ndjsonFormat: 'ndjson',
    },
    tagHeader: 'x-c-tag',
    proxyUserPrefix: 'svc',
    parsedSwitch: { name: 'parsed', value: 'json' },
    manager: {
      readSettings: 'auto',
      ports: {},
      tokenHeader: { name: 'Authorization', scheme: 'Bearer' },
    },
  });
  expect(undescribed(z.toJSONSchema(serviceProfile, { io: 'input' }))).toEqual([]);
});

test.each([
  [{ setleSeconds: 1 }, 'unknown key `setleSeconds` in `profile`'],
  [
    { geolocation: { first: 'geo_db_1', others: ['geo_db_2'], countryDatabase: 'geo_db_9' } },
    '`countryDatabase` is a string "geo_db_9"',
  ],
  [{ resellerPath: '/asns' }, '`resellerPath` is a string "/asns"'],
])('the profile %j', (faulty, message) => {
  expect(() => parseProfile(faulty)).toThrow(message);
});

type JsonSchema = z.core.JSONSchema.BaseSchema;

function undescribed({ properties = {} }: JsonSchema, path = ''): string[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const here = `${path}.${name}`;
    if (typeof schema === 'boolean') return [here];
    return [...(schema.description === undefined ? [here] : []), ...undescribed(schema, here)];
  });
}
