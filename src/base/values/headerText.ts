/** Reports whether a key or token has only characters that a header can carry. A file or an editor often adds a line break. */
export function fitsHeader(secret: string): boolean {
  return /^[\x21-\x7e]+$/.test(secret);
}
