/** The record of a folder: one line for each delivery, of which other receivers may write some. */
import { type FileHandle, open } from 'node:fs/promises';
import pLimit from 'p-limit';
import { appendLine } from '../base/files/lineFile.ts';
import { parsedJson } from '../base/values/plain.ts';
import type { DeliveryFacts, Receipt } from './destination.ts';
import { createRecent } from './recent.ts';
import { orNoFile } from './spool.ts';

/** The file name of the record of all deliveries. */
export const recordName = 'received.jsonl';

/** More than the lines of a day. */
const longestTail = 32 * 1024 * 1024;

export function openRecord(file: string) {
  const recent = createRecent();
  // One at a time: otherwise a line that is still being written would look like one that a crash cut off.
  const oneByOne = pLimit(1);
  /** The file that was read last, and the position up to which it was read. */
  let [known, end] = ['', 0];

  async function readOn(handle: FileHandle): Promise<void> {
    const { dev, ino, birthtimeMs, size } = await handle.stat();
    const found = `${dev}.${ino}.${birthtimeMs}`;
    if (found !== known || size < end) {
      recent.clear();
      [known, end] = [found, Math.max(0, size - longestTail)];
    }
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(size - end), 0, size - end, end);
    const whole = buffer.subarray(0, buffer.subarray(0, bytesRead).lastIndexOf('\n') + 1);
    end += whole.length;
    for (const line of whole.toString().split('\n')) {
      const receipt = parsedJson(line) as Partial<Receipt> | undefined;
      if (receipt?.file !== undefined) recent.add(receipt.file, Date.parse(receipt.time ?? ''));
    }
  }

  async function readNewLines(): Promise<void> {
    // The record exists once there was a delivery.
    const handle = await open(file).catch(orNoFile);
    if (handle === undefined) recent.clear();
    else await readOn(handle).finally(() => handle.close());
  }

  return {
    add: (receipt: Receipt) => oneByOne(() => appendLine(file, JSON.stringify(receipt))),
    /** Returns whether the record has this delivery, and it is recent. */
    has: (name: string, about: DeliveryFacts) => oneByOne(readNewLines).then(() => recent.has(name, about)),
  };
}
