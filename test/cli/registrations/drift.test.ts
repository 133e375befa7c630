/** Deliveries and schedules that are registered otherwise than declared, are declared no more, or are taken back. */
import { describe, expect, it } from 'vitest';
import { owner, yearly } from '../../triggers/serving.ts';
import { nightly, openApplied, results } from './registrations.ts';

describe('drift', () => {
  it('is a run of which nobody knows whether it was triggered, and a tick that did not fire', async () => {
    await using registering = await openApplied();
    const { webdata, serving } = registering;
    const run = await serving.run('nightly', { to: 'unknown', text: 'its answer was lost' });
    const unknown = await webdata('drift');
    expect(unknown.code).toBe(2);
    expect(unknown.stdout).toContain(run.id);
    expect(unknown.stdout).toContain('Drift: 1 schedule did not run as it should.');
    expect(await webdata('plan', '--detailed-exitcode')).toMatchObject({ code: 0 });
    await serving.registry.resolve(run.id, { as: 'lost' });
    expect(await webdata('drift')).toMatchObject({ code: 0 });
    await serving.database.query('UPDATE schedules SET next_at = 1000');
    const overdue = await webdata('drift');
    expect(overdue.code).toBe(2);
    expect(overdue.stdout).toContain('did not fire at 1970-01-01T00:00:01Z');
  });
});

describe('what is declared no more', () => {
  it('is shown, stays, and goes with --prune; what others own stays in any case', async () => {
    await using registering = await openApplied();
    const { declare, webdata, serving } = registering;
    await serving.registry.putSchedule('other', 'nightly', yearly());
    await declare('');
    expect(await webdata('plan', '--detailed-exitcode', '--prune')).toMatchObject({ code: 2 });
    const plan = await webdata('plan', '--detailed-exitcode', '--allow-removed');
    expect(plan.code).toBe(0);
    expect(plan.stdout).toContain('collectorSchedules.nightly\n  note: the schedule is registered for acme');
    expect(plan.stdout).toContain('webhookDeliveries.results\n  note: the delivery is registered for acme');
    expect(await webdata('apply', '--yes')).toMatchObject({ code: 0 });
    expect((await serving.registry.records(owner)).schedules).toHaveLength(1);

    const pruned = await webdata('apply', '--yes', '--prune');
    expect(pruned).toMatchObject({ code: 0, stdout: expect.stringContaining('Apply: 2 registrations removed.\n') });
    expect(await serving.registry.owners()).toEqual(['other']);
  });

  it('goes by a plan that was kept, and by no plan that was edited', async () => {
    await using registering = await openApplied();
    const { declare, webdata, read, write, serving } = registering;
    await serving.registry.putSchedule('other', 'nightly', yearly());
    await declare(results);
    expect(await webdata('plan', '--prune', '--output', 'plan.json')).toMatchObject({ code: 0 });
    const kept = await read('plan.json');
    await write(
      'edited.json',
      kept.replaceAll('"owner": "acme",\n          "name"', '"owner": "other",\n          "name"'),
    );
    const edited = await webdata('apply', '--yes', 'edited.json');
    expect(edited).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no longer needed: schedule: removes nightly'),
    });
    expect(await webdata('apply', '--yes', 'plan.json')).toMatchObject({ code: 0 });
    expect(await serving.registry.owners()).toEqual(['acme', 'other']);
    expect((await serving.registry.records(owner)).schedules).toEqual([]);
    expect(await webdata('plan', '--prune', '--select', 'WebhookDelivery/results')).toMatchObject({ code: 1 });
  });

  it('is out of date as a plan that was kept, once somebody else has removed it', async () => {
    await using registering = await openApplied();
    const { declare, webdata, serving } = registering;
    await declare(results);
    expect(await webdata('plan', '--prune', '--output', 'plan.json')).toMatchObject({ code: 0 });
    await serving.registry.deleteSchedule(owner, 'nightly');
    expect(await webdata('apply', '--yes', 'plan.json')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        'collectorSchedules.nightly: the plan is out of date: the resource to remove no longer exists',
      ),
    });
  });

  it('can be destroyed while it is declared, a delivery only with the schedules that name it', async () => {
    await using registering = await openApplied();
    const { webdata, serving } = registering;
    const alone = await webdata('destroy', '--yes', '--select', 'WebhookDelivery/results');
    expect(alone).toMatchObject({ code: 1, stdout: expect.stringContaining('is named by nightly') });
    const selected = ['--select', 'WebhookDelivery/results', '--select', 'CollectorSchedule/nightly'];
    expect(await webdata('destroy', '--yes', ...selected)).toMatchObject({ code: 0 });
    expect(await serving.registry.owners()).toEqual([]);
    expect(await webdata('destroy', '--yes', ...selected)).toMatchObject({ code: 0 });
  });
});

describe('undo', () => {
  it('takes away what the run registered, unless it was changed since', async () => {
    await using registering = await openApplied();
    const { webdata, serving } = registering;
    await serving.registry.setPaused(owner, 'nightly', true);
    const refused = await webdata('undo', '--yes');
    expect(refused).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('has changed since the run registered it'),
    });
    await serving.registry.setPaused(owner, 'nightly', false);
    expect(await webdata('undo', '--yes')).toMatchObject({ code: 0 });
    expect(await serving.registry.owners()).toEqual([]);
  });

  it('does not make up what was registered before', async () => {
    await using registering = await openApplied();
    const { declare, webdata, webdataWith } = registering;
    await declare(results + nightly('every: 6h'));
    expect(await webdataWith({ HOOK: 'Bearer canary-second' }, 'apply', '--yes')).toMatchObject({ code: 0 });
    const { stdout, stderr } = await webdata('undo', '--yes');
    expect(stdout + stderr).toContain('not undone: the journal does not hold the previous registration of nightly');
    const { schedules } = await registering.serving.registry.records(owner);
    expect(schedules).toMatchObject([{ spec: { every: '6h' } }]);
  });
});
