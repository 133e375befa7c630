/** The provider block: the settings of a stack, in the names of Terraform. */
import { z } from 'zod';
import type { Properties } from '../../src/kinds/seam/kind.ts';
import { type Lookup, secretSettings, settingsLookup, stackSettings } from '../core/configuration.ts';
import { type Attribute, attributesOf } from './attributes.ts';

/** `apiUrl` is `url` here, and what only Pulumi knows is left out. */
const { apiUrl, refreshBeforeUpdate: _, ...others } = stackSettings.shape;
const providerBlock = z.object({
  url: apiUrl,
  ...others,
  owner: z
    .string()
    .min(1)
    .optional()
    .describe('The owner of deliveries and schedules that name none. Defaults to `terraform`.'),
});

export const settingAttributes: readonly Attribute[] = attributesOf(providerBlock).map((each) => ({
  ...each,
  isSensitive: secretSettings.includes(each.property),
}));

export function stackLookup({ url, ...settings }: Properties): Lookup {
  return settingsLookup({ ...settings, apiUrl: url });
}
