/** A receiver over loopback with a folder of its own, and senders that do as they are told. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { type ClientRequest, type OutgoingHttpHeaders, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { openFolder } from '../../src/keeping/folder.ts';
import { type Receiver, type ReceiverOptions, startReceiver } from '../../src/receiver/receiver.ts';

interface Opened extends AsyncDisposable {
  receiver: Receiver;
  url: string;
  folder: string;
  /** The log so far. */
  log(): LogLine[];
  rawLog(): string;
}

type LogLine = { level: string; msg: string } & Record<string, unknown>;

interface Answer {
  status: number;
  text: string;
  headers: Record<string, unknown>;
}

export async function open(options: Partial<ReceiverOptions> = {}): Promise<Opened> {
  const folder = await mkdtemp(join(tmpdir(), 'webdata-received-'));
  const destination = options.destination ?? (await openFolder(folder));
  let text = '';
  const write = (more: string) => {
    text += more;
  };
  const receiver = await startReceiver({ ...options, destination, write });
  return {
    receiver,
    url: receiver.url,
    folder,
    log: () => linesOf(text),
    rawLog: () => text,
    async [Symbol.asyncDispose]() {
      await receiver.close();
      await destination.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface Sent {
  method?: string;
  /** As it goes over the wire: nothing is normalised. */
  path?: string;
  headers?: OutgoingHttpHeaders;
}

/** Sends a whole body; fails where no answer comes. */
export async function post(url: string, body: string | Buffer, sent: Sent = {}): Promise<Answer> {
  const { outgoing, answer } = sending(url, sent);
  outgoing.end(body);
  return answer;
}

/** A delivery that the caller writes piece by piece. */
export function sending(
  url: string,
  { method = 'POST', path = '/', headers = {} }: Sent = {},
): {
  outgoing: ClientRequest;
  answer: Promise<Answer>;
} {
  const { hostname, port } = new URL(url);
  const outgoing = request({ hostname, port, method, path, headers, agent: false });
  const answer = new Promise<Answer>((resolve, reject) => {
    outgoing.on('error', reject);
    outgoing.on('response', async (response) => {
      const text = (await buffer(response)).toString();
      resolve({ status: response.statusCode ?? 0, text, headers: response.headers });
    });
  });
  answer.catch(() => undefined);
  return { outgoing, answer };
}

/** What is kept, without the record: file names below the folder, and what is in them. */
export async function kept(folder: string): Promise<Record<string, string>> {
  const files = (await filesIn(folder)).filter((name) => name !== 'received.jsonl');
  const entries = files.map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const);
  return Object.fromEntries(await Promise.all(entries));
}

/** Also those that are still being written. */
export async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1)).toSorted();
}

export async function record(folder: string): Promise<Record<string, unknown>[]> {
  return linesOf(await readFile(join(folder, 'received.jsonl'), 'utf8'));
}

function linesOf<Line>(text: string): Line[] {
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line));
}

/** Gzip with a wrong checksum. */
export function broken(compressed: Buffer): Buffer {
  const copy = Buffer.from(compressed);
  copy.writeUInt32LE(0, copy.length - 8);
  return copy;
}
