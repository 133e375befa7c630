/** The delivery of one run: its placeholders become what the ledger knows of the run when its trigger is sent. */
import type { ScheduledRun } from '../api/runs.ts';
import type { DeliverySpec } from '../declared/deliverySpec.ts';
import { fillPlaceholders, type PlaceholderValues, tickText } from '../declared/placeholders.ts';

/** Returns the delivery of a run. In URLs, values are encoded. */
export function deliveryOfRun(delivery: DeliverySpec, run: ScheduledRun): DeliverySpec {
  const { owner, schedule, id, tickAt } = run;
  const values: PlaceholderValues = { owner, schedule, tick: tickText(tickAt), run: id };
  const url = (text: string) => fillPlaceholders(text, values, encodeURIComponent);
  const plain = (text: string) => fillPlaceholders(text, values, String);
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
