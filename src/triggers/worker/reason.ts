/** What went wrong with a request, as the ledger keeps it and the page shows it. */
import type { ServiceError } from '../../service/errors.ts';
import type { DeliverySpec } from '../spec/deliverySpec.ts';

/**
 * The error in words, without the query of its URL, which repeats the delivery, and with the endpoints of the delivery cut to
 * their origins: their paths may hold tokens.
 */
export function reasonOf({ message, request: { url } }: ServiceError, delivery: DeliverySpec | undefined): string {
  const [address = url] = url.split('?', 1);
  return endpointsOf(delivery).reduce(
    (text, endpoint) => {
      const origin = URL.parse(endpoint)?.origin ?? '';
      return text.replaceAll(endpoint, `${origin}/…`).replaceAll(encodeURIComponent(endpoint), `${origin}/…`);
    },
    message.replaceAll(url, address),
  );
}

function endpointsOf(delivery: DeliverySpec | undefined): string[] {
  return [delivery?.endpoint, delivery?.notify?.endpoint].filter((endpoint) => endpoint !== undefined);
}
