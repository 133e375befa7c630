/** A server in front of another one: it counts the writes that pass, and can lose the answer to one of them. */
import { openFaultyPeer, passOn } from '../faultyPeer.ts';

export interface Relay extends AsyncDisposable {
  url: string;
  /** The writes since the start: `PUT /api/settings {"logs":5}`. */
  writes: string[];
  /** The next write takes effect, and its answer is lost. */
  loseNextAnswer(): void;
  /** The write with this number, from 1, has no effect and is answered with 409. */
  refuseWrite(number: number): void;
}

export async function startRelay(target: string): Promise<Relay> {
  const writes: string[] = [];
  let isLosing = false;
  let refused: number | undefined;
  const peer = await openFaultyPeer(
    () => target,
    async ({ method, path, body, outgoing, handOn }) => {
      if (method === 'GET') return passOn(await handOn(), outgoing);
      writes.push(`${method} ${path} ${body}`);
      if (writes.length === refused) {
        refused = undefined;
        return void outgoing.writeHead(409).end('busy');
      }
      const answer = await handOn();
      if (!isLosing) return passOn(answer, outgoing);
      isLosing = false;
      outgoing.destroy();
    },
  );
  return {
    ...peer,
    writes,
    loseNextAnswer: () => {
      isLosing = true;
    },
    refuseWrite: (number) => {
      refused = number;
    },
  };
}
