/** Alerts as messages for people, in the form that webhooks of Slack take. */
import { utcTime } from '../../base/values/utcTime.ts';
import type { AlertReason } from '../declared/scheduleSpec.ts';

interface SlackMessage {
  text: string;
}

interface RunAlert {
  why: AlertReason;
  owner: string;
  schedule: string;
  run: string;
  tickAt: string;
  reason: string | null;
}

const verbs: Readonly<Record<AlertReason, string>> = {
  failed: 'failed',
  late: 'is late',
  unknown: 'has an unknown outcome',
  'given-up': 'was given up',
  unkept: 'could not be kept',
  undelivered: 'was not delivered',
  'few-rows': 'has too few rows',
};

export function slackRun({ why, owner, schedule, run, tickAt, reason }: RunAlert): SlackMessage {
  const cause = reason === null ? '' : `: ${reason}`;
  return message(`${owner}/${schedule} ${verbs[why]}${cause} — tick of ${utcTime(tickAt)}, run ${run}`);
}

/** The subjects of alerts about all schedules. */
export type ServiceAlert = 'store' | 'balance';

const leads: Readonly<Record<ServiceAlert, string>> = {
  store: 'Scheduled runs do not fire',
  balance: 'The balance is low',
};

interface ServiceFacts {
  why: ServiceAlert;
  reason: string;
  fix?: string | undefined;
}

export function slackService({ why, reason, fix }: ServiceFacts): SlackMessage {
  return message(`${leads[why]}: ${reason}${fix === undefined ? '' : `. Fix: ${fix}`}`);
}

/** Slack takes these three characters for control sequences. */
function message(text: string): SlackMessage {
  return { text: text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;') };
}
