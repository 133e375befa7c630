/** Log of requests (`--log-http`): one event per attempt, without secrets. */
import type { Answer } from '../reading/answers.ts';
import type { Misfit } from '../reading/misfits.ts';
import type { Redact } from '../redact.ts';
import type { PreparedCall } from './wireRequest.ts';

export interface RequestEvent {
  method: string;
  url: string;
  /** Counted from 1. */
  attempt: number;
  /** Time from sending the request to the end of the answer. */
  ms: number;
  status?: number;
  /** The time of the answer by the server's clock: its `Date` header. */
  date?: string;
  error?: string;
  requestBody?: string;
  responseBody?: string;
  /** Values of the answer that did not match the specification and were tolerated. */
  misfits?: Misfit[];
}

export type RequestLog = (event: RequestEvent) => void;

/** Callbacks for the progress of an attempt. */
export interface AttemptProgress {
  answered(answer: Answer): void;
  misfits(found: Misfit[]): void;
}

/** Runs one attempt, which reports its answer, and logs it in every case. */
export async function logged<T>(
  log: RequestLog,
  call: PreparedCall,
  attempt: number,
  run: (telling: AttemptProgress) => Promise<T>,
): Promise<T> {
  const { redact } = call;
  const started = performance.now();
  let answer: Answer | undefined;
  let misfits: Misfit[] = [];
  const outcome = run({
    answered(received) {
      answer = received;
    },
    misfits(found) {
      misfits = found;
    },
  });
  const error = await outcome.then(
    () => undefined,
    (fault: unknown) => fault,
  );
  tell(log, {
    method: call.method,
    url: call.identity.url,
    attempt,
    ms: performance.now() - started,
    ...(error === undefined ? {} : { error: error instanceof Error ? error.message : String(error) }),
    ...(call.body === undefined ? {} : { requestBody: redact(call.body) }),
    ...shown(answer, redact),
    ...(misfits.length === 0 ? {} : { misfits }),
  });
  return outcome;
}

function shown(answer: Answer | undefined, redact: Redact): Pick<RequestEvent, 'status' | 'date' | 'responseBody'> {
  if (answer === undefined) return {};
  const date = answer.header('date');
  return { status: answer.status, ...(date !== undefined && { date }), responseBody: redact(answer.text) };
}

/** Calls the log. A failing log must not make a successful write look like a failed one. */
function tell(log: RequestLog, event: RequestEvent): void {
  try {
    log(event);
  } catch {}
}
