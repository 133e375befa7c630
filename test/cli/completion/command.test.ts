/** What completion offers; that a Tab in real shells puts it in is in test/e2e/cli/completion.test.ts. */
import { describe, expect, it } from 'vitest';
import { type Harness, openDeclared, openHarness } from '../../cli/harness.ts';

/** The values that are offered for the last of the words. */
async function offered({ webdata }: Pick<Harness, 'webdata'>, ...words: string[]): Promise<string[]> {
  const { code, stdout, stderr } = await webdata('complete', '--', ...words);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [line.replace(/\t.*/, line.startsWith(':') ? '$&' : '')]));
}

const names = `zoneIpAllocations:
  static: { zones: { checkout: { count: 8 } } }
  spare-time: { zones: { archive: { count: 5 } } }
managerSettings:
  local: { logs: 5 }
`;

describe('offers', () => {
  it.each([
    ['commands', ['pl'], ['plan']],
    ['commands to get help of', ['help', 'dr'], ['drift']],
    ['commands of a command', ['ci', ''], ['plan', 'apply', 'drift', 'help']],
    ['options', ['apply', '--lo'], ['--log-http', '--lock-timeout']],
    ['options where nothing else is due', ['completion', 'zsh', ''], ['--help']],
    ['no option that was given', ['plan', '--full', '--fu'], []],
    ['no option that was given by its short name', ['apply', '-y', '--y'], []],
    ['an option again that may be given again', ['plan', '--file', 'a', '-f', 'b', '--fil'], ['--file']],
    ['no options behind --', ['plan', '--', '--fu'], []],
    ['the options of the command that CI runs', ['ci', 'drift', '--', '--stri'], ['--strict']],
    ['choices of an option', ['history', '--format', ''], ['text', 'json']],
    ['choices behind =', ['history', '--format=j'], ['--format=json']],
    ['formats of reports, with what follows', ['plan', '--report', 'ju'], ['junit=']],
    ['files behind the format of a report', ['plan', '--report', 'junit=re'], [':files\t6']],
    ['files behind both', ['plan', '--report=junit=re'], [':files\t15']],
    ['files for the declaration', ['plan', '-f', ''], [':files\t0']],
    ['files behind =', ['plan', '--file=pro'], [':files\t7']],
    ['files for a kept plan', ['apply', ''], [':files\t0']],
    ['shells', ['completion', ''], ['bash', 'zsh', 'fish']],
    ['documents', ['schema', 'd'], ['declaration', 'doctor']],
    ['nothing for a number', ['plan', '--timeout', ''], []],
    ['nothing for an unknown option', ['plan', '--nonsense=x'], []],
    ['nothing of an unknown command', ['nonsense', '--f'], []],
  ])('%s', async (_, words, expected) => {
    await using harness = await openHarness('plain');
    expect(await offered(harness, ...words)).toEqual(expected);
  });

  it('all commands but hidden ones, each with what it does', async () => {
    await using harness = await openHarness('plain');
    const { stdout } = await harness.webdata('complete', '--', '');
    expect(stdout).toContain('plan\tShow what apply would change; only reads\n');
    expect(stdout).not.toMatch(/^complete\t/m);
  });
});

describe('what is declared, for --select', () => {
  it('is offered as KIND/NAME, but for what is selected already', async () => {
    await using harness = await openDeclared('plain', names);
    const all = ['ZoneIpAllocation/static', 'ZoneIpAllocation/spare-time', 'ManagerSettings/local'];
    expect(await offered(harness, 'plan', '--select', '')).toEqual(all);
    expect(await offered(harness, 'destroy', '--select=Man')).toEqual(['--select=ManagerSettings/local']);
    expect(await offered(harness, 'plan', '--select', all[0] ?? '', '--select', '')).toEqual(all.slice(1));
    expect(harness.emulator.requests()).toEqual([]);
  });

  it('comes from the files that are named', async () => {
    await using harness = await openHarness('plain');
    await harness.write('base.yaml', 'managerSettings: { here: {} }');
    await harness.write('prod.yaml', 'managerSettings: { there: {} }');
    expect(await offered(harness, 'plan', '-f', 'base.yaml', '--file=prod.yaml', '--select', '')).toEqual([
      'ManagerSettings/here',
      'ManagerSettings/there',
    ]);
  });

  it.each([
    ['there is no file', undefined, []],
    ['it is no map', '- a\n- b\n', []],
    ['names are no names', 'managerSettings: { "a\\tb": {}, "\\e[31m": {}, ok: {} }', ['ManagerSettings/ok']],
    ['a bracket is open', 'managerSettings: { local: {}, other: [', ['ManagerSettings/local', 'ManagerSettings/other']],
    ['it is too large to be read while somebody waits', `# ${'x'.repeat(300_000)}\nmanagerSettings: { local: {} }`, []],
    ['it is binary', '\u0000\u0001\u0002', []],
  ])('nothing is said where %s', async (_, text, expected) => {
    await using harness = await openHarness('plain');
    if (text !== undefined) await harness.write('webdata.yaml', text);
    expect(await offered(harness, 'plan', '--select', '')).toEqual(expected);
  });
});

describe('runs, for undo', () => {
  it('are offered, the newest first, by an id that undo takes', async () => {
    await using harness = await openDeclared(
      'plain',
      'zoneIpAllocations:\n  static: { zones: { checkout: { count: 9 } }, spare: parked }\n',
    );
    await harness.webdata('apply', '--yes');
    await harness.webdata('undo', '--yes');
    const { runs } = JSON.parse((await harness.webdata('history', '--format', 'json')).stdout);
    const ids = runs.map(({ id }: { id: string }) => id.slice(0, 8));
    expect(ids).toHaveLength(2);
    expect(await offered(harness, 'undo', '')).toEqual(ids);
    expect(await offered(harness, 'undo', '--journal', '.webdata/journal.jsonl', ids[1])).toEqual([ids[1]]);
    expect((await harness.webdata('undo', '--yes', ids[0])).code).toBe(0);
  });

  it('are none where there is no journal, or something else in its place', async () => {
    await using harness = await openHarness('plain');
    expect(await offered(harness, 'undo', '')).toEqual([]);
    await harness.write('other.txt', 'one\ntwo\n');
    expect(await offered(harness, 'undo', '--journal', 'other.txt', '')).toEqual([]);
  });
});

it('zones are offered as the service lists them, and none where it cannot be reached', async () => {
  await using open = await openHarness('open');
  expect(await offered(open, 'zones', 'ips', 'p')).toEqual(['parked', 'pricing']);
  expect(await offered(open, 'show', '--zone', 'old')).toEqual(['old-pricing']);
  await open.emulator.close();
  expect(await offered(open, 'show', '--zone', 'p')).toEqual([]);
});
