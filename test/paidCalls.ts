/** The log of paid calls of a machine that a folder of a test stands for: tests use the same ports for many accounts. */
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export function paidCallsOf(folder: string): { WEBDATA_TEST_PAID_CALLS: string } {
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 16);
  return { WEBDATA_TEST_PAID_CALLS: join(tmpdir(), `webdata-paid-calls-${name}`, 'paid-calls.jsonl') };
}
