/** The two routes of snapshots: the download of the specification, and `/datasets/v3/snapshot/ID` with progress and cancel, which some services have instead. */
import { type Fixes, ServiceError } from '../../errors.ts';
import type { Inferences } from '../../inferredProfile.ts';
import type { ServiceProfile } from '../../profile.ts';
import { object, optional, text } from '../../reading/readers.ts';
import type { CallOptions, Transport } from '../../transport/transport.ts';
import { pathSegment, type WireRequest } from '../../transport/wireRequest.ts';
import { type OpenResult, openResult, type ResultOutcome } from './results/openResult.ts';
import type { ResultRequest } from './results/resultReading.ts';

type SnapshotRoute = NonNullable<ServiceProfile['datasets']['snapshotRoute']>;

interface SnapshotRoutes {
  /** Requests a snapshot at the route that the service has. @throws ServiceError, `not-found` if no route knows it */
  open(request: ResultRequest & CallOptions): Promise<ResultOutcome<OpenResult>>;
  /** Returns the path that is asked first. */
  path(id: string): string;
  cancel(id: string, options?: CallOptions): Promise<boolean>;
}

export function createSnapshotRoutes(
  transport: Transport,
  { datasets }: ServiceProfile,
  inferences: Inferences,
): SnapshotRoutes {
  let known: SnapshotRoute | undefined = datasets.snapshotRoute;
  /** Snapshots that the specified route did not know, and that the other route was asked about. */
  const askedElsewhere = new Set<string>();

  function learn(route: SnapshotRoute): void {
    if (known === undefined && route === 'snapshot') inferences.add({ datasets: { snapshotRoute: route } });
    known ??= route;
  }

  async function ask(route: SnapshotRoute, request: ResultRequest & CallOptions): Promise<ResultOutcome<OpenResult>> {
    // Before the route is known, one request has to do.
    const early = known === 'snapshot' ? await progress(request) : undefined;
    const { signal, ...result } = request;
    const found =
      early ?? (await openResult(transport, { ...downloadRequest(route, result, datasets), signal }, result));
    if (!('cause' in found)) learn(route);
    return found;
  }

  /** Asks for the state without a download, so that a failure is known at once. Undefined if the snapshot is ready, or its state is not known. */
  async function progress({ id, signal }: ResultRequest & CallOptions): Promise<ResultOutcome<OpenResult> | undefined> {
    const request = { method: 'GET', path: `/datasets/v3/progress/${pathSegment(id)}`, fixes, signal } as const;
    const { status } = await transport.read(request, object({ status: optional(text) })).catch(withoutProgress);
    if (status === 'failed') throw jobFailed(`${transport.url}${request.path}`);
    return status === 'starting' || status === 'running' || status === 'building'
      ? { unfinished: { said: status } }
      : undefined;
  }

  return {
    async open(request) {
      // The other route is asked once while the service may not know the snapshot yet, and once more before that is final.
      const isSecondAsked = known === undefined && !(request.isRecent && askedElsewhere.has(request.id));
      const first = known ?? 'download';
      try {
        return await ask(first, { ...request, isRecent: false });
      } catch (error) {
        if (!isUnknown(error)) throw error;
        if (isSecondAsked) {
          const other = await ask('snapshot', { ...request, isRecent: false }).catch((second: unknown) => {
            if (!isUnknown(second)) throw second;
            askedElsewhere.add(request.id);
            return undefined;
          });
          if (other !== undefined) return other;
        }
        if (request.isRecent && error.status !== 410) return { unfinished: error.said ? { said: error.said } : {} };
        throw error;
      }
    },
    path: (id) => pathOf(known ?? 'download', id),
    async cancel(id, { signal } = {}) {
      if (known === 'download') return false;
      const path = `${pathOf('snapshot', id)}/cancel`;
      try {
        await transport.text({ method: 'POST', path, body: {}, signal });
        return true;
      } catch (error) {
        if (error instanceof ServiceError && ['not-found', 'refused'].includes(error.code)) return false;
        throw error;
      }
    },
  };
}

function pathOf(route: SnapshotRoute, id: string): string {
  const segment = pathSegment(id);
  return route === 'download' ? `/datasets/snapshots/${segment}/download` : `/datasets/v3/snapshot/${segment}`;
}

function isUnknown(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.code === 'not-found';
}

/** A service without the route of progress, or with another answer, has the state in its snapshot. */
function withoutProgress(error: unknown): { status?: string } {
  if (error instanceof ServiceError && ['not-found', 'refused', 'unexpected-answer'].includes(error.code)) return {};
  throw error;
}

function jobFailed(url: string): ServiceError {
  return new ServiceError(`GET ${url} was answered: the job failed`, {
    code: 'job-failed',
    request: { method: 'GET', url },
    fix: 'Check the inputs of the trigger; each trigger is billed.',
    effect: 'none',
    transient: false,
  });
}

const fixes: Fixes = {
  'not-found':
    'Check the id (`s_…`) against the snapshot_id in the answer to the trigger. Results are kept for a few days only. If the snapshot was triggered very recently, try again in a few minutes.',
  'unexpected-answer': 'Download it again.',
};

function downloadRequest(
  route: SnapshotRoute,
  { id, format }: ResultRequest,
  { ndjsonFormat }: ServiceProfile['datasets'],
): WireRequest {
  const accept = { json: 'application/json', ndjson: 'application/x-ndjson, */*', csv: 'text/csv, */*' }[format];
  const named = format === 'ndjson' ? ndjsonFormat : format;
  return { method: 'GET', path: pathOf(route, id), query: { format: named }, accept, fixes };
}
