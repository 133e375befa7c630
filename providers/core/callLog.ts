/** The calls of one create or update, kept in memory: they decide which outputs the state gets. */
import type { Call, SentCall } from '../../src/kinds/call.ts';
import type { CallRecord, Recorder } from '../../src/kinds/context.ts';

interface CallLog {
  recorder: Recorder;
  /** In the order in which the calls were sent. */
  sent: readonly SentCall<Call>[];
}

/** `record` runs before each call, and may return a record of another log. If it throws, the call is not sent. */
export function createCallLog(record: (call: Call) => Promise<CallRecord | undefined>): CallLog {
  const sent: SentCall<Call>[] = [];
  const at = () => new Date().toISOString();
  const recorder: Recorder = {
    async sending(call) {
      const other = await record(call);
      const entry: SentCall<Call> = { call, sentAt: at() };
      sent.push(entry);
      return {
        async answered(answer) {
          entry.answered = { at: at(), ...answer };
          await other?.answered(answer);
        },
        async failed(error) {
          entry.failed = { at: at(), ...error };
          await other?.failed(error);
        },
        async withdraw() {
          sent.splice(sent.indexOf(entry), 1);
          await other?.withdraw();
        },
        async seen(seen) {
          entry.seen = { at: at(), ...seen };
          await other?.seen(seen);
        },
      };
    },
  };
  return { recorder, sent };
}
