/** Problems of registrations that do not fit each other. */
import type { Problem } from '../../base/diagnostics/problem.ts';

interface Named {
  name: string;
}

export function deliveryInUse(name: string, schedules: readonly Named[]): Problem {
  return {
    code: 'delivery-in-use',
    found: `delivery ${name} is used by ${schedules.map((schedule) => schedule.name).join(', ')}`,
    fix: 'change or delete these schedules first',
  };
}

export function unknownDelivery(name: string, deliveries: readonly Named[]): Problem {
  return {
    code: 'unknown-delivery',
    path: ['delivery'],
    found: `delivery ${name} is not registered`,
    allowed: deliveries.map((delivery) => delivery.name).join(', ') || 'none yet',
    fix: 'register the delivery first',
  };
}
