/** Placeholders in endpoints and bucket targets, which become what the ledger knows of a run when its trigger is sent. */
import { didYouMean } from '../../base/diagnostics/nearest.ts';
import type { Problem } from '../../base/diagnostics/problem.ts';
import { shorten } from '../../base/diagnostics/valueWords.ts';
import type { ScheduledRun } from '../api/runs.ts';
import type { DeliverySpec } from './deliverySpec.ts';

const names = ['owner', 'schedule', 'tick', 'run'] as const;
const placeholder = new RegExp(`\\{(${names.join('|')})\\}`, 'g');

type Values = Readonly<Record<(typeof names)[number], string>>;

/** Returns a problem about a brace that belongs to no placeholder. */
export function placeholderProblem(text: string): Problem | undefined {
  const [brace] = /\{[^{}]*\}?|\}/.exec(text.replaceAll(placeholder, '')) ?? [];
  if (brace === undefined) return undefined;
  const allowed = names.map((name) => `{${name}}`);
  return {
    code: 'unknown-placeholder',
    found: `\`${shorten(brace)}\` is not a placeholder`,
    allowed: allowed.join(', '),
    fix: didYouMean(brace, allowed) ?? 'write a brace that is meant as %7B or %7D',
  };
}

/** Returns the delivery of a run. In URLs, values are encoded. */
export function deliveryOfRun(delivery: DeliverySpec, run: ScheduledRun): DeliverySpec {
  const { owner, schedule, id, tickAt } = run;
  const values: Values = { owner, schedule, tick: tickText(tickAt), run: id };
  const url = (text: string) => filled(text, values, encodeURIComponent);
  const plain = (text: string) => filled(text, values, String);
  const { endpoint, notify, destination } = delivery;
  return {
    ...delivery,
    ...(endpoint !== undefined && { endpoint: url(endpoint) }),
    ...(notify?.type === 'webhook' && { notify: { ...notify, endpoint: url(notify.endpoint) } }),
    ...(destination?.type === 's3' && {
      destination: {
        ...destination,
        ...(destination.directory !== undefined && { directory: plain(destination.directory) }),
        ...(destination.filename !== undefined && {
          filename: { ...destination.filename, template: plain(destination.filename.template) },
        }),
      },
    }),
  } as DeliverySpec;
}

/** Returns the time of a tick in a form that can be part of every file name, such as `2026-03-01T02-00-00Z`. */
export function tickText(tickAt: number): string {
  return new Date(tickAt)
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(':', '-');
}

function filled(text: string, values: Values, encode: (value: string) => string): string {
  return text.replaceAll(placeholder, (_, name: keyof Values) => encode(values[name]));
}
