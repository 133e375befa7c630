/** Lists by URL and by command: fetched for a plan, shown in it, and applied from its file as they were reviewed. */
import { chmod, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
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

  it('is fetched for drift, show and audit, and not for validate or for commands that need no list', async () => {
    await using harness = await openHarness('plain');
    const lists = await serveLists();
    await harness.write('webdata.yaml', declared(`{ url: "${lists.url}/a" }`));
    const { code, stdout } = await harness.webdata('validate');
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout:
        'webdata.yaml is valid: 1 manager settings.\nNot checked: 1 list that `webdata plan` fetches by URL or command.\n',
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

describe('a list by command', () => {
  async function withScript(harness: Harness, script: string): Promise<void> {
    await writeFile(join(harness.folder, 'offices'), `#!/bin/sh\n${script}\n`);
    await chmod(join(harness.folder, 'offices'), 0o755);
  }

  it('runs if the operator allows the whole command, without the variables of webdata', async () => {
    await using harness = await openHarness('plain');
    await withScript(harness, 'echo "10.$1.0.0/16"; [ -z "$WEBDATA_API_KEY" ] && echo 10.2.0.5');
    await harness.write('webdata.yaml', declared('{ command: [./offices, "7"] }'));
    for (const allowed of [[], ['--allow-command', './offices'], ['--allow-command', './offices 8']]) {
      const { code, stderr } = await harness.webdata('plan', ...allowed);
      expect(code).toBe(1);
      expect(stderr).toContain('webdata.yaml:7:9: the declaration may not run `./offices 7` on this machine');
      expect(stderr).toContain("fix: if it is yours, add --allow-command './offices 7'");
    }
    const planned = await harness.webdata('plan', '--allow-command', './offices 7', '--output', 'plan.json');
    expect(planned).toMatchObject({ code: 0, stderr: '' });
    expect(planned.stdout).toMatch(
      /10\.7\.0\.0\/16[\s\S]*note: whitelistIps\[0\]: 2 lines from \.\/offices 7, fetched/,
    );
    // Neither apply of a plan nor validate runs it.
    await withScript(harness, 'touch ran; echo 0.0.0.0/0');
    const env = { WEBDATA_ALLOW_COMMAND: './other; ./offices 7' };
    expect(await harness.webdataWith({ env }, 'validate')).toMatchObject({ code: 0 });
    expect(await harness.webdataWith({ env }, 'apply', 'plan.json', '--yes')).toMatchObject({ code: 0 });
    await expect(harness.read('ran')).rejects.toThrow('ENOENT');
    expect(await liveList(harness)).toEqual(['10.7.0.0/16', '10.2.0.5']);
    expect((await harness.webdataWith({ env }, 'plan')).stdout).toContain('0.0.0.0/0');
  });

  it.each([
    ['two words', '[./offices, a, b]', './offices a b', './offices "a b"'],
    ['a word with a space', '[./offices, "a b"]', './offices "a b"', './offices a b'],
    ['a word with quotes', `[./offices, '"a b"']`, './offices "\\"a b\\""', './offices "a b"'],
    ['an empty word', '[./offices, ""]', './offices ""', './offices'],
    ['a word with a semicolon', '[./offices, "a; b"]', './offices "a; b"', './offices a; b'],
  ])('allows a command with %s by its exact words', async (_, command, line, otherLine) => {
    await using harness = await openHarness('plain');
    await withScript(harness, 'echo 10.2.0.5');
    await harness.write('webdata.yaml', declared(`{ command: ${command} }`));
    for (const given of [
      { args: ['--allow-command', otherLine], env: {} },
      { args: [], env: { WEBDATA_ALLOW_COMMAND: otherLine } },
    ]) {
      const refused = await harness.webdataWith({ env: given.env }, 'plan', ...given.args);
      expect(refused.code).toBe(1);
      expect(refused.stderr).toContain(`the declaration may not run \`${line}\` on this machine`);
      expect(refused.stderr).toContain(`fix: if it is yours, add --allow-command '${line}' (or`);
    }
    expect(await harness.webdata('plan', '--allow-command', line)).toMatchObject({ code: 0 });
    const env = { WEBDATA_ALLOW_COMMAND: `./other; ${line}` };
    expect(await harness.webdataWith({ env }, 'plan')).toMatchObject({ code: 0 });
  });

  it.each([
    ['exit 3', 'it exited with 3'],
    ['true', 'it printed nothing'],
    ['yes 10.0.0.1', 'it printed more than 1024 KiB'],
  ])('is an error if the script does `%s`', async (script, why) => {
    await using harness = await openHarness('plain');
    await withScript(harness, `echo a-secret >&2; ${script}`);
    await harness.write('webdata.yaml', declared('{ command: [./offices] }'));
    const { code, stderr } = await harness.webdata('plan', '--allow-command', './offices');
    expect(code).toBe(1);
    expect(stderr).toContain(`the list of \`./offices\` was not fetched: ${why}`);
    expect(stderr).not.toContain('a-secret');
  });

  it.each([
    '{ command: ./offices }',
    '{ command: [] }',
    '{ url: 5 }',
    '{ url: "https://lists.example.com", file: b }',
  ])('has to be written as a list of words, and alone: %s', async (item) => {
    await using harness = await openHarness('plain');
    await harness.write('webdata.yaml', declared(item));
    const { code, stderr } = await harness.webdata('validate');
    expect(code).toBe(1);
    expect(stderr).toContain('webdata.yaml:7:9: the item does not name a list\n');
    expect(stderr).toContain('allowed: { file: NAME }, { url: URL } or { command: [PROGRAM, ARGUMENT] }');
  });
});
