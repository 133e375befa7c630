/** Removes a record that a run registered, and confirms the removal. */

import { type Problem, ProblemError } from '../../../base/diagnostics/problem.ts';
import { specDigest } from '../../../triggers/declared/specDigest.ts';
import type { Remaining, UndoCall, Undoing } from '../../seam/callType.ts';
import type { CallRecord, Context } from '../../seam/context.ts';
import { verifiedAgain } from '../../seam/verifiedAgain.ts';
import { registeredSpec, sendRemoval } from '../registryRecord.ts';
import { registeredView } from '../view.ts';
import type { UnregisterCall } from './registrationCall.ts';

export const undoRegistration: UndoCall<UnregisterCall> = {
  remaining,
  joins: () => false,
  async send(step, undoing) {
    undoing.context.view(registeredView).forget();
    const call = await verifiedAgain(step, undoing, remaining);
    if (call !== undefined) await removeAndConfirm(call, undoing);
  },
};

async function remaining(call: UnregisterCall, { context, done }: Undoing): Promise<Remaining<UnregisterCall>> {
  const { url } = context.triggers();
  if (url !== call.triggers) throw new ProblemError([otherService(call.triggers, url)]);
  const found = await registeredSpec(call, context);
  if (found === undefined) return { problems: [] };
  const digests = done.flatMap(({ call: sent }) => ('digest' in sent ? [sent.digest] : []));
  return { call, problems: digests.includes(specDigest(found)) ? [] : [changedSince(call)] };
}

/** An empty answer does not prove the removal: a proxy may have sent it. */
async function removeAndConfirm(call: UnregisterCall, undoing: Undoing): Promise<void> {
  const { context } = undoing;
  const records: CallRecord[] = [];
  const recorder: Context['recorder'] = {
    async sending(sent) {
      const record = await context.recorder.sending(sent);
      records.push(record);
      return record;
    },
  };
  await sendRemoval(call, { ...context, recorder });
  context.view(registeredView).forget();
  const { call: left } = await remaining(call, undoing);
  if (left === undefined) return;
  await records.at(-1)?.seen({ took: false });
  throw new ProblemError([stillRegistered(call)]);
}

function changedSince({ record, owner, name }: UnregisterCall): Problem {
  return {
    code: 'changed-since',
    found: `the ${record} ${name} of ${owner} has changed since the run registered it`,
    allowed: 'undoing changes that are still as the run left them',
    fix: 'declare what it should be and apply, or remove it from the declaration and apply with --prune',
  };
}

function otherService(found: string, now: string): Problem {
  return {
    code: 'other-origin',
    found: `the run registered at ${found}, but the trigger service is ${now} now`,
    allowed: found,
    fix: 'set triggers.url, or WEBDATA_TRIGGERS_URL, to that one',
  };
}

function stillRegistered({ record, owner, name }: UnregisterCall): Problem {
  return {
    code: 'did-not-take',
    found: `the ${record} ${name} of ${owner} is still registered after its removal was accepted`,
    fix: 'run it again; if it stays, check which server answers at triggers.url',
  };
}
