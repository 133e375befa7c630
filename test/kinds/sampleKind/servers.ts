/** The server of a banner, for `webdata servers`. */
import type { Context } from '../../../src/kinds/seam/context.ts';
import { serving } from '../sampleFeature/capability.ts';
import { banner, type Spec } from './kind.ts';

serving.provide(banner, {
  server: ({ server }: Spec) => server,
  held: async (spec: Spec, context: Context<Spec>) => (await banner.observe(spec, context)).text ?? 'no banner',
});
