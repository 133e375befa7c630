/** Plan, apply and drift as functions: the same results, journal, lock and guards as the commands. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { apply, drift, type PlanResult, type ProgramEvent, type ProgramOptions, plan } from '../src/index.ts';
import { type Harness, openDeclared, writesOf } from './cli/harness.ts';
import { stateFolderOf } from './stateFolder.ts';

const oneMove = `zoneIpAllocations:
  static:
    zones:
      checkout: { ips: [192.0.2.10] }
    sources: [pricing, parked]
`;

async function open(declaration = oneMove): Promise<Harness & { options: ProgramOptions; events: ProgramEvent[] }> {
  const harness = await openDeclared('plain', declaration);
  onTestFinished(() => harness[Symbol.asyncDispose]());
  const { emulator, folder: cwd } = harness;
  // The machine of the commands: they share its lock.
  const env = { ...stateFolderOf(cwd), WEBDATA_API_URL: emulator.apiUrl, WEBDATA_API_KEY: emulator.keys.ops };
  const events: ProgramEvent[] = [];
  return { ...harness, events, options: { cwd, env, onEvent: (event) => events.push(event) } };
}

/** The report of a command without what differs between two of them. */
function comparable(json: string): object {
  return { ...JSON.parse(json), createdAt: undefined };
}

describe('plan', () => {
  it('has the calls and the report of `webdata plan`, and sends nothing', async () => {
    const { options, emulator, webdata } = await open();
    const planned = await plan(options);
    expect(planned).toMatchObject({
      hasChanges: true,
      resources: [{ name: 'static', calls: [{ type: 'migrate', from: 'pricing', to: 'checkout' }] }],
      summary: { problems: 0 },
      problems: [],
    });
    expect(writesOf(emulator.requests())).toEqual([]);
    const { stdout } = await webdata('plan', '--format', 'json');
    expect(comparable(await planned.format('json'))).toEqual(comparable(stdout));
  });

  it('returns the problems of resources with their locations, and throws those of the declaration', async () => {
    const { options, write } = await open(oneMove.replace('192.0.2.10', '203.0.113.9'));
    const planned = await plan(options);
    expect(planned).toMatchObject({ planFile: undefined, problems: [{ place: { file: 'webdata.yaml' } }] });
    await write('webdata.yaml', 'zoneIpAllocation: {}\n');
    await expect(plan(options)).rejects.toMatchObject({
      name: 'ProblemError',
      problems: [{ fix: expect.any(String) }],
    });
  });
});

describe('apply', () => {
  it('journals each call before it is sent, and reports the outcome', async () => {
    const { options, events, emulator, webdata } = await open();
    const applied = await apply(options);
    expect(applied).toMatchObject({ status: 'applied', totals: { made: 1, calls: 1 }, problems: [] });
    expect(emulator.ips('checkout')).toContain('192.0.2.10');
    const steps = events.filter(({ type }) => type !== 'request' && type !== 'warning');
    expect(steps.map((event) => (event.type === 'outcome' ? event.outcome : event.type))).toEqual([
      'planned',
      'sending',
      'accepted',
      'done',
    ]);
    const { stdout } = await webdata('history', '--format', 'json');
    expect(JSON.parse(stdout).runs).toMatchObject([{ id: applied.run, command: 'apply', result: 'done' }]);
    expect(await applied.format('markdown')).toContain('192.0.2.10');
    expect(await apply(options)).toMatchObject({ status: 'unchanged', run: undefined });
  });

  it('sends nothing without approval, or if a guard is broken', async () => {
    const { options, emulator } = await open(
      `${oneMove.replace('192.0.2.10', '192.0.2.10, 192.0.2.11')}    maxMoves: 1\n`,
    );
    const approve = ({ hasChanges }: PlanResult) => !hasChanges;
    expect(await apply({ ...options, maxMoves: 2, approve })).toMatchObject({ status: 'declined' });
    expect(await apply(options)).toMatchObject({ status: 'refused', problems: [{ code: 'too-many-moves' }] });
    expect(writesOf(emulator.requests())).toEqual([]);
  });

  it('applies a reviewed plan once, and only while it is up to date', async () => {
    const { options, emulator } = await open();
    const { planFile } = await plan(options);
    const reviewed = JSON.parse(JSON.stringify(planFile));
    emulator.move(['192.0.2.10'], 'parked');
    await expect(apply({ ...options, planFile: reviewed })).rejects.toMatchObject({
      problems: [{ code: 'stale-plan' }],
    });
    emulator.move(['192.0.2.10'], 'pricing');
    expect(await apply({ ...options, planFile: reviewed })).toMatchObject({ status: 'applied' });
    await expect(apply({ ...options, planFile: reviewed })).rejects.toMatchObject({
      problems: [{ code: 'plan-applied' }],
    });
    await expect(apply({ ...options, planFile: { ...reviewed, calls: 'many' } })).rejects.toThrow('not a plan file');
    const selecting = { ...options, planFile: reviewed, select: ['ZoneIpAllocation/static'] };
    await expect(apply(selecting)).rejects.toMatchObject({ problems: [{ code: 'option-of-plan' }] });
  });

  it('waits for the lock that a command holds', async () => {
    const { options, webdataWith } = await open();
    let held: Promise<unknown> = Promise.resolve();
    const confirm = async () => {
      held = expect(apply({ ...options, lockTimeout: 0 })).rejects.toMatchObject({ problems: [{ code: 'locked' }] });
      await held;
      return false;
    };
    expect(await webdataWith({ confirm }, 'apply')).toMatchObject({ code: 1 });
    await held;
  });

  it('throws the error of a listener after everything is recorded', async () => {
    const { options, emulator, webdata } = await open();
    const onEvent = () => {
      throw new Error('the listener failed');
    };
    await expect(apply({ ...options, onEvent })).rejects.toThrow('the listener failed');
    expect(emulator.ips('checkout')).toContain('192.0.2.10');
    const { stdout } = await webdata('history', '--format', 'json');
    expect(JSON.parse(stdout).runs).toMatchObject([{ result: 'done' }]);
  });
});

describe('drift', () => {
  it('tells drift from pending changes, as `webdata drift` does', async () => {
    const { options, emulator, write, read } = await open();
    await apply(options);
    expect(await drift(options)).toMatchObject({ isDrifted: false, hasChanges: false });
    await write('webdata.yaml', (await read('webdata.yaml')).replace('192.0.2.10', '192.0.2.11'));
    expect(await drift(options)).toMatchObject({ isDrifted: false, hasChanges: true });
    expect(await drift({ ...options, pending: true })).toMatchObject({ isDrifted: true });
    emulator.move(['192.0.2.10'], 'parked');
    expect((await drift(options)).resources[0]?.causes?.map(({ cause }) => cause)).toContain('pending');
  });
});
