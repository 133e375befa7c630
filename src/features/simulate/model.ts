/** The parts of an account that a simulation models, and those that it leaves out, in words. */
import { counted } from '../../base/diagnostics/valueWords.ts';
import type { CopySize } from './copy.ts';

export function modelled({ zones, ips, managers, deliveries, schedules }: CopySize): string {
  const parts = [
    ...(zones > 0 ? [`${counted(ips, 'IP')} in ${counted(zones, 'zone')}`] : []),
    ...(managers > 0 ? [`settings and ports of ${counted(managers, 'proxy manager')}`] : []),
    ...(deliveries > 0 ? [deliveries === 1 ? '1 delivery' : `${deliveries} deliveries`] : []),
    ...(schedules > 0 ? [counted(schedules, 'schedule')] : []),
  ];
  return parts.length === 0 ? 'nothing is there yet' : parts.join(', ');
}

export const notModelled = [
  'the role of the key',
  'the lag of listings',
  'changes by other users',
  'limits and charges of the service',
  'values that a manager accepts and does not keep',
  'the endpoints that the trigger service allows',
] as const;
