/** Deliveries (Events): calls webhooks with the result of a job once it is ready, and then with the notification. Every attempt is recorded. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Account } from '../account/account.ts';
import type { Job, Runs } from '../core/runs.ts';
import type { Dialect } from '../dialect/dialect.ts';
import { withByteOrderMark } from '../http/encoding.ts';
import type { Destination, WebhookDestination } from './destinations.ts';
import { rowAnswer } from './rowText.ts';
import { callWebhook, type Payload, resultPayload, type WebhookOutcome } from './webhook.ts';

/** The part of a delivery that is not secret. */
export interface DeliveryReport {
  run: string;
  carries: 'result' | 'notification';
  type: Destination['type'];
  /** Scheme, host and path of a webhook. The query is omitted, because it may contain a secret. */
  url?: string;
  /**
   * `withheld`: a webhook whose host is not a target of the account, or another destination. `not-sent`: the job failed or was cancelled, or
   * the delivery of its result failed.
   */
  state: 'waiting' | 'delivered' | 'given-up' | 'withheld' | 'not-sent';
  /** Outcome of each attempt: for a webhook a status, `timeout` or `unreachable`. */
  attempts: WebhookOutcome[];
}

interface DeliveryRecord extends Omit<DeliveryReport, 'type' | 'url'> {
  to: Destination;
  /** Sent only after the result has been delivered. */
  isLast: boolean;
}

/** A planned delivery. */
export type DeliveryPlan = Pick<DeliveryRecord, 'carries' | 'to'> & Partial<Pick<DeliveryRecord, 'isLast'>>;

interface DeliveryContext {
  runs: Runs;
  account: Pick<Account, 'dialect' | 'targets'>;
  /** Aborted when the emulator closes; nothing is sent after that. */
  closing: AbortSignal;
}

export class Deliveries {
  readonly #context: DeliveryContext;
  readonly #deliveries: DeliveryRecord[] = [];
  readonly #underWay = new Set<Promise<void>>();

  constructor(context: DeliveryContext) {
    this.#context = context;
  }

  /** Delivers a job once it is ready: its result, and then the last deliveries. */
  schedule(run: Job, plans: readonly DeliveryPlan[]): void {
    const deliveries = plans.map((plan): DeliveryRecord => {
      const state = this.#isPossible(plan.to) ? 'waiting' : 'withheld';
      return { run: run.id, isLast: false, ...plan, state, attempts: [] };
    });
    this.#begin(run, deliveries);
  }

  /** Returns the deliveries, oldest first. */
  reports(): DeliveryReport[] {
    return this.#deliveries.map(({ run, carries, to, state, attempts }) => ({
      run,
      carries,
      type: to.type,
      ...(to.type === 'webhook' && { url: shownUrl(to.url) }),
      state,
      attempts: [...attempts],
    }));
  }

  /** Resolves when nothing more is sent, soon after the emulator closes. */
  async ended(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  #isPossible(to: DeliveryRecord['to']): boolean {
    const { targets } = this.#context.account;
    if (to.type !== 'webhook') return false;
    const { host, hostname } = new URL(to.url);
    return targets.includes(host) || targets.includes(hostname);
  }

  #begin(run: Job, deliveries: readonly DeliveryRecord[]): void {
    this.#deliveries.push(...deliveries);
    const first = deliveries.filter(({ isLast }) => !isLast);
    const all = Promise.all(first.map((delivery) => this.#carryOut(run, delivery))).then(async () => {
      const isGivenUp = first.some(({ carries, state }) => carries === 'result' && state === 'given-up');
      for (const delivery of deliveries.filter(({ isLast }) => isLast)) {
        if (isGivenUp) delivery.state = 'not-sent';
        else await this.#carryOut(run, delivery);
      }
    });
    const tracked = all.catch((error: unknown) => {
      if (!this.#context.closing.aborted) throw error;
    });
    this.#underWay.add(tracked);
    void tracked.finally(() => this.#underWay.delete(tracked));
  }

  async #carryOut(run: Job, delivery: DeliveryRecord): Promise<void> {
    const { to } = delivery;
    if (delivery.state === 'withheld' || to.type !== 'webhook') return;
    const { runs, account } = this.#context;
    // Polled, because the clock may be changed and a job finished by hand.
    while (runs.stateOf(run) === 'building') await this.#wait(lookAgainMs);
    if (/^(cancelled|failed)$/.test(runs.stateOf(run))) {
      delivery.state = 'not-sent';
      return;
    }
    const { attempts, firstDelayMs, test } = account.dialect.delivery;
    if (test) await this.#sendTest(to);
    for (let failed = 0; failed < attempts; failed += 1) {
      if (failed > 0) await this.#wait(firstDelayMs * 2 ** (failed - 1));
      const outcome = await this.#call(to, payloadOf(run, delivery, to, account.dialect));
      delivery.attempts.push(outcome);
      if (outcome === 200) {
        delivery.state = 'delivered';
        return;
      }
    }
    delivery.state = 'given-up';
  }

  /** Sends an empty POST to a webhook, as services do to test it. */
  async #sendTest(to: WebhookDestination): Promise<void> {
    await this.#call(to, {
      body: '',
      headers: to.authorization === undefined ? {} : { authorization: to.authorization },
    });
  }

  #call(to: WebhookDestination, payload: Payload): Promise<WebhookOutcome> {
    const { account, closing } = this.#context;
    return callWebhook(to, payload, { acknowledgeMs: account.dialect.delivery.acknowledgeMs, closing });
  }

  async #wait(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#context.closing });
  }
}

const lookAgainMs = 50;

function payloadOf(run: Job, { carries }: DeliveryRecord, to: WebhookDestination, { byteOrderMark }: Dialect): Payload {
  if (carries === 'notification') {
    // The specification does not show the content of a notification (Events, 1), so this is the emulator's own.
    const text = JSON.stringify({ collection_id: run.id, status: 'ready' });
    return { body: text, headers: { 'content-type': 'application/json; charset=utf-8' } };
  }
  const { body, headers } = rowAnswer(run, 'json');
  return resultPayload({ body: byteOrderMark ? withByteOrderMark(body) : body, headers }, to);
}

function shownUrl(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}
