/** The kinds there are. A new kind is a file of its own, and a line here. */
import type { Kind } from './kind.ts';
import { managerSettings } from './managerSettings.ts';
import { zoneIpAllocation } from './zoneIpAllocation.ts';

export const kinds: readonly Kind<unknown, unknown>[] = [zoneIpAllocation, managerSettings];
