// biome-ignore-all lint/suspicious/noTemplateCurlyInString: `${NAME}` is the syntax under test
/** Accepting the live state: which resources change in the files, and why others stay as they are. */
import { describe, expect, it } from 'vitest';
import { type Problem, ProblemError } from '../../../src/base/diagnostics/problem.ts';
import { configOf } from '../../../src/engine/declaration/config.ts';
import { expandShortLists, keyOfFile, type ListContents } from '../../../src/engine/declaration/shortLists.ts';
import { type Connections, createSession } from '../../../src/engine/run/sessionViews.ts';
import { acceptLiveState } from '../../../src/features/accept/accept.ts';
import type { Acceptable } from '../../../src/features/accept/acceptable.ts';
import { mergedSource } from '../../../src/features/accept/edits.ts';
import { formatProblems } from '../../../src/report/text/problems.ts';

interface Live {
  /** The settings of each manager, by the end of its URL; a manager that is missing cannot be read. */
  managers?: Record<string, object>;
  /** The IPs of each zone. */
  zones?: Record<string, string[]>;
  /** The endpoints of the registered deliveries. */
  deliveries?: Record<string, string>;
}

interface Options {
  acceptabilityOf?: (name: string) => Partial<Acceptable>;
  lists?: ListContents;
  isStrict?: boolean;
  env?: Record<string, string>;
}

const api = { WEBDATA_API_URL: 'http://service.example', WEBDATA_API_KEY: 'key' };
const triggers = { WEBDATA_TRIGGERS_URL: 'http://triggers.example', WEBDATA_TRIGGERS_TOKEN: 'token' };

async function accept(texts: string | string[], live: Live, { acceptabilityOf, lists, isStrict, env }: Options = {}) {
  const settings = { env: { ...api, ...triggers, ...env } };
  const files = [texts].flat().map((text, index) => ({ file: `${index}.yaml`, text }));
  const client = {
    origin: api.WEBDATA_API_URL,
    profile: { migrateBatchLimit: 100 },
    inferredProfile: () => ({}),
    zones: {
      listing: async (zone: string) => ({
        ips: (live.zones?.[zone] ?? []).map((ip) => ({ ip, country: 'us', geolocation: {} })),
        names: {},
      }),
    },
  };
  const manager = (url: string) => ({
    url,
    readSettings: async () => {
      const found = live.managers?.[url.slice(-1)];
      if (found instanceof Error) throw found;
      if (found === undefined) throw new ProblemError([{ code: 'no-answer', found: `${url} does not answer` }]);
      return { settings: found, by: 'get' };
    },
    inferredProfile: () => ({}),
  });
  const records = Object.entries(live.deliveries ?? {}).map(([name, endpoint]) => ({ name, spec: { endpoint } }));
  const connections = {
    client: () => client,
    manager,
    triggers: () => ({
      url: triggers.WEBDATA_TRIGGERS_URL,
      records: async () => ({ deliveries: records, schedules: [] }),
      totals: async () => ({ now: '2026-07-01T10:00:00Z' }),
    }),
    sleep: async () => {},
  } as unknown as Connections;
  const declared = configOf(expandShortLists(mergedSource(files, settings.env), lists ?? new Map()), settings);
  const config = {
    ...declared,
    service: { ...declared.service, profile: { ...declared.service.profile, settleSeconds: 0 } },
  };
  const accepted = await acceptLiveState({
    files,
    settings,
    session: createSession(config, connections),
    acceptabilityOf: ({ name }) => ({ isAccepted: true, mayRemove: true, ...acceptabilityOf?.(name) }),
    lists: lists ?? new Map(),
    isStrict: isStrict ?? false,
    isWhole: true,
  });
  return {
    texts: accepted.files.map(({ text }) => text),
    accepted: accepted.accepted.map(({ collection, name }) => `${collection}.${name}`),
    problems: formatProblems(accepted.problems),
  };
}

const manager = (name: string, fields: string) => `  ${name}: { url: "http://m/${name}", ${fields} }\n`;
const managers = (...its: string[]) => `managerSettings:\n${its.join('')}`;

describe('the live state is accepted', () => {
  it('where it differs, and the rest of the file stays', async () => {
    const text = `# mine\n${managers(manager('a', 'logs: 1'), manager('b', 'logs: 2'))}`;
    expect(await accept(text, { managers: { a: { logs: 7 }, b: { logs: 2 } } })).toEqual({
      texts: [text.replace('logs: 1', 'logs: 7')],
      accepted: ['managerSettings.a'],
      problems: '',
    });
  });

  it('in the overlay that declares a value', async () => {
    const base = managers(manager('a', 'logs: 1, zone: x'));
    const overlay = 'managerSettings: { a: { logs: 2 } }\n';
    const { texts } = await accept([base, overlay], { managers: { a: { logs: 3, zone: 'x' } }, zones: { x: [] } });
    expect(texts).toEqual([base, overlay.replace('2', '3')]);
  });

  it('for an IP that moved from one resource to another, in as many rounds as it takes', async () => {
    const text = [
      'zoneIpAllocations:',
      '  one: { zones: { a: { ips: [192.0.2.1] } } }',
      '  two: { zones: { b: { ips: [192.0.2.2] } } }',
      '',
    ].join('\n');
    const { texts, accepted, problems } = await accept(text, { zones: { a: [], b: ['192.0.2.1', '192.0.2.2'] } });
    expect(problems).toBe('');
    expect(accepted).toEqual(['zoneIpAllocations.one', 'zoneIpAllocations.two']);
    expect(texts[0]).toContain('one: { zones: { a: { ips: [] } } }');
    expect(texts[0]).toContain('two: { zones: { b: { ips: [192.0.2.2, 192.0.2.1] } } }');
  });

  it('with unmanaged IPs if they count as drift', async () => {
    const text = 'zoneIpAllocations: { one: { zones: { a: { ips: [192.0.2.1] } } } }\n';
    const live = { zones: { a: ['192.0.2.1', '192.0.2.9'] } };
    expect((await accept(text, live)).texts).toEqual([text]);
    expect((await accept(text, live, { isStrict: true })).texts).toEqual([text.replace('1]', '1, 192.0.2.9]')]);
  });

  it('with ranges and files as they are written', async () => {
    const text = 'zoneIpAllocations: { one: { zones: { a: { ips: [192.0.2.1-192.0.2.3, { file: b.txt }] } } } }\n';
    const lists: ListContents = new Map([
      [keyOfFile('b.txt', { file: '0.yaml', line: 1, column: 1 }), { file: 'b.txt', text: '192.0.2.9\n' }],
    ]);
    const { texts } = await accept(text, { zones: { a: ['192.0.2.1', '192.0.2.2', '192.0.2.9'] } }, { lists });
    expect(texts).toEqual([text.replace('2.3', '2.2')]);
  });

  it('by removing what does not exist any more, without fields that a default declares', async () => {
    const text =
      'name: acme\nwebhookDeliveries:\n  a: { endpoint: "https://a.example/x" }\n  b: { endpoint: "https://b.example/x" }\n';
    expect(await accept(text, { deliveries: { b: 'https://b.example/x' } })).toMatchObject({
      texts: ['name: acme\nwebhookDeliveries:\n  b: { endpoint: "https://b.example/x" }\n'],
      accepted: ['webhookDeliveries.a'],
    });
  });
});

describe('a resource stays as it is', () => {
  const text = managers(manager('a', 'logs: 1'), manager('b', 'logs: 2'));
  const live = { managers: { a: { logs: 7 }, b: { logs: 8 } } };

  it('if it is not to be accepted, with the reason at its key', async () => {
    const problem: Problem = { code: 'changes-pending', at: 'key', found: 'it waits', fix: 'apply' };
    const { texts, accepted, problems } = await accept(text, live, {
      acceptabilityOf: (name) => (name === 'a' ? { isAccepted: false, problem } : {}),
    });
    expect(texts).toEqual([text.replace('logs: 2', 'logs: 8')]);
    expect(accepted).toEqual(['managerSettings.b']);
    expect(problems).toBe('0.yaml:2:3: it waits\n  at: managerSettings.a\n  fix: apply');
    const silent = await accept(text, live, { acceptabilityOf: () => ({ isAccepted: false }) });
    expect(silent).toEqual({ texts: [text], accepted: [], problems: '' });
    const accepting = await accept(text, live, { acceptabilityOf: () => ({ problem }) });
    expect(accepting.accepted).toEqual([]);
  });

  it('if it cannot be read', async () => {
    const { texts, problems } = await accept(text, { managers: { b: { logs: 8 } } });
    expect(texts).toEqual([text.replace('logs: 2', 'logs: 8')]);
    expect(problems).toBe('0.yaml:2:6: http://m/a does not answer\n  at: managerSettings.a');
  });

  it('if it may never have been applied', async () => {
    const delivery = 'name: acme\nwebhookDeliveries: { a: { endpoint: "https://a.example/x" } }\n';
    const { texts, problems } = await accept(delivery, {}, { acceptabilityOf: () => ({ mayRemove: false }) });
    expect(texts).toEqual([delivery]);
    expect(problems).toMatchInlineSnapshot(`
      "0.yaml:2:22: the resource does not exist, and it is not known whether it was removed or never applied
        at: webhookDeliveries.a
        fix: apply to create it; or name the resource, \`--accept KIND/NAME\`, to remove its declaration"
    `);
  });

  it('if its live value is a secret', async () => {
    const env = { PROXY_TOKEN: 'abcd' };
    const using = `name: "\${PROXY_TOKEN}"\n${text}`;
    const { texts, accepted, problems } = await accept(
      using,
      { managers: { a: { zone: 'abcd', logs: 1 }, b: { logs: 8 } } },
      { env },
    );
    expect(texts).toEqual([using.replace('logs: 2', 'logs: 8')]);
    expect(accepted).toEqual(['managerSettings.b']);
    expect(problems).toBe('');
    const declared = using.replace('logs: 1', 'zone: x');
    const refused = await accept(
      declared,
      { managers: { a: { zone: 'abcd' }, b: { logs: 2 } }, zones: { x: [] } },
      { env },
    );
    expect(refused.texts).toEqual([declared]);
    expect(refused.problems).toMatchInlineSnapshot(`
      "0.yaml:3:33: the live value seems to hold a secret, which is not written into a file
        at: managerSettings.a.zone
        fix: write it by hand, with a variable in place of the secret"
    `);
  });

  it('if its live state is no valid declaration, and others are still accepted', async () => {
    const invalid = { managers: { a: { logs: -5 }, b: { logs: 8 } } };
    const { texts, accepted, problems } = await accept(text, invalid);
    expect(texts).toEqual([text.replace('logs: 2', 'logs: 8')]);
    expect(accepted).toEqual(['managerSettings.b']);
    expect(problems).toMatchInlineSnapshot(`
      "0.yaml:2:33: the live state is not a valid declaration: \`logs\` is a number -5
        at: managerSettings.a.logs
        allowed: an integer of at least 0"
    `);
  });

  it('does not hide a defect', async () => {
    const broken = { managers: { a: new TypeError('a defect'), b: {} } };
    await expect(accept(text, broken)).rejects.toThrow('a defect');
  });
});
