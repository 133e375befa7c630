/** The calls of one create or update, kept in memory: they decide which outputs the state gets. */
import type { Call, SentCall } from '../../src/kinds/call.ts';
import type { Recorder } from '../../src/kinds/context.ts';

interface CallLog {
  recorder: Recorder;
  /** In the order in which the calls were sent. */
  sent: readonly SentCall<Call>[];
}

/** `beforeEach` runs before each call and may throw, so that the call is not sent. */
export function createCallLog(beforeEach: (call: Call) => void): CallLog {
  const sent: SentCall<Call>[] = [];
  const at = () => new Date().toISOString();
  const recorder: Recorder = {
    async sending(call) {
      beforeEach(call);
      const entry: SentCall<Call> = { call, sentAt: at() };
      sent.push(entry);
      return {
        async answered(answer) {
          entry.answered = { at: at(), ...answer };
        },
        async failed(error) {
          entry.failed = { at: at(), ...error };
        },
        async withdraw() {
          sent.splice(sent.indexOf(entry), 1);
        },
        async seen(seen) {
          entry.seen = { at: at(), ...seen };
        },
      };
    },
  };
  return { recorder, sent };
}
