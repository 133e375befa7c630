/** What the kind provides besides `Kind`. */
import { deliverySpec } from '../../triggers/spec/deliverySpec.ts';
import { provideRegistration } from '../registered/provides.ts';
import { webhookDelivery } from './kind.ts';

provideRegistration(webhookDelivery, 'delivery', deliverySpec);
