/** What a forge is told of an outcome. */
import type { Forge } from './forge.ts';
import type { CiCommand, Outcome } from './front.ts';
import type { Place } from './place.ts';
import { type About, driftChanged, driftEnded, driftIssue, driftMark, markerOf, planComment } from './texts.ts';

/** Tells it, and gives what to say of that to whoever reads the log. */
export type Message = (forge: Forge) => Promise<string>;

/** Undefined where there is nothing to tell. */
export function messageFor(
  command: CiCommand,
  outcome: Outcome,
  about: About,
  { request, forge }: Place,
): Message | undefined {
  if (command === 'apply') return undefined;
  if (command === 'drift') return driftMessage(outcome, about);
  const name = forge === 'GitLab' ? `merge request !${request}` : `pull request #${request}`;
  return async (told) => {
    const url = await told.upsertComment(markerOf('plan', about.key), planComment(outcome, about));
    return `The plan is told in ${name}: ${url}`;
  };
}

function driftMessage(outcome: Outcome, about: About): Message | undefined {
  const marker = markerOf('drift', about.key);
  // Nothing is known then, and what was told before may still be so.
  if (outcome.code === 1) return undefined;
  if (outcome.code === 0) {
    return async (told) => {
      const closed = await told.closeIssue(marker, driftEnded(about, new Date()));
      return closed.length === 0
        ? 'No issue about drift is open.'
        : `The issue about drift is closed: ${closed.join(' ')}`;
    };
  }
  return async (told) => {
    const mark = driftMark(outcome.fingerprint);
    const changed = driftChanged(outcome, about);
    const { url, was } = await told.openOrUpdateIssue({ marker, mark, changed, ...driftIssue(outcome, about) });
    return `The issue about drift is ${was === 'opened' ? 'opened' : 'up to date'}: ${url}`;
  };
}
