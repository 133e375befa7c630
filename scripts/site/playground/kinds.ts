/** The kinds of the playground, in place of `src/kinds/builtIn.ts`: the others need a trigger service. */
import '../../../src/kinds/managerSettings/provides.ts';
import '../../../src/kinds/zoneIpAllocation/provides.ts';
import { managerSettings } from '../../../src/kinds/managerSettings/kind.ts';
import type { Kind } from '../../../src/kinds/seam/kind.ts';
import { zoneIpAllocation } from '../../../src/kinds/zoneIpAllocation/kind.ts';

export const builtInKinds: readonly Kind<unknown, unknown>[] = [zoneIpAllocation, managerSettings];
