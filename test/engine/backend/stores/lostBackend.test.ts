/**
 * An apply whose shared backend is gone from one request on: before the request arrives, or before its answer does. To the store and to the next
 * machine, this is the same as a process that is killed there. No call may be sent that the backend does not know.
 */
import { beforeAll, expect, it, vi } from 'vitest';
import { quietOrWaiting } from '../../../../reliability/crashes/checks.ts';
import { migrationsOf, openDeclared, type Result } from '../../../cli/harness.ts';
import { describeStores, openProxy, type StoreServer } from '../servers.ts';

const declaration = `
zoneIpAllocations:
  static:
    zones:
      checkout: { ips: [192.0.2.10, 192.0.2.11] }
      archive: { ips: [198.51.100.10] }
    sources: [pricing]
managerSettings:
  local: { logs: 500 }
`;
const leaseSeconds = '1.5';
/** Moments of a run, as a share of its requests: one drawn from each third of the part in which it writes. */
const moments = Array.from({ length: 3 }, (_, index) => 0.4 + (0.6 * (index + Math.random())) / 3);

interface RunDocument {
  command: string;
  result: string;
  calls: unknown[];
}

describeStores('an apply whose backend goes away', (server) => {
  let requests = 0;
  beforeAll(async () => {
    const complete = await play(server, Number.POSITIVE_INFINITY, 'before');
    expect(complete.code).toBe(0);
    requests = complete.requests;
  });

  it.each(
    moments.flatMap((moment) => (['before', 'after'] as const).map((when) => ({ when, moment }))),
  )('$when a request at $moment sends nothing that is not recorded, and another machine completes it', async ({
    when,
    moment,
  }) => {
    await play(server, Math.ceil(requests * moment), when);
  });
});

async function play(server: StoreServer, piece: number, when: 'before' | 'after') {
  const [place, other] = [await openDeclared('plain', declaration), await openDeclared('plain', declaration)];
  await using _place = place;
  await using _other = other;
  const { emulator } = place;
  const address = await server.newAddress();
  const urls = {
    WEBDATA_API_URL: emulator.apiUrl,
    WEBDATA_API_KEY: emulator.keys.ops,
    WEBDATA_MANAGER_URL: emulator.managerUrl,
    WEBDATA_LEASE_SECONDS: leaseSeconds,
  };
  const elsewhere = (...args: string[]): Promise<Result> =>
    other.webdataWith({ env: { ...urls, ...server.env(), WEBDATA_BACKEND: address } }, ...args);
  // The first use creates the table, or tests the server.
  expect(await elsewhere('unlock')).toMatchObject({ code: 0, stderr: '' });
  await using proxy = await openProxy(server, address);
  proxy.cutAt(piece, when);
  const env = { ...urls, ...proxy.env, WEBDATA_BACKEND: proxy.address };
  // The AWS client reads the environment of the process.
  for (const [name, value] of Object.entries(proxy.env)) vi.stubEnv(name, value);
  const broken = await place.webdataWith({ env }, 'apply', '--yes', '--lock-timeout', '0');
  vi.unstubAllEnvs();
  const sent = migrationsOf(emulator.requests());

  const history = await elsewhere('history', '--format', 'json');
  expect(history).toMatchObject({ code: 0, stderr: '' });
  const { runs } = JSON.parse(history.stdout) as { runs: RunDocument[] };
  const recorded = runs.flatMap(({ calls }) => calls);
  const billed = sent.length + (emulator.settings().logs === 500 ? 1 : 0);
  expect(recorded.length).toBeGreaterThanOrEqual(billed);
  if (broken.code === 0) expect(runs).toMatchObject([{ command: 'apply', result: 'done' }]);
  else expect(broken.stderr).toMatch(/unreachable|could not be renewed|end-not-recorded|is not recorded/);
  expect(broken.stderr).not.toMatch(/internal error/);

  expect(await elsewhere('apply', '--yes', '--lock-timeout', '20')).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(quietOrWaiting),
  });
  const moved = migrationsOf(emulator.requests()).flatMap((line) => line.split(': ')[1]?.split(' ') ?? []);
  expect(moved.toSorted()).toEqual([...new Set(moved)].toSorted());
  expect(emulator.ips('checkout')).toEqual(expect.arrayContaining(['192.0.2.10', '192.0.2.11']));
  expect(await elsewhere('plan', '--detailed-exitcode')).toMatchObject({ code: 0 });
  const requests = proxy.pieces();
  const last = billed > 0 || moved.length > 0 ? await elsewhere('undo') : undefined;
  expect(last?.stderr ?? '').not.toMatch(/damaged|internal error/);
  return { code: broken.code, requests };
}
