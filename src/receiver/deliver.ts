/** One delivery, from its request to where it is kept. */
import { rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import type { Redact } from '../service/redact.ts';
import { type BodyLimits, bodyFault, bodyOf, decoded } from './body.ts';
import { type CheckOptions, check, sourceOf } from './checks.ts';
import type { Destination, Receipt } from './destination.ts';
import { type ShapeFinder, shapeFinder } from './shape.ts';
import { type Spooled, spool } from './spool.ts';
import { fileNameOf, type Target, targetOf } from './target.ts';

export interface Delivering {
  checks: CheckOptions;
  limits: BodyLimits;
  destination: Destination;
  redact: Redact;
  /** Aborted when there is no more time. */
  closing: AbortSignal;
}

/** Resolves once the delivery is kept for good; undefined for an empty one, with which the service tests a webhook. @throws Refusal, or what the destination fails with; then nothing is kept */
export async function deliver(request: IncomingMessage, delivering: Delivering): Promise<Receipt | undefined> {
  const { checks, destination, redact } = delivering;
  check(request, checks);
  const target = targetOf(request.url ?? '');
  const finder = shapeFinder();
  const spooled = await received(request, finder, delivering);
  if (spooled.bytes === 0) {
    await rm(spooled.file, { force: true });
    return undefined;
  }
  try {
    const kept = await keep(spooled, finder.shape(request.headers['content-type']), target, delivering);
    const receipt = { ...kept, source: sourceOf(request, checks), path: redact(target.path) };
    await destination.record(receipt);
    return receipt;
  } catch (error) {
    await rm(spooled.file, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** The whole body, on disk. */
async function received(request: IncomingMessage, finder: ShapeFinder, delivering: Delivering): Promise<Spooled> {
  const { limits, destination } = delivering;
  const body = bodyOf(request, limits);
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
  { folders, ...target }: Target,
  { destination, closing }: Delivering,
): Promise<Omit<Receipt, 'source' | 'path'>> {
  const { bytes, sha256 } = spooled;
  const run = target.run ?? shape.run;
  const name = [...folders, fileNameOf(run, sha256, extension)];
  const { again } = await destination.keep(spooled, name, { kind, run }, closing);
  return { time: new Date().toISOString(), file: name.join('/'), bytes, sha256, kind, run, again };
}
