/** Handles one delivery, from its request to its place in the store. */
import { rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import type { Redact } from '../service/redact.ts';
import { type BodyLimits, bodyFault, decoded, readBody } from './body.ts';
import { type CheckOptions, checkSender, senderAddress } from './checks.ts';
import type { DeliveryStore, Receipt } from './destination.ts';
import { type ShapeFinder, shapeFinder } from './shape.ts';
import { type Spooled, spool } from './spool.ts';
import { type DeliveryTarget, fileNameOf, targetOf } from './target.ts';

export interface ReceiverContext {
  checks: CheckOptions;
  limits: BodyLimits;
  destination: DeliveryStore;
  redact: Redact;
  /** Aborts when the receiver must stop. */
  closing: AbortSignal;
}

/** Resolves once the delivery is stored durably. Returns undefined for an empty one, with which the service tests a webhook. @throws RefusedDelivery, or the error of the store; then nothing is kept */
export async function receiveDelivery(
  request: IncomingMessage,
  context: ReceiverContext,
): Promise<Receipt | undefined> {
  const { checks, destination, redact } = context;
  checkSender(request, checks);
  const target = targetOf(request.url ?? '');
  const finder = shapeFinder();
  const spooled = await spoolBody(request, finder, context);
  if (spooled.bytes === 0) {
    await rm(spooled.file, { force: true });
    return undefined;
  }
  try {
    const kept = await keep(spooled, finder.shape(request.headers['content-type']), target, context);
    const receipt = { ...kept, source: senderAddress(request, checks), path: redact(target.path) };
    await destination.record(receipt);
    return receipt;
  } catch (error) {
    await rm(spooled.file, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** Writes the whole body to disk. */
async function spoolBody(request: IncomingMessage, finder: ShapeFinder, context: ReceiverContext): Promise<Spooled> {
  const { limits, destination } = context;
  const body = readBody(request, limits);
  try {
    const pieces = decoded(body, request.headers['content-encoding'], limits.maxBytes);
    return await spool(pieces, destination.spoolFolder, finder.see);
  } catch (error) {
    throw bodyFault(error);
  } finally {
    body.destroy();
  }
}

async function keep(
  spooled: Spooled,
  { kind, extension, ...shape }: ReturnType<ShapeFinder['shape']>,
  { folders, ...target }: DeliveryTarget,
  { destination, closing }: ReceiverContext,
): Promise<Omit<Receipt, 'source' | 'path'>> {
  const { bytes, sha256 } = spooled;
  const run = target.run ?? shape.run;
  const name = [...folders, fileNameOf(run, sha256, extension)];
  const { again } = await destination.keep(spooled, name, { kind, run }, closing);
  return { time: new Date().toISOString(), file: name.join('/'), bytes, sha256, kind, run, again };
}
