/** Former names of options and commands work for one release, and are left out of the help. */
import { describe, expect, it } from 'vitest';
import { loadedProgram } from '../../../scripts/docs/program.ts';
import { openDeclared, openHarness } from '../harness.ts';

/** Moves 5 IPs. */
const declaration = `
zoneIpAllocations: { static: { zones: { old-pricing: { count: 0 } }, spare: parked, maxMoves: 4 } }
`;

describe('options', () => {
  it('--out is --output of plan', async () => {
    await using harness = await openDeclared('plain', declaration.replace('maxMoves: 4', 'maxMoves: 5'));
    expect(await harness.webdata('plan', '--out', 'plan.json')).toMatchObject({ code: 0, stderr: '' });
    expect(await harness.webdata('apply', 'plan.json', '--yes')).toMatchObject({ code: 0 });
  });

  it('--out is --output of pull, schema and triggers export', async () => {
    await using harness = await openHarness('plain');
    const schedule = '{ collector: c_prices, cron: "0 3 * * *", inputs: [{ url: "https://shop.example.com/" }] }';
    await harness.write('schedules.yaml', `name: acme\ncollectorSchedules:\n  nightly: ${schedule}\n`);
    for (const line of [
      ['pull', '--zone', 'checkout', '--out=live.yaml'],
      ['schema', '--out', 'schema.json'],
      ['triggers', 'export', '--to', 'crontab', '--out', 'exported', '-f', 'schedules.yaml'],
    ]) {
      expect(await harness.webdata(...line)).toMatchObject({ code: 0 });
    }
    expect(await harness.read('live.yaml')).toContain('zoneIpAllocations');
    expect(await harness.read('schema.json')).toContain('$id');
  });

  it('--allow-moves is --max-moves', async () => {
    await using harness = await openDeclared('plain', declaration);
    expect(await harness.webdata('plan')).toMatchObject({ code: 1 });
    expect(await harness.webdata('plan', '--allow-moves', '5')).toMatchObject({ code: 0 });
    const wrong = await harness.webdata('plan', '--allow-moves', 'all');
    expect(wrong.stderr).toContain('It must be a whole number');
  });
});

it.each([
  ['now', 'run-now'],
  ['run', 'fire-tick'],
])('triggers %s is triggers %s', async (former, name) => {
  await using harness = await openHarness('plain');
  const argumentsOf = (word: string) => [
    'triggers',
    word,
    'nightly',
    ...(name === 'fire-tick' ? ['--tick', 'now'] : []),
  ];
  const now = await harness.webdata(...argumentsOf(name));
  expect(now).toMatchObject({ code: 1, stderr: expect.stringContaining('the owner of the schedule is not known') });
  expect(await harness.webdata(...argumentsOf(former))).toEqual(now);
});

it('no help shows them', async () => {
  const { program } = await loadedProgram();
  const all = program.commands.flatMap((command) => [command, ...command.commands]);
  const shown = all.flatMap((command) => {
    const help = command.createHelp();
    const commands = help.visibleCommands(command).map((each) => each.name());
    return [...help.visibleOptions(command).map(({ long }) => long), ...commands];
  });
  expect(shown).toContain('--output');
  for (const former of ['--out', '--allow-moves', 'now', 'run']) expect(shown).not.toContain(former);
});
