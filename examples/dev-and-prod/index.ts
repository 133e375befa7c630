/**
 * One program, two stacks. The file of a stack, Pulumi.dev.yaml or Pulumi.prod.yaml, declares the zones that it fills and the pool of their IPs.
 *
 * It runs unchanged on the emulator. In one terminal, at the top of the repository:
 *
 *   npm run build
 *   node dist/src/cli/bin.js emulator --account examples/dev-and-prod/account.yaml --port 23111 --manager-port 23112
 *
 * In another one, in this folder (the key is in the environment, so that no file contains it):
 *
 *   export WEBDATA_API_KEY=wdk_dev_and_prod_ops
 *   pulumi stack init dev && pulumi up
 *   pulumi stack init prod && pulumi up
 *
 * `pulumi stack rm --preserve-config` keeps the files of the stacks.
 *
 * Each stack has a spare of its own. Two stacks do not know of each other, and the service has no lock, so two updates at the same time
 * could plan with the same IPs of a shared pool.
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
