/**
 * A collector that is triggered every night, and where its results go: webdata.yaml says the same, and how to start the emulator
 * and the trigger service. Then, in this folder:
 *
 *   pulumi stack init dev && pulumi up
 *
 * What it registers belongs to `webdata-schedules/dev`, the stack. `pulumi destroy` takes it away.
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

// For a firewall: the service calls the webhook from these.
export const { sourceIps, curl } = results;
