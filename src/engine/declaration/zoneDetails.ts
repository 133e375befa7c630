/** Details of zones that the service does not show: their types, and the addresses that may use them. */
import { z } from 'zod';
import { whenUsed } from '../../base/diagnostics/zodLazy.ts';
import { type ZoneTypes, zoneTypes } from '../../client/areas/zones/zoneTypes.ts';
import { allowedEntry } from '../../kinds/seam/addresses.ts';

export const zoneDetails = whenUsed(() =>
  z.record(
    z
      .string()
      .min(1)
      .meta({ examples: ['checkout'] }),
    z
      .strictObject({
        type: z
          .enum(zoneTypes)
          .optional()
          .describe('The network or product of the zone. Requests through the zone are checked before they are sent.')
          .meta({ examples: ['isp'] }),
        allowedCallers: z
          .array(allowedEntry)
          .optional()
          .describe(
            'The addresses and networks that may use the zone, for `webdata audit`. The service does not show the allow list of a zone, so this is a copy of it.',
          )
          .meta({ examples: [['203.0.113.205', '198.51.100.0/24']] }),
      })
      .describe('Details of a zone.'),
  ),
)
  .optional()
  .describe('Details of zones, by name.');

type ZoneDetails = z.output<typeof zoneDetails>;

export function zoneTypesIn(zones: ZoneDetails = {}): ZoneTypes {
  return Object.fromEntries(
    Object.entries(zones).flatMap(([name, { type }]) => (type === undefined ? [] : [[name, type]])),
  );
}

export function allowedCallersIn(zones: ZoneDetails = {}): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    Object.entries(zones).flatMap(([name, { allowedCallers }]) =>
      allowedCallers === undefined ? [] : [[name, allowedCallers]],
    ),
  );
}
