/**
 * Uploads a file to a bucket in parts, which are read into the same few buffers, so that the memory does not grow with the file.
 */
import { type FileHandle, open } from 'node:fs/promises';
import type * as s3 from '@aws-sdk/client-s3';
import type { Sdk } from '../base/drivers/s3.ts';

export interface ObjectPlace {
  Bucket: string;
  Key: string;
}

interface Upload {
  sdk: Sdk;
  client: s3.S3Client;
  place: ObjectPlace;
  file: string;
  bytes: number;
  metadata: Record<string, string>;
  signal: AbortSignal;
}

/** Uploads the file. The object exists only once it is complete. */
export async function upload(whole: Upload): Promise<void> {
  const handle = await open(whole.file);
  try {
    await (whole.bytes <= partSize ? putAtOnce(whole, handle) : putInParts(whole, handle));
  } finally {
    await handle.close();
  }
}

/** S3 accepts up to 10,000 parts, here 80 GB. */
const partSize = 8 * 1024 * 1024;
const partsAtATime = 2;

async function putAtOnce({ sdk, client, place, metadata, signal }: Upload, handle: FileHandle): Promise<void> {
  const Body = await handle.readFile();
  await client.send(new sdk.PutObjectCommand({ ...place, Body, Metadata: metadata }), { abortSignal: signal });
}

async function putInParts(whole: Upload, handle: FileHandle): Promise<void> {
  const { sdk, client, place, metadata, signal } = whole;
  const begun = await client.send(new sdk.CreateMultipartUploadCommand({ ...place, Metadata: metadata }), {
    abortSignal: signal,
  });
  const target = { ...place, UploadId: begun.UploadId };
  try {
    const MultipartUpload = { Parts: await putParts(whole, target, handle) };
    await client.send(new sdk.CompleteMultipartUploadCommand({ ...target, MultipartUpload }), { abortSignal: signal });
  } catch (error) {
    // Parts of an incomplete upload would be kept and billed. If the abort fails too, nothing else can be done.
    await client.send(new sdk.AbortMultipartUploadCommand(target)).catch(() => undefined);
    throw error;
  }
}

/** Returns the parts in order. The first failure stops the others after their current part. */
async function putParts(
  { sdk, client, bytes, signal }: Upload,
  target: ObjectPlace & { UploadId: string | undefined },
  handle: FileHandle,
): Promise<s3.CompletedPart[]> {
  const count = Math.ceil(bytes / partSize);
  const parts: s3.CompletedPart[] = [];
  const failed = new AbortController();
  const abortSignal = AbortSignal.any([signal, failed.signal]);

  async function putSome(buffer: Buffer): Promise<void> {
    while (parts.length < count) {
      const PartNumber = parts.push({});
      const Body = await readPart(handle, buffer, (PartNumber - 1) * partSize, bytes);
      const { ETag } = await client.send(new sdk.UploadPartCommand({ ...target, PartNumber, Body }), { abortSignal });
      parts[PartNumber - 1] = { PartNumber, ETag };
    }
  }

  const buffers = Array.from({ length: partsAtATime }, () => Buffer.allocUnsafeSlow(partSize));
  const outcomes = buffers.map((buffer) =>
    putSome(buffer).catch((error: unknown) => {
      failed.abort();
      throw error;
    }),
  );
  // All parts must end before the file is closed.
  await Promise.allSettled(outcomes);
  await Promise.all(outcomes);
  return parts;
}

async function readPart(handle: FileHandle, buffer: Buffer, position: number, bytes: number): Promise<Buffer> {
  const length = Math.min(partSize, bytes - position);
  const { bytesRead } = await handle.read(buffer, 0, length, position);
  // A short part would make an object that looks complete.
  if (bytesRead !== length) throw new Error(`the spooled file returned ${bytesRead} of ${length} bytes`);
  return buffer.subarray(0, length);
}
