/** Calls webhooks, for real, once a run is ready (Events): with its result, or to say that it is finished. Keeps what came of each attempt. */

import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { createGzip } from 'node:zlib';
import type { Account } from './account.ts';
import type { Run, Runs } from './core/runs.ts';
import type { Dialect } from './dialect.ts';
import { rowAnswer } from './rowText.ts';

export interface Webhook {
  url: string;
  carries: 'result' | 'notification';
  /** What is sent, made anew for each attempt. */
  payload(): { body: Readable | string; headers: Record<string, string> };
}

export interface DeliveryReport {
  run: string;
  carries: Webhook['carries'];
  /** Scheme, host and path of the webhook: its query may hold a secret. */
  url: string;
  /** `withheld`: its host is not among the targets of the account, so it is never called. */
  state: 'waiting' | 'delivered' | 'given-up' | 'withheld';
  /** What each attempt was answered: a status, `timeout`, or `unreachable`. */
  attempts: (number | 'timeout' | 'unreachable')[];
}

export class Deliveries {
  readonly #runs: Runs;
  readonly #rules: Dialect['delivery'];
  readonly #targets: readonly string[];
  readonly #closing: AbortSignal;
  readonly #reports: DeliveryReport[] = [];

  constructor(runs: Runs, { dialect, targets }: Pick<Account, 'dialect' | 'targets'>, closing: AbortSignal) {
    this.#runs = runs;
    this.#rules = dialect.delivery;
    this.#targets = targets;
    this.#closing = closing;
  }

  /** Delivers a run once it is ready; an emulator that closes delivers no more. */
  schedule(run: Run, webhook: Webhook): void {
    const { origin, pathname, host, hostname } = new URL(webhook.url);
    const isTarget = this.#targets.includes(host) || this.#targets.includes(hostname);
    const report: DeliveryReport = {
      run: run.id,
      carries: webhook.carries,
      url: origin + pathname,
      state: isTarget ? 'waiting' : 'withheld',
      attempts: [],
    };
    this.#reports.push(report);
    if (!isTarget) return;
    this.#deliver(run, webhook, report).catch((error: unknown) => {
      if (!this.#closing.aborted) throw error;
    });
  }

  /** Oldest first. */
  all(): DeliveryReport[] {
    return structuredClone(this.#reports);
  }

  async #deliver(run: Run, webhook: Webhook, report: DeliveryReport): Promise<void> {
    // Asked again and again, as the clock may be moved and a run be finished by hand.
    while (this.#runs.stateOf(run) === 'building') await this.#wait(lookAgainMs);
    const { attempts, firstDelayMs } = this.#rules;
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      if (attempt > 0) await this.#wait(firstDelayMs * 2 ** (attempt - 1));
      const outcome = await this.#attempt(webhook);
      report.attempts.push(outcome);
      if (outcome === 200) {
        report.state = 'delivered';
        return;
      }
    }
    report.state = 'given-up';
  }

  async #attempt({ url, payload }: Webhook): Promise<DeliveryReport['attempts'][number]> {
    const deadline = AbortSignal.timeout(this.#rules.acknowledgeMs);
    const signal = AbortSignal.any([deadline, this.#closing]);
    const { body, headers } = payload();
    const sent = typeof body === 'string' ? body : Readable.toWeb(body);
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers,
        body: sent,
        duplex: 'half',
        redirect: 'manual',
        signal,
      });
      await response.body?.cancel();
      return response.status;
    } catch (error) {
      if (this.#closing.aborted) throw error;
      return deadline.aborted ? 'timeout' : 'unreachable';
    }
  }

  async #wait(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#closing });
  }
}

const lookAgainMs = 50;

/** How the result of a run goes to its webhook (Events, 2). */
export interface ResultSettings {
  /** Sent as it is rather than compressed. */
  uncompressed: boolean;
  authorization: string | undefined;
}

/** The same JSON array that a download gives. */
export function resultPayload(
  run: Run,
  { uncompressed, authorization }: ResultSettings,
): ReturnType<Webhook['payload']> {
  const { body, headers } = rowAnswer(run, 'json');
  const withAuthorization = authorization === undefined ? headers : { ...headers, authorization };
  return uncompressed
    ? { body, headers: withAuthorization }
    : { body: body.pipe(createGzip()), headers: { ...withAuthorization, 'content-encoding': 'gzip' } };
}

/** The specification does not show what a notification says (Events, 1): this is the emulator's own. */
export function notificationPayload(run: Run): ReturnType<Webhook['payload']> {
  const body = JSON.stringify({ collection_id: run.id, status: 'ready' });
  return { body, headers: { 'content-type': 'application/json; charset=utf-8' } };
}
