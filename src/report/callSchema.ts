/** A call as programs read it: part of each document that tells of calls. */
import { z } from 'zod';

const move = z
  .object({
    ip: z.string().describe('Its address.'),
    country: z.string().describe('As the database that the service profile names has it, in lower case.'),
    reason: z
      .enum(['declared', 'count', 'surplus', 'released'])
      .describe(
        'Declared by address, fills a count, exceeds a count, or released because nothing asks for it or the declaration is destroyed.',
      ),
  })
  .describe('One IP that moves.');

const mayIncurCharges = z.boolean().describe('Whether the service may charge for the call. How much is never claimed.');

const settings = z.object({
  zone: z.string().optional().describe('The default zone.'),
  wwwWhitelistIps: z.array(z.string()).optional().describe('Who may open the admin UI in a browser.'),
  whitelistIps: z.array(z.string()).optional().describe('Who may use the proxies by default.'),
  logs: z.int().optional().describe('How many request logs are kept.'),
  requestStats: z.boolean().optional().describe('Whether request statistics are kept.'),
});

const registration = {
  triggers: z.string().describe('Where the trigger service is.'),
  record: z.enum(['delivery', 'schedule']).describe('What it is.'),
  owner: z.string().describe('Who owns it.'),
  name: z.string().describe('Its name.'),
};

export const callSchema = z
  .discriminatedUnion('type', [
    z
      .object({
        type: z.literal('migrate').describe('IPs move between two zones.'),
        from: z.string().describe('The zone that gives.'),
        to: z.string().describe('The zone that takes.'),
        ips: z.array(move).describe('The IPs that move.'),
        mayIncurCharges,
      })
      .describe('`POST /zone/ips/migrate`.'),
    z
      .object({
        type: z.literal('updateSettings').describe('Settings of a proxy manager change.'),
        manager: z.string().describe('The origin of the proxy manager.'),
        settings: settings.describe('The fields that are sent.'),
        before: settings.describe('The same fields as they were read.'),
        mayIncurCharges,
      })
      .describe('`PUT /api/settings` of a proxy manager.'),
    z
      .object({
        type: z.literal('deletePorts').describe('Proxy ports are deleted.'),
        manager: z.string().describe('The origin of the proxy manager.'),
        ports: z.array(z.int()).describe('The ports that are deleted.'),
        observed: z
          .boolean()
          .describe('Whether the ports were seen to exist. Where they cannot be, the call is no drift.'),
        mayIncurCharges,
      })
      .describe('`POST /api/proxies/delete` of a proxy manager.'),
    z
      .object({
        type: z.literal('register').describe('A delivery or a schedule is registered, or changed.'),
        ...registration,
        digest: z.string().describe('Of what is registered, without its secrets.'),
        before: z.string().nullable().describe('Of what was registered until then; null where nothing was.'),
        delivery: z.string().optional().describe('Of a schedule: the delivery that it names.'),
        mayIncurCharges,
      })
      .describe('`PUT /v1/owners/OWNER/…` of the trigger service.'),
    z
      .object({
        type: z.literal('unregister').describe('A delivery or a schedule is removed.'),
        ...registration,
        mayIncurCharges,
      })
      .describe('`DELETE /v1/owners/OWNER/…` of the trigger service.'),
  ])
  .describe('One call, as it is sent.');

export type CallDocument = z.output<typeof callSchema>;
