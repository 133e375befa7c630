/** Pages for operators, without authorization: liveness, readiness and metrics for Prometheus. */
import type { IncomingMessage } from 'node:http';
import { Counter, Gauge, Registry } from 'prom-client';
import type { DeliveryStore, Receipt } from '../keeping/destination.ts';
import { storeProbe } from '../keeping/probe.ts';
import { type RefusalReason, refusalReasons } from './refusal.ts';

export type Monitoring = ReturnType<typeof createMonitoring>;

interface Page {
  status: number;
  text: string;
  type: string;
}

const plain = 'text/plain; charset=utf-8';
const prefix = 'webdata_receiver_';

/** @param inProgress returns the number of deliveries in progress */
export function createMonitoring(store: DeliveryStore, inProgress: () => number) {
  const register = new Registry();
  const named = (name: string, help: string) => ({ name: prefix + name, help, registers: [register] });
  const probe = storeProbe(store);
  const deliveries = new Counter({
    ...named('deliveries_total', 'Deliveries by result: kept, again, doubtful, tested, or the reason of a refusal.'),
    labelNames: ['result'],
  });
  // Without a 0 at the start, `increase()` misses the first refusal.
  for (const result of ['kept', 'again', 'doubtful', 'tested', ...refusalReasons]) deliveries.inc({ result }, 0);
  const bytes = new Counter(named('bytes_total', 'Bytes of stored deliveries, decompressed.'));
  const storeUp = new Gauge({
    ...named('store_up', 'Whether the store can be written; the cause if it cannot.'),
    labelNames: ['store', 'cause'],
  });
  new Gauge({
    ...named('in_progress', 'Deliveries in progress.'),
    collect() {
      this.set(inProgress());
    },
  });

  async function readiness(): Promise<Page> {
    const failure = await probe();
    return failure === undefined
      ? { status: 200, text: 'ready\n', type: plain }
      : { status: 503, text: `${failure.line}\n`, type: plain };
  }

  async function metrics(): Promise<Page> {
    const failure = await probe();
    storeUp.reset();
    storeUp.set({ store: store.name, cause: failure?.line ?? '' }, failure === undefined ? 1 : 0);
    return { status: 200, text: await register.metrics(), type: register.contentType };
  }

  const pages: Readonly<Record<string, () => Promise<Page>>> = {
    '/healthz': async () => ({ status: 200, text: 'ok\n', type: plain }),
    '/readyz': readiness,
    '/metrics': metrics,
  };
  return {
    /** Returns the page that a request asks for; undefined if it asks for none. */
    async page({ method, url = '' }: Pick<IncomingMessage, 'method' | 'url'>): Promise<Page | undefined> {
      const isRead = method === 'GET' || method === 'HEAD';
      return isRead ? pages[url.split('?')[0] ?? '']?.() : undefined;
    },
    kept(receipt: Receipt): void {
      deliveries.inc({ result: receipt.again ? 'again' : receipt.doubt === undefined ? 'kept' : 'doubtful' });
      if (!receipt.again) bytes.inc(receipt.bytes);
    },
    tested: () => deliveries.inc({ result: 'tested' }),
    refused: (reason: RefusalReason) => deliveries.inc({ result: reason }),
  };
}
