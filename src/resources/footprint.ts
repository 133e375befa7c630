/** What a resource and its calls have to do with: those of one footprint are handled one after the other. */
import type { Call } from './call.ts';

export const footprints = {
  account: 'account',
  manager: (url: string) => `manager ${url}`,
  triggers: (url: string) => `triggers ${url}`,
} as const;

export function footprintOfCall(call: Call): string {
  if (call.type === 'migrate') return footprints.account;
  return 'manager' in call ? footprints.manager(call.manager) : footprints.triggers(call.triggers);
}
