/** Reads a banner and sends its call, with a read-back after an answer that was lost. */
import { ProblemError } from '../../../src/base/diagnostics/problem.ts';
import type { Context } from '../../../src/kinds/seam/context.ts';
import { readBackMismatch } from '../../../src/kinds/seam/readBackMismatch.ts';
import type { BannerCall } from './calls/bannerCalls.ts';

export async function readBanner(server: string, name: string): Promise<string | null> {
  const response = await fetch(new URL(`/banners/${encodeURIComponent(name)}`, server));
  return ((await response.json()) as { text: string | null }).text;
}

/** @throws ProblemError if the banner is not as it was sent */
export async function sendBanner(call: BannerCall, context: Context): Promise<void> {
  const { server, banner, after } = call;
  const record = await context.recorder.sending(call);
  try {
    await fetch(new URL(`/banners/${encodeURIComponent(banner)}`, server), {
      method: after === null ? 'DELETE' : 'PUT',
      ...(after !== null && { body: JSON.stringify({ text: after }) }),
    });
    await record.answered({});
  } catch (error) {
    await record.failed({ code: 'unanswered', message: String(error), effect: 'unknown' });
  }
  const got = await readBanner(server, banner);
  await record.seen({ took: got === after });
  const [path, fix] = [['text'], 'look at the banner server'];
  if (got !== after) {
    throw new ProblemError([readBackMismatch({ path, wanted: after, got, by: 'the banner server', fix })]);
  }
}
