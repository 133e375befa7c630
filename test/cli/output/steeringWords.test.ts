/** Words from outside that would steer a terminal or hide text in it are shown as escapes, whoever says them. */
import { describe, expect, it } from 'vitest';
import { loopback } from '../../service/loopback.ts';
import { openHarness } from '../harness.ts';

const clears = '\u001b[2J';
const reverses = '\u202e';

describe('on the command line', () => {
  it.each([
    ['an unknown command', [reverses], "unknown command '\\u{202e}'"],
    ['an argument too many', ['plan', clears], 'Expected 0 arguments but got 1: \\u{1b}[2J.'],
    ['the value of an option', ['plan', '--retries', clears], "argument '\\u{1b}[2J' is invalid"],
  ])('%s', async (_what, args, says) => {
    await using harness = await openHarness('plain');
    const { code, stdout, stderr } = await harness.webdata(...args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(says);
    expect(stderr).toContain('\n(see webdata COMMAND --help)\n');
    expect(stderr).not.toContain(args.at(-1));
  });

  it('the name of a file that is written', async () => {
    await using harness = await openHarness('plain');
    const { stdout } = await harness.webdata('init', clears);
    expect(stdout).toContain('Wrote \\u{1b}[2J.\n');
    expect(stdout).not.toContain(clears);
  });
});

describe('in an answer of the service', () => {
  it('that is an id', async () => {
    const { url } = await loopback(
      { body: { collection_id: `j_${clears}`, start_eta: '2026-03-01T12:00:00Z' } },
      { body: [] },
    );
    await using harness = await openHarness('plain');
    const env = { WEBDATA_API_URL: url };
    const { stderr } = await harness.webdataWith({ env }, 'collect', 'c_prices', '--input', 'url=x');
    expect(stderr).toContain('Triggered j_\\u{1b}[2J. ');
    expect(stderr).not.toContain(clears);
  });

  it('that the log of requests has', async () => {
    const { url } = await loopback({ body: `{"ips":[],"x":"${reverses}"}` });
    await using harness = await openHarness('plain');
    const { stderr } = await harness.webdataWith({ env: { WEBDATA_API_URL: url } }, 'zones', 'ips', 'a', '--log-http');
    expect(stderr).toMatch(/^http: .* < .*\\u\{202e\}/m);
    expect(stderr).not.toContain(reverses);
  });
});
