import { accepting } from '../../features/accept/capability.ts';
import { acceptRegistration } from '../registered/acceptLive.ts';
import { webhookDelivery } from './kind.ts';

accepting.provide(webhookDelivery, { acceptLive: acceptRegistration });
