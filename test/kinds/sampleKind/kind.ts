/**
 * A fifth kind that exists only here: a banner on a server. It is registered with `addKind` and needs no line in `src/`; the conformance
 * suite runs over it as over every other kind.
 */
import { z } from 'zod';
import type { DeclaredStored } from '../../../providers/core/stored/storedResource.ts';
import { assertPlannedCalls } from '../../../src/kinds/seam/approvedCalls.ts';
import type { Call } from '../../../src/kinds/seam/call.ts';
import type { Context } from '../../../src/kinds/seam/context.ts';
import type { Diff, Kind } from '../../../src/kinds/seam/kind.ts';
import { type BannerCall, hangBanner } from './calls/bannerCalls.ts';
import { readBanner, sendBanner } from './client.ts';

const spec = z
  .strictObject({
    server: z
      .url()
      .describe('The banner server.')
      .meta({ examples: ['http://127.0.0.1:4000'] }),
    text: z
      .string()
      .min(1)
      .describe('The text of the banner.')
      .meta({ examples: ['Closed on Sundays'] }),
    banner: z
      .string()
      .min(1)
      .optional()
      .describe('The name of the banner; by default that of the resource.')
      .meta({ examples: ['door'] }),
  })
  .describe('A banner on a banner server.');

export type Spec = z.output<typeof spec>;

export interface State {
  server: string;
  banner: string;
  text: string | null;
}

export const banner = {
  name: 'Banner',
  collection: 'banners',
  spec,
  calls: [hangBanner],
  guards: {
    scopes: { 'long-banner': 'every' },
    broken: (_spec, _state, calls) =>
      calls
        .filter(isTooLong)
        .map(() => ({ code: 'long-banner', path: ['text'], found: 'a text of over 40 characters' })),
    couldMake: () => false,
  },
  conflicts: () => [],
  concurrencyKey: ({ server }) => `banners ${server}`,
  observe,
  diff: ({ text }, state) => diffTo(text, state),
  fingerprint: ({ server, banner: name, text }) => ({ [`banner ${name} of ${server}`]: text }),
  async converge(declared, context) {
    await send(declared.text, await observe(declared, context), context);
    return observe(declared, context);
  },
  removal: {
    diff: (_spec, state) => diffTo(null, state),
    async send(declared, context) {
      await send(null, await observe(declared, context), context);
    },
  },
} satisfies Kind<Spec, State>;

/** The banner as a Pulumi resource. */
export const storedBanner: DeclaredStored<Spec, State> = {
  title: ({ banner: name = '' }) => name,
  id: ({ banner: name = '' }) => name,
  isGone: ({ text }) => text === null,
  liveInputs: (inputs, _spec, { text }) => ({ ...inputs, text }),
  outputSchema: z.object({ hung: z.string().nullable() }),
  outputs: ({ state }) => ({ hung: state?.text ?? null }),
};

function isTooLong(call: Call): boolean {
  return ((call as BannerCall).after?.length ?? 0) > 40;
}

function diffTo(after: string | null, { server, banner: name, text: before }: State): Diff<BannerCall> {
  if (before === after) {
    const notes = after === null ? [{ code: 'no-banner', text: 'there is no banner to take down' }] : [];
    return { changes: [], calls: [], notes, problems: [] };
  }
  const call: BannerCall = { type: 'hangBanner', server, banner: name, before, after };
  return { changes: hangBanner.changes(call), calls: [call], notes: [], problems: [] };
}

async function observe({ server, banner: name }: Spec, context: Context<Spec>): Promise<State> {
  const hung = name ?? context.name;
  return { server, banner: hung, text: await readBanner(server, hung) };
}

async function send(text: string | null, state: State, context: Context): Promise<void> {
  const { calls } = diffTo(text, state);
  assertPlannedCalls(calls, context);
  for (const call of calls) await sendBanner(call, context);
}
