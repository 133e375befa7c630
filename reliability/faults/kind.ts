/** A fault: what a peer does instead of answering, whether the request took effect, and how a client may react. */

/** The action of the gateway; see `play.ts`. */
export type Play =
  | { as: 'status'; status: number; headers?: Readonly<Record<string, string>>; text?: string }
  | { as: 'redirect'; status: number }
  | { as: 'silence' }
  /** The request takes effect only after the client has ended. */
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
  /** Row of the table on the page. */
  group: string;
  play: Play;
  /** Time of the effect of the request, relative to the fault; `never` if the fault proves that it took no effect. */
  effect: 'never' | 'before' | 'after';
  /** The fault may pass by itself, so a read is sent again. */
  passes: boolean;
  /** The answer is valid. */
  harmless?: true;
  /** A fault of the shape of the answer. It does not apply to answers without a shape. */
  shape?: true;
  /** The answer is still JSON. */
  isJson?: true;
  /** The end of the line that reports the fault. */
  message: RegExp;
  /** Takes as long as a timeout. */
  slow?: true;
  /** Too expensive to run for every scenario that sends the call. */
  heavy?: true;
}

/** The end of a line that reports an incomplete answer. */
export const brokeOff = /the answer broke off after \d+ bytes|broke off after \d+ rows?|with malformed JSON/;

/** Returns the page of a proxy in between. */
export function page(title: string): string {
  return `<!doctype html>\n<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>\n`;
}
