/** Plays a fault on an open request. */
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { FaultKind, Play } from './kind.ts';

export interface Answer {
  status: number;
  headers: Readonly<Record<string, string | string[]>>;
  text: string;
}

interface Scene {
  /** Passes the request on to the peer, where it takes effect. */
  ask(): Promise<Answer>;
  outgoing: ServerResponse;
  elsewhere: string;
  /** Resolves when the client has ended. */
  over: Promise<void>;
}

/**
 * Passes the peer's answer on if there is no fault. Resolves with the answer of the peer, if the request was passed on before the fault.
 */
export async function playFault(fault: FaultKind | undefined, scene: Scene): Promise<Answer | undefined> {
  const { ask, outgoing } = scene;
  const answer = fault === undefined || fault.effect === 'after' ? await ask() : undefined;
  if (fault === undefined) sendWhole(outgoing, answer ?? nothing);
  else await perform(fault.play, answer ?? nothing, scene);
  return answer;
}

const nothing: Answer = { status: 200, headers: { 'content-type': 'application/json' }, text: '{}' };

async function perform(play: Play, answer: Answer, scene: Scene): Promise<void> {
  const { outgoing, elsewhere } = scene;
  const { socket } = outgoing;
  switch (play.as) {
    case 'status':
      return sendWhole(outgoing, { status: play.status, headers: { ...json, ...play.headers }, text: play.text ?? '' });
    case 'redirect':
      return sendWhole(outgoing, { status: play.status, headers: { location: `${elsewhere}/caught` }, text: '' });
    case 'silence':
      return untilGone(outgoing);
    case 'late':
      await untilGone(outgoing);
      await scene.over;
      return void (await scene.ask());
    case 'drop':
      return void socket?.destroy();
    case 'reset':
      return void socket?.resetAndDestroy();
    case 'cut':
      return cut(outgoing, answer, play.chunked === true);
    case 'endless drip':
      return drip(outgoing, answer);
    case 'slow':
      return slowly(outgoing, answer);
    case 'body':
      return sendWhole(outgoing, {
        ...answer,
        headers: { ...answer.headers, ...play.headers },
        text: play.change(answer.text),
      });
    default:
      return performOdd(play, answer, outgoing);
  }
}

type Odd = Extract<
  Play,
  { as: 'zeros' | 'declared size' | 'no HTTP' | 'many headers' | 'early hints' | 'last of its connection' }
>;

async function performOdd(play: Odd, answer: Answer, outgoing: ServerResponse): Promise<void> {
  switch (play.as) {
    case 'zeros':
      return zeros(outgoing, play.compressed === true);
    case 'declared size':
      outgoing.writeHead(200, { ...json, 'content-length': `${10 ** 12}` }).write('[');
      return untilGone(outgoing);
    case 'no HTTP':
      return void outgoing.socket?.end('\u0016\u0003\u0001 this is not HTTP\r\n\r\n');
    case 'many headers': {
      const many = Array.from({ length: 64 }, (_, index) => [`x-${index}`, 'x'.repeat(16_384)]);
      return sendWhole(outgoing, { ...answer, headers: { ...answer.headers, ...Object.fromEntries(many) } });
    }
    case 'early hints':
      outgoing.writeEarlyHints({ link: '</style.css>; rel=preload; as=style' });
      return sendWhole(outgoing, answer);
    case 'last of its connection':
      return sendWhole(outgoing, { ...answer, headers: { ...answer.headers, connection: 'close' } });
  }
}

const json = { 'content-type': 'application/json; charset=utf-8' };

interface Whole extends Omit<Answer, 'text'> {
  text: string | Buffer;
}

function sendWhole(outgoing: ServerResponse, { status, headers, text }: Whole): void {
  const { 'content-length': _, 'transfer-encoding': __, ...rest } = headers;
  const length = status === 204 ? {} : { 'content-length': Buffer.byteLength(text) };
  outgoing.writeHead(status, { ...rest, ...length }).end(text);
}

/** Resolves when the client has hung up or the gateway closes. */
function untilGone(outgoing: ServerResponse): Promise<void> {
  return new Promise((done) => outgoing.once('close', done));
}

function cut(outgoing: ServerResponse, { status, headers, text }: Answer, chunked: boolean): void {
  const { 'content-length': _, 'transfer-encoding': __, ...rest } = headers;
  const length = chunked ? {} : { 'content-length': Buffer.byteLength(text) + 1 };
  outgoing.writeHead(status === 204 ? 200 : status, { ...rest, ...length });
  outgoing.write(text.slice(0, Math.floor(text.length / 2)) || '{', () => outgoing.socket?.destroy());
}

/** Sends white space, with which JSON may begin, a little at a time and without end. */
async function drip(outgoing: ServerResponse, { status, headers }: Answer): Promise<void> {
  const { 'content-length': _, 'transfer-encoding': __, ...rest } = headers;
  outgoing.writeHead(status === 204 ? 200 : status, rest);
  while (!outgoing.destroyed) {
    outgoing.write(' ');
    await sleep(100);
  }
}

async function slowly(outgoing: ServerResponse, { status, headers, text }: Answer): Promise<void> {
  const { 'content-length': _, 'transfer-encoding': __, ...rest } = headers;
  outgoing.writeHead(status, rest);
  const size = Math.max(1, Math.ceil(text.length / 5));
  for (let start = 0; start < text.length; start += size) {
    outgoing.write(text.slice(start, start + size));
    await sleep(30);
  }
  outgoing.end();
}

const block = Buffer.alloc(1024 * 1024, ' ');

/** Sends white space as fast as possible, without end. */
async function zeros(outgoing: ServerResponse, compressed: boolean): Promise<void> {
  outgoing.writeHead(200, { ...json, ...(compressed ? { 'content-encoding': 'gzip' } : {}) });
  // Several gzip members in a row are a valid gzip stream.
  const piece = compressed ? gzipSync(block) : block;
  const gone = untilGone(outgoing);
  while (!outgoing.destroyed) {
    if (!outgoing.write(piece)) await Promise.race([new Promise((done) => outgoing.once('drain', done)), gone]);
  }
}
