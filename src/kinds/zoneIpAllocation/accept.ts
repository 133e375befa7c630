import { accepting } from '../../features/accept/capability.ts';
import { acceptAllocation } from './acceptLive.ts';
import { zoneIpAllocation } from './kind.ts';

accepting.provide(zoneIpAllocation, { acceptLive: acceptAllocation });
