/** A Pulumi program with one allocation, which names no account, in a process of its own: `node stackFront.ts INPUTS`. */
import { createResource } from '../../providers/core/lifecycle.ts';
import { openStack } from '../../providers/core/stack.ts';
import { zoneIpAllocation } from '../../src/kinds/zoneIpAllocation/kind.ts';
import '../../src/kinds/knownKinds.ts';

const [, , inputs = ''] = process.argv;
const settings: Readonly<Record<string, string>> = { profile: '{"settleSeconds":1}', lockTimeout: '120' };
const stack = openStack((key) => settings[key.replace(/^webdata:/, '')], {
  print: async (text) => process.stderr.write(`${text}\n`),
});
try {
  await createResource(stack, zoneIpAllocation, JSON.parse(inputs));
  process.exit(0);
} catch (error) {
  process.stderr.write(`error: ${error instanceof Error ? error.message : error}\n`);
  process.exit(1);
}
