/** Handles one delivery, from its request to its place in the store. */
import { rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { Redact } from '../client/redact.ts';
import type { DeliveryStore, Receipt } from '../keeping/destination.ts';
import { isRunId } from '../keeping/runAddress.ts';
import { openSpool, type Spooled, spool } from '../keeping/spool.ts';
import {
  type BodyLimits,
  decompressed,
  isBrokenGzip,
  isUnknownEncoding,
  openEncoded,
  readBody,
  restOf,
} from './body.ts';
import { type CheckOptions, checkSender, senderText } from './checks.ts';
import { RefusedDelivery } from './refusal.ts';
import { type Shape, type ShapeFinder, shapeFinder } from './shape.ts';
import { type DeliveryTarget, fileNameOf, safeName, targetOf } from './target.ts';

export interface ReceiverContext {
  checks: CheckOptions;
  limits: BodyLimits;
  destination: DeliveryStore;
  redact: Redact;
  report?: ReportRun | undefined;
  /** Aborts when the receiver must stop. */
  closing: AbortSignal;
}

/** Reports that the rows of a scheduled run are stored. */
export type ReportRun = (run: string, signal: AbortSignal) => Promise<void>;

/** The service waits 30 s for an answer, in which the rows are stored too. */
const reportMs = 10_000;

/** Resolves once the delivery is stored durably. Returns undefined for an empty one, with which the service tests a webhook. @throws RefusedDelivery, or the error of the store; then nothing is kept */
export async function receiveDelivery(
  request: IncomingMessage,
  context: ReceiverContext,
): Promise<Receipt | undefined> {
  const { checks, limits, destination, redact } = context;
  checkSender(request, checks);
  const target = targetOf(request.url ?? '');
  const finder = shapeFinder(request.headers['content-type']);
  const body = readBody(request, limits);
  const spooled = await spoolBody(body, finder, limits, destination.spoolFolder).finally(() => body.destroy());
  if (spooled.bytes === 0) {
    await rm(spooled.file, { force: true });
    return undefined;
  }
  try {
    const shape = withEncoding(finder.shape(), spooled.doubt, request.headers['content-encoding']);
    const kept = await keep(spooled, shape, target, context);
    const receipt = { ...kept, source: senderText(request, checks), path: redact(target.path) };
    await destination.record(receipt);
    await reported(receipt, context);
    return receipt;
  } catch (error) {
    await rm(spooled.file, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** The service repeats a delivery that could not be reported, and it is then recognized. */
async function reported({ kind, run = '', doubt }: Receipt, { report }: ReceiverContext): Promise<void> {
  if (report === undefined || kind === 'notification' || doubt !== undefined || !isRunId(run)) return;
  await report(run, AbortSignal.timeout(reportMs)).catch((error: unknown) => {
    const line = 'Kept, but the trigger service was not reached: deliver again later.';
    throw new RefusedDelivery(503, 'not-reported', line, error);
  });
}

/** Adds doubts about the encoding. Complete JSON is no longer encoded, even if its header says so. */
function withEncoding(shape: Shape, doubt: 'not-gzip' | undefined, encoding: string | undefined): Shape {
  const isPlainJson = shape.extension !== 'data' && shape.extension !== 'csv' && shape.doubt === undefined;
  if (doubt === undefined && (!isUnknownEncoding(encoding) || isPlainJson)) return shape;
  return { kind: 'other', extension: 'data', doubt: doubt ?? 'unknown-encoding' };
}

type SpooledBody = Spooled & { doubt?: 'not-gzip' };

/** Writes the whole body to disk, decompressed. */
async function spoolBody(
  body: Readable,
  finder: ShapeFinder,
  { maxBytes }: BodyLimits,
  folder: string,
): Promise<SpooledBody> {
  const { isGzip, pieces } = await openEncoded(body);
  if (!isGzip) return spool(restOf(pieces), folder, finder.see);
  // The body as it was sent, to be kept if it turns out that it cannot be decompressed.
  const sent = await openSpool(folder);
  async function* copied(): AsyncGenerator<Buffer> {
    for await (const piece of restOf(pieces)) {
      await sent.write(piece);
      yield piece;
    }
  }
  const copy = copied();
  try {
    return await spool(decompressed(copy, maxBytes), folder, finder.see);
  } catch (error) {
    if (!isBrokenGzip(error)) throw error;
    // Waits for the piece that is being written.
    await copy.return(undefined);
    for await (const piece of restOf(pieces)) await sent.write(piece);
    return { ...(await sent.finish()), doubt: 'not-gzip' };
  } finally {
    await sent.discard();
  }
}

async function keep(
  spooled: Spooled,
  { kind, extension, doubt, ...shape }: Shape,
  { folders, label, ...target }: DeliveryTarget,
  { destination, closing }: ReceiverContext,
): Promise<Omit<Receipt, 'source' | 'path'>> {
  const { bytes, sha256 } = spooled;
  const run = target.run ?? shape.run;
  const facts = { kind, run, ...(doubt === undefined ? {} : { doubt }) };
  const begin = label.length === 0 && run !== undefined ? [safeName(run)] : label;
  const name = [...folders, fileNameOf(begin, sha256, doubt === undefined ? extension : `${extension}.doubtful`)];
  const { again } = await destination.keep(spooled, name, facts, closing);
  return { time: new Date().toISOString(), file: name.join('/'), bytes, sha256, ...facts, again };
}
