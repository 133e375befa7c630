/** The capabilities of the kind. */
import { deliverySpec } from '../../triggers/declared/deliverySpec.ts';
import { provideRegistration } from '../registered/provides.ts';
import { webhookDelivery } from './kind.ts';

provideRegistration(webhookDelivery, 'delivery', deliverySpec);
