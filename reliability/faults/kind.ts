/** A fault: what a peer does in place of its answer, whether the request has had its effect, and what a client may make of it. */

/** How a fault is played; see `play.ts`. */
export type Play =
  | { as: 'status'; status: number; headers?: Readonly<Record<string, string>>; text?: string }
  | { as: 'redirect'; status: number }
  | { as: 'silence' }
  /** The effect comes when all is over. */
  | { as: 'late' }
  | { as: 'drop' }
  | { as: 'reset' }
  | { as: 'cut'; chunked?: true }
  | { as: 'endless drip' }
  | { as: 'slow' }
  | { as: 'body'; change: (text: string) => string | Buffer; headers?: Readonly<Record<string, string>> }
  | { as: 'zeros'; compressed?: true }
  | { as: 'declared size' }
  | { as: 'no HTTP' }
  | { as: 'many headers' }
  | { as: 'early hints' }
  | { as: 'last of its connection' };

export interface FaultKind {
  name: string;
  /** In the page's table. */
  group: string;
  play: Play;
  /** Whether the request has had its effect when the fault shows; `never` where it proves that there is none. */
  effect: 'never' | 'before' | 'after';
  /** It may pass by itself, and a read is sent again. */
  passes: boolean;
  /** The answer is as good as any. */
  harmless?: true;
  /** It has to do with the shape of what is answered: says nothing of an answer without a shape. */
  shape?: true;
  /** What is answered is JSON all the same. */
  isJson?: true;
  /** How the line ends that tells of it. */
  told: RegExp;
  /** Takes as long as a time-out. */
  slow?: true;
  /** Costs so much that not every consumer of a call is shown it. */
  heavy?: true;
}

/** How a line ends that tells of an answer which is not whole. */
export const brokeOff = /the answer broke off after \d+ bytes|broke off after \d+ rows?|with malformed JSON/;

/** What a proxy between says. */
export function page(title: string): string {
  return `<!doctype html>\n<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>\n`;
}
