/** A simulation as JSON; `simulationSchema.ts` defines the fields. */
import type { Problem } from '../../base/diagnostics/problem.ts';
import { jsonText } from '../../base/values/printable.ts';
import { hasFailed } from '../../engine/run/outcome.ts';
import { outcomeOf } from '../../kinds/knownCalls.ts';
import { callDocument } from '../../kinds/shownCalls.ts';
import { planDocument, resourceIdOf } from '../../report/json/json.ts';
import { problemDocument } from '../../report/json/schemaParts.ts';
import type { Meta, PlanReport } from '../../report/model/report.ts';
import { notModelled } from './model.ts';
import type { Simulation } from './simulate.ts';
import type { SimulationDocument } from './simulationSchema.ts';

/** The parts of a simulation besides its calls. */
interface SimulationRemarks {
  problems: readonly Problem[];
  warnings: readonly Problem[];
  forecast: SimulationDocument['forecast'];
}

export function simulationJson(simulation: Simulation, meta: Meta, remarks: SimulationRemarks): string {
  const { copied, plan, calls, failure, next, undo } = simulation;
  const planOf = (its: PlanReport['plan'], mode: 'plan' | 'undo', problems: PlanReport['problems'] = []) =>
    planDocument({ about: 'plan', mode, plan: its, problems, ...meta });
  const document = {
    format: 'webdata.simulation/1',
    ...meta,
    result: resultOf(simulation),
    copied,
    plan: planOf(plan, 'plan'),
    calls: calls.map(({ number, resource, sent, zones }) => ({
      number,
      resource: resourceIdOf(resource),
      call: callDocument(sent.call),
      outcome: outcomeOf(sent),
      message: sent.failed?.message,
      zones: zones.map(({ zone, countries }) => ({ zone, countries })),
    })),
    failure,
    next: next && planOf(next, 'plan'),
    undo: undo && planOf(undo.plan, 'undo', undo.problems),
    problems: remarks.problems.map(problemDocument),
    warnings: remarks.warnings.map(problemDocument),
    forecast: remarks.forecast,
    notModelled: [...notModelled],
  } satisfies SimulationDocument;
  return jsonText(document);
}

export function resultOf({ isRefused, result }: Simulation): 'refused' | 'killed' | 'failed' | 'done' {
  if (isRefused) return 'refused';
  if (result === undefined) return 'killed';
  return hasFailed(result) ? 'failed' : 'done';
}
