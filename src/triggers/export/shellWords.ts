/** Words as a POSIX shell takes them: quoted only where they must be. */
export function shellWords(words: readonly string[]): string {
  return words.map((word) => (isPlainWord(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' ');
}

/** Whether no shell takes anything in it for more than a letter. */
export function isPlainWord(word: string): boolean {
  return /^[\w@%+=:,./-]+$/.test(word);
}
