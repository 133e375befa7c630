import { urlKey } from '../../base/values/serverUrl.ts';

/** Keys that keep writers apart: resources with the same key are handled one after the other, all others in parallel. */
export const concurrencyKeys = {
  account: 'account',
  manager: (url: string) => `manager ${urlKey(url)}`,
  triggers: (url: string) => `triggers ${url}`,
} as const;
