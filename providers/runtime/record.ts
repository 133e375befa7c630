/** What an update did, call by call, kept in memory: its outcome goes into the state. */
import type { Recorder } from '../../src/kinds/context.ts';
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
        async answered({ count }) {
          sent.outcome = 'answered';
          if (count !== undefined) sent.count = count;
        },
        async failed({ effect }) {
          sent.outcome = 'failed';
          if (effect === 'none') sent.count = 0;
        },
        async seen(seen) {
          sent.seen = seen;
        },
      };
    },
  };
  return { recorder, made };
}
