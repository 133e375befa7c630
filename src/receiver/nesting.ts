/** Checks that the brackets and strings of streamed JSON are closed. Holds only the open brackets, one bit each. */

export interface Nesting {
  see(piece: Buffer): void;
  /** Returns whether all brackets and strings are closed, in the right order and not nested too deeply. */
  isWhole(): boolean;
}

/**
 * Checks brackets and strings only. Values that are not JSON, such as NaN, are accepted: the rows are paid for and not cut off. `isList`
 * expects one JSON array, after which nothing may follow.
 */
export function nestingOf(isList: boolean): Nesting {
  const isArray = new Uint8Array(deepest / 8);
  let depth = 0;
  let inString = false;
  let isEscaped = false;
  let isWrong = false;
  let isEnded = false;

  function open(bracket: number): void {
    if (depth === deepest || isEnded) isWrong = true;
    else {
      const mask = 1 << (depth & 7);
      const old = isArray[depth >> 3] ?? 0;
      isArray[depth >> 3] = bracket === code.open ? old | mask : old & ~mask;
      depth += 1;
    }
  }

  function close(bracket: number): void {
    depth -= 1;
    const wasArray = depth >= 0 && ((isArray[depth >> 3] ?? 0) & (1 << (depth & 7))) !== 0;
    if (depth < 0 || wasArray !== (bracket === code.close)) isWrong = true;
    isEnded ||= isList && depth === 0;
  }

  /** Returns the end of the string that is open at `from`, or the length of the piece. */
  function stringEnd(piece: Buffer, from: number): number {
    let start = from;
    if (isEscaped) {
      isEscaped = false;
      start += 1;
    }
    for (;;) {
      const quote = piece.indexOf(code.quote, start);
      const end = quote < 0 ? piece.length : quote;
      let backslashes = 0;
      while (end - backslashes > start && piece[end - backslashes - 1] === code.backslash) backslashes += 1;
      const isLastEscaped = backslashes % 2 === 1;
      if (quote < 0) isEscaped = isLastEscaped;
      else if (isLastEscaped) {
        start = quote + 1;
        continue;
      } else inString = false;
      return end;
    }
  }

  return {
    see(piece) {
      for (let at = 0; at < piece.length && !isWrong; at += 1) {
        if (inString) {
          at = stringEnd(piece, at);
          continue;
        }
        const byte = piece[at] ?? 0;
        if (byte === code.quote) inString = true;
        else if (byte === code.open || byte === code.openBrace) open(byte);
        else if (byte === code.close || byte === code.closeBrace) close(byte);
        else if (isEnded && byte > code.space) isWrong = true;
      }
    },
    isWhole: () => !isWrong && !inString && depth === 0,
  };
}

/** The maximum depth. It is deeper than any row, and needs 8 KiB with one bit per level. */
const deepest = 65_536;

const code = {
  space: 0x20,
  quote: 0x22,
  open: 0x5b,
  backslash: 0x5c,
  close: 0x5d,
  openBrace: 0x7b,
  closeBrace: 0x7d,
};
