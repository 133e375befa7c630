/** The operations of the trigger service, as the commands and the kinds call them. */
import type { CallOptions } from '../../client/transport/transport.ts';
import type { callsBy } from './calls.ts';

/** Throws ProblemError with the service's own problems for refused requests, otherwise ServiceError. */
export interface TriggersClient extends ReturnType<typeof callsBy> {
  /** The base URL of the trigger service. */
  readonly url: string;
  /** Returns the version of the trigger service. */
  version(options?: CallOptions): Promise<string>;
  close(): Promise<void>;
}
