/** What Prometheus is told. */
import { describe, expect, it } from 'vitest';
import { createMetrics } from '../../src/triggers/server/metrics.ts';
import { createStoreHealth } from '../../src/triggers/server/storeHealth.ts';
import { openServing, token } from './serving.ts';

describe('the figures for Prometheus', () => {
  it('count schedules, runs by state, outcomes and how late triggers were', async () => {
    await using serving = await openServing();
    const metrics = createMetrics(serving.registry.operations, createStoreHealth(serving.database));
    await serving.schedule('a');
    await serving.schedule('b', { paused: true });
    await serving.run('a', { to: 'unknown', text: 'its answer was lost' });
    metrics.triggered('running', 0.3);
    metrics.triggered('running', 45);
    metrics.triggered('unknown', 1);
    const lines = (await metrics.text()).split('\n');
    for (const line of [
      'webdata_triggers_store_up 1',
      'webdata_triggers_schedules 2',
      'webdata_triggers_paused_schedules 1',
      'webdata_triggers_runs{state="unknown"} 1',
      'webdata_triggers_runs{state="failed"} 0',
      'webdata_triggers_late_runs 0',
      'webdata_triggers_outcomes_total{state="running"} 2',
      'webdata_triggers_outcomes_total{state="unknown"} 1',
      'webdata_triggers_outcomes_total{state="failed"} 0',
      'webdata_triggers_lateness_seconds_bucket{le="0.5"} 1',
      'webdata_triggers_lateness_seconds_bucket{le="60"} 3',
    ]) {
      expect(lines).toContain(line);
    }
    expect(lines.filter((line) => /^[a-z]/.test(line)).every((line) => line.startsWith('webdata_triggers_'))).toBe(
      true,
    );
  });

  it('are returned in time if the store is slow', async () => {
    await using serving = await openServing();
    const never = new Promise<never>(() => undefined);
    const silent = { getTotals: () => never };
    const [slow, away] = await Promise.all([
      createMetrics(silent, createStoreHealth(serving.database)).text(),
      createMetrics(silent, createStoreHealth({ ...serving.database, query: () => never })).text(),
    ]);
    expect(slow).toContain('webdata_triggers_store_up 1');
    expect(slow).toContain('webdata_triggers_late_runs Nan');
    expect(away).toContain('webdata_triggers_store_up 0');
  });

  it('are public if so configured, and include request durations by route', async () => {
    await using serving = await openServing({ openMetrics: true });
    await serving.call('GET', '/v1/runs/r_none');
    const answer = await fetch(`${serving.url}/metrics`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain/);
    const text = await answer.text();
    expect(text).toContain(
      'webdata_triggers_request_duration_seconds_count{method="GET",route="/v1/runs/:id",status="404"} 1',
    );
    expect(text).toContain('webdata_triggers_process_cpu_seconds_total');
    expect(text).toMatch(/^webdata_triggers_nodejs_eventloop_lag_mean_seconds \d/m);
    expect(text).not.toContain('r_none');
    expect(text).not.toContain(token);
  });
});
