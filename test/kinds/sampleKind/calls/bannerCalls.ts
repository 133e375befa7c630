/** `PUT` and `DELETE /banners/NAME` as types of calls. */
import { z } from 'zod';
import { counted, does } from '../../../../src/base/diagnostics/valueWords.ts';
import type { ObjectBuilder } from '../../../../src/kinds/seam/call.ts';
import { type CallOf, wholeResult } from '../../../../src/kinds/seam/call.ts';
import type { CallType, UndoCall } from '../../../../src/kinds/seam/callType.ts';
import type { CallChange, CallTotal, CallWords } from '../../../../src/kinds/seam/callWords.ts';
import { verifiedAgain } from '../../../../src/kinds/seam/verifiedAgain.ts';
import { readBanner, sendBanner } from '../client.ts';

const schema = (object: ObjectBuilder) =>
  object({
    type: z.literal('hangBanner').describe('A banner is hung, changed or taken down.'),
    server: z.string().describe('The URL of the banner server.'),
    banner: z.string().describe('The name of the banner.'),
    before: z.string().nullable().describe('The text that hangs there; null for none.'),
    after: z.string().nullable().describe('The text that is to hang there; null for none.'),
  }).describe('`PUT` or `DELETE /banners/NAME`.');

export type BannerCall = CallOf<ReturnType<typeof schema>>;

const banners: CallTotal<BannerCall> = {
  name: 'banners',
  description: { plan: 'Banners that change.', run: 'Banners that changed.' },
  count: (calls) => new Set(calls.map(({ banner }) => banner)).size,
  words: {
    planned: (count, _, mode) =>
      mode === 'drift' ? does(count, 'banner', 'differs', 'differ') : does(count, 'banner', 'changes', 'change'),
    done: (count) => `${counted(count, 'banner')} changed`,
  },
};

const undo: UndoCall<BannerCall> = {
  remaining,
  joins: () => false,
  async send(step, undoing) {
    const call = await verifiedAgain(step, undoing, remaining);
    if (call !== undefined) await sendBanner(call, undoing.context);
  },
};

async function remaining(call: BannerCall) {
  const text = await readBanner(call.server, call.banner);
  if (text === call.after) return { problems: [] };
  const changed = { code: 'changed-since', found: `the banner ${call.banner} has changed since the run` };
  return { call, problems: text === call.before ? [] : [changed] };
}

function changeOf({ banner, before, after }: BannerCall): CallChange {
  const kind = before === null ? 'add' : after === null ? 'remove' : 'change';
  return { kind, name: banner, before: before ?? undefined, after: after ?? undefined };
}

export const hangBanner = {
  type: 'hangBanner',
  schema,
  key: ({ server, banner, before, after }) => JSON.stringify([server, banner, before, after]),
  target: ({ server }) => `banners ${server}`,
  billed: false,
  flow: () => undefined,
  result: wholeResult,
  facts: () => undefined,
  isObserved: () => true,
  changes: (call) => {
    const { kind, before, after } = changeOf(call);
    return [{ path: ['text'], kind, ...(before !== undefined && { before }), ...(after !== undefined && { after }) }];
  },
  invert: (call) => ({ calls: [{ ...call, before: call.after, after: call.before }], notes: [] }),
  undo,
} satisfies CallType<BannerCall>;

export const bannerWords: CallWords<BannerCall> = {
  section: { id: 'banners', title: 'Banners' },
  noEffect: 'nothing hung',
  describe: (call) => ({
    subject: 'banner',
    place: call.server,
    changes: [changeOf(call)],
    items: [`${call.after === null ? 'takes down' : 'hangs'} ${call.banner}`],
  }),
  totals: [banners],
};
