import { accepting } from '../../features/accept/capability.ts';
import { acceptRegistration } from '../registered/acceptLive.ts';
import { collectorSchedule } from './kind.ts';

accepting.provide(collectorSchedule, { acceptLive: acceptRegistration });
