/** What an update did, call by call, kept in memory: its outcome goes into the state. */
import type { Recorder } from '../../src/resources/context.ts';
import type { Made } from './adapter.ts';

export interface Record {
  recorder: Recorder;
  /** In the order in which they were sent. */
  made: Made[];
}

export function keepRecord(): Record {
  const made: Made[] = [];
  const recorder: Recorder = {
    async sending(call) {
      const sent: Made = { call, outcome: 'unknown' };
      made.push(sent);
      return {
        async answered() {
          sent.outcome = 'answered';
        },
        async failed() {
          sent.outcome = 'failed';
        },
        async seen(seen) {
          sent.seen = seen;
        },
      };
    },
  };
  return { recorder, made };
}
