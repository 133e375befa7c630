/**
 * One program, two stacks. Which zones a stack fills, and from which pool, stands in its own file: Pulumi.dev.yaml, Pulumi.prod.yaml.
 *
 * It runs as it stands on the emulator. In one terminal, at the top of the repository:
 *
 *   npm run build
 *   node dist/src/cli/bin.js emulator --account examples/dev-and-prod/account.yaml --port 23111 --manager-port 23112
 *
 * In another one, in this folder (the key comes from the environment, so that no file holds it):
 *
 *   export WEBDATA_API_KEY=wdk_dev_and_prod_ops
 *   pulumi stack init dev && pulumi up
 *   pulumi stack init prod && pulumi up
 *
 * `pulumi stack rm --preserve-config` leaves the files of the stacks where they are.
 *
 * Each stack has a spare of its own: two stacks do not know of each other, and the service has no lock, so that two updates
 * at the same time might plan with the same IPs of a pool that they share.
 */
import { Config } from '@pulumi/pulumi';
import { type ZoneArgs, ZoneIpAllocation } from 'pulumi-webdata/pulumi';

const config = new Config();
const release = config.getBoolean('release') ? 'release' : undefined;

const allocation = new ZoneIpAllocation('static', {
  zones: config.requireObject<Record<string, ZoneArgs>>('zones'),
  spare: config.require('spare'),
  maxMoves: config.getNumber('maxMoves'),
  unmanaged: release,
  onDelete: release,
});

export const { placements, moved } = allocation;
