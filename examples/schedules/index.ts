/**
 * A collector that is triggered every night, and the destination of its results. webdata.yaml declares the same, and says how to start the
 * emulator and the trigger service. Then, in this folder:
 *
 *   pulumi stack init dev && pulumi up
 *
 * The registrations belong to the stack, `webdata-schedules/dev`. `pulumi destroy` removes them.
 */
import { CollectorSchedule, WebhookDelivery } from 'pulumi-webdata/pulumi';

const results = new WebhookDelivery('results', {
  endpoint: 'http://127.0.0.1:22996/', // `webdata receive` listens there
  authorization: { env: 'HOOK_AUTHORIZATION' },
});

new CollectorSchedule('nightly', {
  collector: 'c_prices',
  cron: '0 3 * * *',
  timeZone: 'Europe/Berlin',
  inputs: { file: 'prices.csv' },
  inputSchema: { url: 'url', keyword: { type: 'string', required: false } },
  delivery: results.name,
  catchUp: 'latest',
});

// For a firewall: the service calls the webhook from these addresses.
export const { sourceIps, curl } = results;
