/** The log of requests (`--log-http`): one event an attempt, with nothing secret in it. */
import type { Answer } from '../reading/answers.ts';
import type { Misfit } from '../reading/misfits.ts';
import type { Redact } from '../redact.ts';
import type { Call } from './wireRequest.ts';

export interface RequestEvent {
  method: string;
  url: string;
  /** Counted from 1. */
  attempt: number;
  /** From sending the request to the end of the answer. */
  ms: number;
  status?: number;
  error?: string;
  requestBody?: string;
  responseBody?: string;
  /** Values of the answer that did not fit and stopped nothing. */
  misfits?: Misfit[];
}

export type RequestLog = (event: RequestEvent) => void;

/** Callbacks of a running attempt. */
export interface Telling {
  answered(answer: Answer): void;
  misfits(found: Misfit[]): void;
}

/** Runs one attempt, which reports its answer, and logs it however it ends. */
export async function logged<T>(
  log: RequestLog,
  call: Call,
  attempt: number,
  run: (telling: Telling) => Promise<T>,
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

function shown(answer: Answer | undefined, redact: Redact): Pick<RequestEvent, 'status' | 'responseBody'> {
  return answer === undefined ? {} : { status: answer.status, responseBody: redact(answer.text) };
}

/** A log that fails must not make a write that took effect look like one that failed. */
function tell(log: RequestLog, event: RequestEvent): void {
  try {
    log(event);
  } catch {}
}
