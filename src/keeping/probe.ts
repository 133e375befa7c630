/** Asks whether deliveries can be stored now, without asking the store for each request of a monitor. */
import type { DeliveryStore } from './destination.ts';
import { type StoreFailure, storeFailure } from './storeFailure.ts';

/** Large enough to notice a full disk. */
const probeBytes = 64 * 1024;

export async function* probePieces(): AsyncGenerator<Buffer> {
  yield Buffer.alloc(probeBytes);
}

/** A probe that takes longer has failed: monitors wait a few seconds. */
const timeoutMs = 5000;
/** A successful probe holds for this long, because probes of a bucket are billed. */
const validMs = 10_000;

/** Returns a function that returns why deliveries cannot be stored; undefined if they can. Concurrent questions share one probe. */
export function storeProbe(store: DeliveryStore): () => Promise<StoreFailure | undefined> {
  let last: Promise<StoreFailure | undefined> | undefined;
  let end = 0;
  return async () => {
    if (last === undefined || performance.now() > end) {
      end = Infinity;
      last = probed(store);
      const failure = await last;
      // A failure is not remembered, so that readiness returns at once.
      end = failure === undefined ? performance.now() + validMs : 0;
    }
    return last;
  };
}

/** Returns why a delivery cannot be stored now; undefined if it can. */
export async function probed(store: DeliveryStore): Promise<StoreFailure | undefined> {
  const signal = AbortSignal.timeout(timeoutMs);
  const late = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => late.reject(Object.assign(new Error(), { code: 'ETIMEDOUT' })));
  try {
    await Promise.race([store.probe(signal), late.promise]);
    return undefined;
  } catch (error) {
    return storeFailure(store, error);
  }
}
