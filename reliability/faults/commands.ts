/** A scenario for every command that calls a peer. Each succeeds on its account. */
import { type AccountInput, readAccount } from '../../src/emulator/index.ts';
import { accounts } from '../../test/cli/harness.ts';
import { searchPages } from '../../test/searchPages.ts';
import { owner, yearly } from '../../test/triggers/serving.ts';
import { optionalCalls, optionsOf, readBackCalls, type Scenario } from './scenario.ts';
import type { CellWorld } from './world.ts';

export async function plain(): Promise<AccountInput> {
  const account = await readAccount(accounts.plain);
  return {
    ...account,
    zones: { ...account.zones, results: { type: 'search', ips: {} } },
    pages: { ...account.pages, ...searchPages('coffee') },
    collectors: { c_prices: { row: { title: 'Item {n}' } } },
    datasets: { gd_companies: { row: { name: 'Company {n}' } } },
  };
}

const odd = () => readAccount(accounts.odd);

const profile = 'settleSeconds: 1\n    searchEngineUrl: https://search.example.com';
const oddProfile = `settleSeconds: 2
    geolocation: { first: atlas, others: [borealis, compass, daylight] }
    perCountrySwitch: { name: totals, value: country }
    manager: { ports: { route: /api/proxies_running } }`;

const allocation = `
zoneIpAllocations:
  static: { zones: { checkout: { ips: [192.0.2.10, 192.0.2.11] } }, sources: [pricing], spare: parked, onDelete: release }
`;
const settings = `
managerSettings:
  local: { logs: 500, absentPorts: [24010] }
`;
const registrations = `
webhookDeliveries:
  results: { endpoint: https://hooks.example.com/webdata }
collectorSchedules:
  nightly: { collector: c_prices, cron: "0 3 1 1 *", inputs: [{ url: "https://shop.example.com/a" }], delivery: results }
`;

const declared = (text: string, of = profile) => `name: ${owner}\nservice:\n  profile:\n    ${of}\n${text}`;
const declare =
  (text: string, of = profile) =>
  (world: CellWorld) =>
    world.write('webdata.yaml', declared(text, of));
const all = allocation + settings + registrations;

const readOnly = { front: 'command', account: plain, writes: false, prepare: declare(all) } as const;
const writing = { front: 'command', account: plain, writes: true, prepare: declare(all) } as const;

const input = ['--input', 'url=https://shop.example.com/1'];

type More = Partial<Omit<Scenario, 'name' | 'run' | 'front'>>;

function command(
  base: Pick<Scenario, 'front' | 'account' | 'writes'> & More,
  args: readonly string[],
  more: More = {},
): Scenario {
  return {
    ...base,
    ...more,
    name: args
      .filter((word) => !word.startsWith('https:') && !word.includes('=') && word !== '--' && word !== '--input')
      .join(' '),
    run: (world, options) => world.webdata(...args, ...optionsOf(options)),
  };
}

const planning: More = { copesWith: optionalCalls };
const page: More = { handsOn: ['request'], again: 'never' };

const reads: readonly Scenario[] = [
  command(readOnly, ['plan'], planning),
  command(readOnly, ['plan', '--format', 'json'], { ...planning, brief: true }),
  command(readOnly, ['drift'], { ...planning, success: [2] }),
  command(readOnly, ['ci', 'plan', '--'], { ...planning, brief: true }),
  command(readOnly, ['pull', '--zone', 'checkout', '--zone', 'pricing'], { copesWith: optionalCalls }),
  command(readOnly, ['pull'], {
    copesWith: optionalCalls,
    takes: { 'recent ips': ['fields of other types'] },
  }),
  command(readOnly, ['zones', 'ips', 'checkout', '--format', 'csv'], {
    takes: { 'zone ips': ['null'] },
    home: ['zone ips'],
  }),
  command(readOnly, ['zones', 'countries', 'checkout'], {
    takes: { 'zone countries': ['null', 'fields of other types'] },
    home: ['zone countries'],
  }),
  command(readOnly, ['zones', 'recent', 'checkout', '--format', 'ndjson'], {
    takes: { 'recent ips': ['null', 'another type', 'fields of other types'] },
    home: ['recent ips'],
  }),
  command(readOnly, ['asns', 'checkout'], {
    takes: { asns: ['null', 'fields of other types'] },
    home: ['asns'],
  }),
  command(readOnly, ['manager', 'settings'], {
    copesWith: { 'settings by get': optionalCalls['settings by get'] },
    takes: {
      'settings by get': ['a declared size of a terabyte', 'a body without end', 'a small gzip that is a huge body'],
    },
    home: ['settings by get'],
  }),
  command(readOnly, ['manager', 'stats'], { home: ['recent stats'] }),
  command(readOnly, ['triggers', 'schedules'], { home: ['schedules'] }),
  command(readOnly, ['triggers', 'runs'], { home: ['runs'] }),
  {
    ...command(readOnly, ['plan'], planning),
    name: 'plan (odd account)',
    account: odd,
    takes: { 'settings by put': ['fields of other types'] },
    notesOf: ['triggers'],
    home: ['settings by put', 'ports by route'],
    prepare: declare(allocation + settings, oddProfile),
  },
];

/** Billed triggers: they are not sent again, and no read shows whether they took effect. */
const charged: readonly Scenario[] = [
  command(writing, ['request', 'https://example.com/', '--zone', 'checkout'], { ...page, home: ['request'] }),
  command(writing, ['request', 'https://example.com/', '--zone', 'checkout', '--format', 'json'], {
    again: 'never',
    anyJson: ['request'],
    takes: { request: ['invalid JSON'] },
  }),
  command(writing, ['search', 'coffee', '--zone', 'results', '--format', 'ndjson'], {
    again: 'never',
    takes: { request: ['fields of other types'] },
  }),
  command(writing, ['reviews', '0x1:0x2', '--zone', 'results'], {
    again: 'never',
    takes: { request: ['another type'] },
  }),
  command(writing, ['collect', 'c_prices', ...input, '--poll', '1', '--max-wait', '8s'], {
    again: 'never',
    waits: 'after a trigger',
  }),
  command(writing, ['collect', '--dataset', 'gd_companies', ...input, '--poll', '1', '--max-wait', '8s'], {
    again: 'never',
    waits: 'after a trigger',
  }),
  command(writing, ['collect', 'c_prices', ...input, '--no-wait'], {
    again: 'never',
    takes: { 'collector trigger': ['fields of other types'] },
    home: ['collector trigger'],
  }),
  command(writing, ['collect', '--dataset', 'gd_companies', ...input, '--no-wait'], {
    again: 'never',
    takes: { 'dataset trigger': ['fields of other types'] },
    home: ['dataset trigger'],
  }),
];

/** Commands that read the rows of an earlier job. */
const results: readonly Scenario[] = [
  {
    ...resumed(
      'collect --resume j_…',
      ['collect', 'c_prices'],
      ['collect', '--poll', '1', '--max-wait', '8s', '--resume'],
      'collector dataset',
    ),
    waits: 'for a job of before',
  },
  resumed('snapshot s_…', ['collect', '--dataset', 'gd_companies'], ['snapshot'], 'snapshot download'),
  {
    ...resumed('snapshot s_… --format csv', ['collect', '--dataset', 'gd_companies'], ['snapshot', '--format', 'csv']),
    noJson: ['snapshot download'],
  },
  resumed('snapshot s_… --output', ['collect', '--dataset', 'gd_companies'], ['snapshot', '--output', 'rows.json']),
];

function resumed(name: string, trigger: readonly string[], args: readonly string[], home?: string): Scenario {
  const ids = new WeakMap<CellWorld, string>();
  return {
    ...readOnly,
    name,
    home: home === undefined ? [] : [home],
    async prepare(world) {
      ids.set(world, (await world.webdata(...trigger, ...input, '--no-wait')).stdout.trim());
    },
    run: (world, options) => world.webdata(...args, ids.get(world) ?? '', ...optionsOf(options)),
  };
}

const applying: More = { ...planning, readsBack: readBackCalls };

const writes: readonly Scenario[] = [
  command(writing, ['apply', '--yes'], {
    ...applying,
    home: ['update settings', 'records', 'totals', 'put delivery', 'put schedule'],
  }),
  {
    ...command(writing, ['apply', '--yes'], applying),
    name: 'apply --yes (odd account)',
    account: odd,
    takes: { 'settings by put': ['fields of other types'] },
    notesOf: ['triggers'],
    prepare: declare(allocation + settings, oddProfile),
  },
  {
    ...command(writing, ['apply', 'plan.json', '--yes'], { ...applying, brief: true }),
    async prepare(world) {
      await declare(all)(world);
      await world.webdata('plan', '--output', 'plan.json');
    },
    again: (world) => world.webdata('apply', '--yes'),
  },
  command(writing, ['ci', 'apply', '--'], { ...applying, brief: true }),
  {
    ...command(writing, ['apply', '--prune', '--yes'], { ...applying, brief: true }),
    async prepare(world) {
      await declare(registrations)(world);
      await world.webdata('apply', '--yes');
      await declare(settings)(world);
    },
  },
  {
    ...command(writing, ['destroy', '--select', 'ZoneIpAllocation/static', '--yes'], applying),
    prepare: applied,
  },
  {
    ...command(
      writing,
      ['destroy', '--select', 'CollectorSchedule/nightly', '--select', 'WebhookDelivery/results', '--yes'],
      { ...applying, home: ['delete delivery', 'delete schedule'] },
    ),
    prepare: applied,
  },
  undoing(),
  command(writing, ['zones', 'migrate', '--from', 'pricing', '--to', 'checkout', '--yes', '192.0.2.10', '192.0.2.11'], {
    readsBack: ['migrate'],
    home: ['migrate'],
    showsAnswer: true,
  }),
  registered(['triggers', 'pause', 'nightly'], { home: ['pause'] }),
  registered(['triggers', 'run-now', 'nightly', '--yes'], { again: 'never', home: ['run now'] }),
];

async function applied(world: CellWorld): Promise<void> {
  await declare(all)(world);
  await world.webdata('apply', '--yes');
}

/** Names the run, because a failed undo is now the latest run. */
function undoing(): Scenario {
  const ids = new WeakMap<CellWorld, string>();
  const undo = (world: CellWorld, ...more: string[]) => world.webdata('undo', ids.get(world) ?? '', '--yes', ...more);
  return {
    ...writing,
    ...applying,
    name: 'undo RUN --yes',
    async prepare(world) {
      await declare(allocation + settings)(world);
      await world.webdata('apply', '--yes');
      const { stdout } = await world.webdata('history', '--format', 'json');
      ids.set(world, (JSON.parse(stdout) as { runs: { id: string }[] }).runs[0]?.id ?? '');
    },
    run: (world, options) => undo(world, ...optionsOf(options)),
    again: (world) => undo(world),
  };
}

/** Runs the command on a schedule that ticks once a year. */
function registered(args: readonly string[], more: More = {}): Scenario {
  return {
    ...command(writing, args, more),
    async prepare(world) {
      await declare('')(world);
      await world.backend.serving.registry.putSchedule(owner, 'nightly', yearly());
    },
  };
}

/** Runs the command on a scheduled run whose outcome is unknown. */
function ofRun(
  args: (id: string) => readonly string[],
  base: typeof readOnly | typeof writing,
  name: string,
): Scenario {
  const ids = new WeakMap<CellWorld, string>();
  return {
    ...base,
    name,
    again: 'never',
    async prepare(world) {
      const { serving } = world.backend;
      await serving.schedule('nightly');
      const run = await serving.run('nightly', { to: 'unknown', text: 'lost' });
      ids.set(world, run.id);
    },
    run: (world, options) => world.webdata(...args(ids.get(world) ?? ''), ...optionsOf(options)),
  };
}

const runs: readonly Scenario[] = [
  { ...ofRun((id) => ['triggers', 'show', id], readOnly, 'triggers show r_…'), home: ['run'] },
  {
    ...ofRun((id) => ['triggers', 'resolve', id, '--lost'], writing, 'triggers resolve r_… --lost'),
    home: ['resolve'],
  },
];

export const commandScenarios: readonly Scenario[] = [...reads, ...results, ...charged, ...writes, ...runs];
