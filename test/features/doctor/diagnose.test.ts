/** A whole diagnosis: its checks in their order, word for word, against an emulator and a trigger service. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readYaml } from '../../../src/base/yaml/source.ts';
import { type AccountInput, startEmulator } from '../../../src/emulator/index.ts';
import { createSharedBackend } from '../../../src/engine/backend/shared/sharedBackend.ts';
import { configOf } from '../../../src/engine/declaration/config.ts';
import { AccountBackend } from '../../../src/engine/identity/accountBackend.ts';
import { beginRun } from '../../../src/engine/run/journal.ts';
import { type Check, declarationCheck } from '../../../src/features/doctor/check.ts';
import { diagnose, isHealthy } from '../../../src/features/doctor/diagnose.ts';
import { runStates } from '../../../src/triggers/api/runs.ts';
import { version } from '../../../src/version.ts';
import { memoryStore } from '../../engine/backend/memoryStore.ts';

const account: AccountInput = {
  id: 'hl_doctor',
  zones: { checkout: { ips: { us: ['192.0.2.1', '192.0.2.2'] } } },
  manager: { ports: [24_001, 24_002] },
};
/** An account whose service and manager have names of their own. */
const odd: AccountInput = {
  ...account,
  dialect: { geoKeys: ['atlas', 'borealis', 'compass', 'daylight'], answersGetSettings: false },
};
const zones = 'zoneIpAllocations: { static: { zones: { checkout: { ips: [192.0.2.1] } } } }\n';

interface Setup {
  account?: AccountInput;
  yaml?: string;
  hasKey?: boolean;
  triggers?: Triggers;
  hasManager?: boolean;
  managerUrl?: string;
  lastVersion?: string;
}

interface Triggers {
  version?: string;
  lateNow?: number;
  unknown?: number;
  aheadMs?: number;
}

async function listen(answers: (path: string) => unknown): Promise<string> {
  const server = createServer(({ url = '' }, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(answers(url)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function triggerService({ version: its = version, lateNow = 0, unknown = 0, aheadMs = 0 }: Triggers): Promise<string> {
  const runs = { ...Object.fromEntries(runStates.map((state) => [state, 0])), unknown };
  const totals = { schedules: 3, paused: 1, deliveries: 0, runs, lateNow, lastEvent: 0 };
  return listen((path) =>
    path === '/v1/totals' ? { now: Date.now() + aheadMs, ...totals } : { info: { version: its } },
  );
}

/** Diagnoses an account. URLs of servers are shown as `SERVICE`, `MANAGER` and `TRIGGERS`. */
async function diagnosed(setup: Setup = {}) {
  const emulator = await startEmulator(setup.account ?? account, { port: 0, managerPort: 0 });
  onTestFinished(() => emulator.close());
  const triggersUrl = setup.triggers && (await triggerService(setup.triggers));
  const env = {
    WEBDATA_API_URL: emulator.apiUrl,
    WEBDATA_API_KEY: setup.hasKey === false ? undefined : emulator.keys.ops,
    ...(setup.hasManager !== false && { WEBDATA_MANAGER_URL: setup.managerUrl ?? emulator.managerUrl }),
    WEBDATA_TRIGGERS_URL: triggersUrl,
    WEBDATA_TRIGGERS_TOKEN: 'token-of-the-tests-0123456789',
  };
  const yaml = (setup.yaml ?? zones).replaceAll('MANAGER', emulator.managerUrl);
  const config = configOf(readYaml(yaml, 'w.yaml'), { env });
  const store = memoryStore();
  const backend = await AccountBackend.open(
    { memories: (name) => createSharedBackend(store, { account: name }) },
    config,
  );
  if (setup.lastVersion !== undefined) {
    const header = { command: 'apply', origin: emulator.apiUrl, version: setup.lastVersion } as const;
    await backend.withLock({ timeoutMs: 0, command: 'webdata apply', folder: '/srv' }, async () => {
      const run = await beginRun(backend, header);
      await run.end('done');
    });
  }
  const requests: string[] = [];
  const options = { retries: 0 };
  const diagnosis = await diagnose(config, declarationCheck(1), (action) => action(backend), options, {
    env: process.env,
    signal: new AbortController().signal,
    onRequest: ({ method, url }) => requests.push(`${method} ${new URL(url).pathname}`),
  });
  const shown = ({ name, result, text, fix }: Check) => {
    const line = `${result} ${name}: ${text}${fix === undefined ? '' : ` | ${fix}`}`;
    const urls = { SERVICE: emulator.apiUrl, MANAGER: emulator.managerUrl, TRIGGERS: triggersUrl ?? 'none' };
    return Object.entries(urls).reduce((line, [word, url]) => line.replaceAll(url, word), line);
  };
  const lines = diagnosis.checks.map(shown);
  return {
    diagnosis,
    requests,
    lines,
    of: (name: string) => lines.filter((line) => line.split(' ')[1]?.startsWith(name)),
  };
}

const detected =
  'note profile: detected what the specification leaves open | to pin them, paste the profile below into the declaration';
const own = `webdata ${version}, Node ${process.versions.node}`;

it('shows all checks, in their order', async () => {
  const { lines, diagnosis, requests } = await diagnosed({ triggers: {} });
  expect(lines).toEqual([
    'ok declaration: valid, declares 1 resource',
    `ok versions: ${own}`,
    'ok service: SERVICE answers; 0 zones recently used',
    'note role: the key may read zones; moving IPs needs the role Admin or Ops; whether this key may cannot be known before the first move',
    'ok zone checkout: 2 IPs',
    'ok countries: IPs can be counted by country: checkout has 1 country',
    'ok manager MANAGER: settings are read by GET; 2 ports',
    'ok triggers: TRIGGERS answers; 3 schedules, 1 paused',
    'ok backend: memory://test can be read; only a run shows whether it can be written',
    'ok account: without a name',
    'ok lock: free',
    'ok journal: no runs yet',
    'ok baseline: none yet: drift and pending changes cannot be told apart until the first apply',
    'ok clock: within 5 s of every server',
    detected,
  ]);
  expect(diagnosis.profile).toEqual({ manager: { readSettings: 'get' } });
  expect(isHealthy(diagnosis)).toBe(true);
  expect(requests).toContain('GET /v1/totals');
});

describe('the versions', () => {
  const fix = ' | use one version of webdata everywhere';

  it.each<[string, Setup, string]>([
    ['is ok without others', {}, `ok versions: ${own}`],
    ['is ok if all others have it too', { triggers: {}, lastVersion: version }, `ok versions: ${own}`],
    [
      'is noted if the trigger service has another',
      { triggers: { version: '9.9.9' } },
      `note versions: ${own}; the trigger service has 9.9.9${fix}`,
    ],
    [
      'is noted if the last run was made by another',
      { lastVersion: '9.9.9' },
      `note versions: ${own}; the last run was made by 9.9.9${fix}`,
    ],
    [
      'is noted if both have another',
      { triggers: { version: '9.9.8' }, lastVersion: '9.9.9' },
      `note versions: ${own}; the trigger service has 9.9.8, and the last run was made by 9.9.9${fix}`,
    ],
    ['ignores a run whose header was lost', { lastVersion: '' }, `ok versions: ${own}`],
  ])('%s', async (_, setup, line) => {
    expect((await diagnosed(setup)).of('versions')).toEqual([line]);
  });
});

describe('managers', () => {
  it('are skipped if none is configured', async () => {
    expect((await diagnosed({ hasManager: false })).of('manager')).toEqual([
      'skipped manager: no proxy manager is configured',
    ]);
  });

  it('are the configured one and those of declared resources, each once', async () => {
    const yaml = 'managerSettings: { one: { url: "MANAGER", logs: 5 }, two: { url: "http://127.0.0.1:1", logs: 5 } }\n';
    const { of, diagnosis } = await diagnosed({ yaml });
    expect(of('manager')).toEqual([
      'ok manager MANAGER: settings are read by GET; 2 ports',
      expect.stringMatching(
        /^failed manager http:\/\/127\.0\.0\.1:1: GET \S+ could not be sent \(.*ECONNREFUSED\) \| Check that /,
      ),
    ]);
    expect(isHealthy(diagnosis)).toBe(false);
  });

  it('are noted if they do not show their ports', async () => {
    const { of } = await diagnosed({
      account: { ...account, dialect: { recentStats: 'refused', answersGetSettings: false } },
    });
    expect(of('manager')).toEqual([
      'note manager MANAGER: settings are read by PUT of {}, which changes nothing; ports are not observable',
    ]);
  });
});

describe('the trigger service', () => {
  const fix = ' | see `webdata triggers runs`, and resolve unknown ones with `webdata triggers resolve`';
  const about = 'triggers: TRIGGERS answers; 3 schedules, 1 paused';

  it.each<[Triggers, string]>([
    [{}, `ok ${about}`],
    [{ lateNow: 1 }, `note ${about}; 1 run late${fix}`],
    [{ unknown: 2 }, `note ${about}; 2 runs with an unknown outcome${fix}`],
    [{ lateNow: 2, unknown: 1 }, `note ${about}; 2 runs late, 1 run with an unknown outcome${fix}`],
  ])('%j', async (triggers, line) => {
    expect((await diagnosed({ triggers })).of('triggers')).toEqual([line]);
  });

  it('is skipped if none is configured', async () => {
    expect((await diagnosed()).of('triggers')).toEqual(['skipped triggers: no trigger service is configured']);
  });

  it.each([
    [60_000, 'behind'],
    [-60_000, 'ahead of'],
  ])('shows how far its clock differs: %d ms', async (aheadMs, words) => {
    expect((await diagnosed({ triggers: { aheadMs } })).of('clock')).toEqual([
      expect.stringMatching(
        new RegExp(
          `^note clock: (59|60|61) s ${words} TRIGGERS \\| synchronize the clocks \\(NTP\\): the expiry of keys, due ticks and waits for listings depend on them$`,
        ),
      ),
    ]);
  });
});

describe('the profile', () => {
  const geolocation = { first: 'atlas', others: ['borealis', 'compass', 'daylight'] };
  const pinned = 'service: { profile: { manager: { readSettings: get } } }\n';

  it('is what the answers of the service and of the manager show', async () => {
    const { of, diagnosis } = await diagnosed({ account: odd });
    expect(of('profile')).toEqual([detected]);
    expect(diagnosis.profile).toEqual({ geolocation, manager: { readSettings: 'put' } });
  });

  it('is empty if the answers fit what is declared', async () => {
    const { of, diagnosis } = await diagnosed({ yaml: pinned + zones });
    expect(of('profile')).toEqual(['ok profile: the answers fit the specification and the profile']);
    expect(diagnosis.profile).toEqual({});
  });

  it('of the manager is found although the API key is missing', async () => {
    const { of, diagnosis } = await diagnosed({ account: odd, hasKey: false });
    expect(of('service')).toEqual([
      'failed service: the API key is missing | set WEBDATA_API_KEY; an admin creates keys in the control panel',
    ]);
    expect(of('zone')).toEqual([]);
    expect(diagnosis.profile).toEqual({ manager: { readSettings: 'put' } });
    expect(isHealthy(diagnosis)).toBe(false);
  });

  it('of the service is found without a usable manager', async () => {
    expect((await diagnosed({ account: odd, hasManager: false })).diagnosis.profile).toEqual({ geolocation });
    const managerUrl = 'http://user:secret@127.0.0.1:1';
    const { of, diagnosis } = await diagnosed({ account: odd, managerUrl });
    // A password in a URL is not shown.
    expect(of('manager')).toEqual([
      'failed manager http://***@127.0.0.1:1: the URL "http://***@127.0.0.1:1" contains credentials, a query or a fragment | Keep only the scheme, host, port and path; credentials have a setting of their own.',
    ]);
    expect(diagnosis.profile).toEqual({ geolocation });
  });
});
