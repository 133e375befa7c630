/** Quotes words for a POSIX shell, where necessary. */
export function shellWords(words: readonly string[]): string {
  return words.map((word) => (isPlainWord(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' ');
}

/** Returns whether a word needs no quotes in any shell. */
export function isPlainWord(word: string): boolean {
  return /^[\w@%+=:,./-]+$/.test(word);
}
