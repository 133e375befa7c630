/** `WebhookDelivery`: a destination for the results of scheduled runs, and for notifications. Live state: the registry of the trigger service. */

import type { Problem } from '../../base/diagnostics/problem.ts';
import { type DeliverySpec, deliverySpec } from '../../triggers/declared/deliverySpec.ts';
import { ownedKind } from '../registered/owned.ts';
import {
  findRecord,
  type RegistryRecord,
  registerRecord,
  registrationDiff,
  removalDiff,
  removeRecord,
} from '../registered/registryRecord.ts';
import { registeredView } from '../registered/view.ts';
import type { Context } from '../seam/context.ts';
import type { Kind } from '../seam/kind.ts';

type Spec = DeliverySpec;

interface WebhookDeliveryState extends RegistryRecord<Spec> {
  /** The schedules that will name the delivery after the planned calls. */
  usedBy: readonly string[];
}

export const webhookDelivery = {
  name: 'WebhookDelivery',
  collection: 'webhookDeliveries',
  get spec() {
    return deliverySpec();
  },
  ...ownedKind,
  conflicts: () => [],
  observe,
  diff: (_spec, state) => registrationDiff(state),
  converge: convergeDelivery,
  removal: {
    diff(_spec, state) {
      const diff = removalDiff(state);
      return { ...diff, problems: diff.calls.length > 0 ? inUse(state) : [] };
    },
    send: (_spec, context) => removeRecord('delivery', context),
  },
} satisfies Kind<Spec, WebhookDeliveryState>;

async function observe(spec: Spec, context: Context<Spec>): Promise<WebhookDeliveryState> {
  const found = await findRecord('delivery', context);
  const expected = await context.view(registeredView).deliveriesOf(found.owner);
  return { ...found, declared: { spec }, usedBy: expected.get(found.name) ?? [] };
}

async function convergeDelivery(spec: Spec, context: Context<Spec>): Promise<WebhookDeliveryState> {
  const state = await observe(spec, context);
  const { owner, name } = state;
  const options = { signal: context.signal };
  await registerRecord(state, (client, wanted) => client.putDelivery(owner, name, wanted, options), context);
  return observe(spec, context);
}

function inUse({ name, usedBy }: WebhookDeliveryState): Problem[] {
  if (usedBy.length === 0) return [];
  return [
    {
      code: 'delivery-in-use',
      found: `the delivery ${name} is named by ${usedBy.join(', ')}`,
      allowed: 'removing a delivery that no schedule names',
      fix: 'remove or change these schedules too',
    },
  ];
}
