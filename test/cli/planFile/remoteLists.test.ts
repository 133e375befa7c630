/** Lists by URL: fetched for a plan, shown in it, and applied from its file as they were reviewed. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Harness, openHarness, serviceYaml } from '../harness.ts';

interface Lists {
  url: string;
  /** What the server answers from now on. */
  answer(handle: (request: IncomingMessage, response: ServerResponse) => void): void;
  requests: IncomingMessage[];
}

async function serveLists(): Promise<Lists> {
  let handle = (_: IncomingMessage, response: ServerResponse): void => void response.end('10.1.0.0/16\n');
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    handle(request, response);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, requests, answer: (next) => (handle = next) };
}

const declared = (item: string) =>
  `${serviceYaml('plain')}managerSettings:\n  local:\n    whitelistIps:\n      - ${item}\n`;
const liveList = async ({ emulator }: Harness): Promise<string[]> => {
  const response = await fetch(`${emulator.managerUrl}/api/settings`);
  return ((await response.json()) as { whitelist_ips: string[] }).whitelist_ips;
};

describe('a list by URL', () => {
  it('is shown in the plan without its secrets, and applied from the plan file as it was reviewed', async () => {
    await using harness = await openHarness('plain');
    const lists = await serveLists();
    lists.answer((_, response) => response.end('# offices\n10.1.0.0/16 # Berlin\n\n10.2.0.5\n'));
    const withSecrets = `{ url: "${lists.url.replace('//', '//reader:pa55w0rd@')}/offices.txt?token=s3cr3t" }`;
    await harness.write('webdata.yaml', declared(withSecrets));
    const planned = await harness.webdata('plan', '--output', 'plan.json');
    expect(planned).toMatchObject({ code: 0, stderr: '' });
    expect(planned.stdout).toContain(`note: whitelistIps[0]: 2 lines from ${lists.url}/offices.txt,`);
    expect(planned.stdout).toContain('10.1.0.0/16');
    expect(lists.requests[0]?.headers.authorization).toBe(`Basic ${btoa('reader:pa55w0rd')}`);
    const file = await harness.read('plan.json');
    for (const text of [planned.stdout, file]) expect(text).not.toMatch(/pa55w0rd|s3cr3t/);
    expect(JSON.parse(file).lists).toMatchObject([
      { path: 'managerSettings.local.whitelistIps[0]', items: ['10.1.0.0/16', '10.2.0.5'] },
    ]);

    const asked = lists.requests.length;
    lists.answer((_, response) => response.end('0.0.0.0/0\n'));
    expect(await harness.webdata('apply', 'plan.json', '--yes')).toMatchObject({ code: 0, stderr: '' });
    expect(lists.requests).toHaveLength(asked);
    expect(await liveList(harness)).toEqual(['10.1.0.0/16', '10.2.0.5']);
  });

  it('is a note of its resource alone', async () => {
    await using harness = await openHarness('plain');
    const lists = await serveLists();
    lists.answer((_, response) => response.end('10.1.0.0/16\n'));
    const sameName = 'zoneIpAllocations: { local: { zones: { checkout: { keepAtLeast: 0 } } } }\n';
    await harness.write('webdata.yaml', declared(`{ url: "${lists.url}/a" }`) + sameName);
    const { resources } = JSON.parse((await harness.webdata('plan', '--format', 'json')).stdout);
    const noted = resources.filter(({ notes }: { notes: { code: string }[] }) =>
      notes.some(({ code }) => code === 'list-fetched'),
    );
    expect(noted.map(({ kind }: { kind: string }) => kind)).toEqual(['ManagerSettings']);
  });

  it('is fetched for drift, show and audit, and not for validate or for commands that need no list', async () => {
    await using harness = await openHarness('plain');
    const lists = await serveLists();
    await harness.write('webdata.yaml', declared(`{ url: "${lists.url}/a" }`));
    const { code, stdout } = await harness.webdata('validate');
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: 'webdata.yaml is valid: 1 manager settings.\nNot checked: 1 list that `webdata plan` fetches by URL.\n',
    });
    await harness.webdata('zones', 'recent');
    expect(lists.requests).toHaveLength(0);
    for (const command of ['drift', 'show', 'audit']) {
      await harness.webdata(command);
      expect(lists.requests.length, command).toBeGreaterThan(0);
      lists.requests.length = 0;
    }
  });

  it('is refused if the plan file has no contents for it', async () => {
    await using harness = await openHarness('plain');
    const lists = await serveLists();
    await harness.write('webdata.yaml', declared(`{ url: "${lists.url}/a" }`));
    await harness.webdata('plan', '--output', 'plan.json');
    await harness.write('webdata.yaml', declared(`{ url: "${lists.url}/b" }`));
    const { code, stderr } = await harness.webdata('apply', 'plan.json', '--yes');
    expect(code).toBe(1);
    expect(stderr).toContain(`webdata.yaml:7:9: the plan has no contents of the list ${lists.url}/b`);
  });

  it.each<[string, (request: IncomingMessage, response: ServerResponse) => void, RegExp]>([
    ['another status', (_, response) => response.writeHead(404).end(), /was not fetched: it was answered 404\n/],
    ['a redirect', (_, response) => response.writeHead(302, { location: '/b' }).end(), /redirects are not followed/],
    [
      'a list that is too long',
      (_, response) => response.end('10.0.0.1\n'.repeat(200_000)),
      /it has more than 1024 KiB/,
    ],
    ['a lost connection', (_, response) => response.destroy(), /the connection failed/],
    ['nothing', (_, response) => response.end('# none\n'), /has no items\n/],
    [
      'a page',
      (_, response) => response.end('<html>\n10.0.0.1\n<b>secret page</b>\n'),
      /\/a has 2 lines that cannot be read: lines 1, 3\n/,
    ],
  ])('is an error at its line if the server answers %s', async (_, handle, message) => {
    await using harness = await openHarness('plain');
    const lists = await serveLists();
    lists.answer(handle);
    await harness.write('webdata.yaml', declared(`{ url: "${lists.url}/a" }`));
    const { code, stdout, stderr } = await harness.webdata('plan');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^webdata\.yaml:\d+:9: /);
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain('secret page');
  });

  it.each([
    ['http://lists.example.com/a', /http:\/\/lists\.example\.com\/a is not an https URL/],
    ['file:///etc/passwd', /is not an https URL/],
    ['https://$' + '{HOME_TOKEN}.example.com/', /variable `HOME_TOKEN` may not be used here/],
    ['https://lists.example.com/$' + '{WEBDATA_API_KEY}', /variable `WEBDATA_API_KEY` may not be used here/],
  ])('is not fetched from %s', async (url, message) => {
    await using harness = await openHarness('plain');
    await harness.write('webdata.yaml', declared(`{ url: "${url}" }`));
    const { code, stderr } = await harness.webdataWith({ env: { HOME_TOKEN: 'x1y2z3' } }, 'plan');
    expect(code).toBe(1);
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain(harness.emulator.keys.ops);
  });

  it('fills zones too', async () => {
    await using harness = await openHarness('plain');
    const lists = await serveLists();
    lists.answer((_, response) => response.end('192.0.2.10-192.0.2.11\n'));
    await harness.write(
      'webdata.yaml',
      `${serviceYaml('plain')}zoneIpAllocations:\n  static: { zones: { checkout: { ips: [{ url: "${lists.url}/a" }] } }, sources: [pricing] }\n`,
    );
    const { code, stdout } = await harness.webdata('plan');
    expect(code).toBe(0);
    expect(stdout).toMatch(/2 IPs {2}from pricing {2}to checkout/);
    expect(stdout).toContain(`note: zones.checkout.ips[0]: 1 line from ${lists.url}/a`);
  });
});
