/**
 * The rule by which the address of a store is a path or names a server. Nothing is guessed: a text that is not understood would otherwise
 * become a local file, named after the password in it.
 */

/** `why` and `fix` never quote the text, which may contain a password. */
export type StoreAddress =
  | { kind: 'path'; path: string }
  | { kind: 'server'; scheme: string; url: string }
  | { kind: 'unclear'; why: string; fix: string };

/** Parses the address of a store: a URL with `://`, or a path. */
export function parseAddress(text: string): StoreAddress {
  const malformed = malformedText(text);
  if (malformed !== undefined) return { kind: 'unclear', ...malformed };
  const scheme = /^([a-z][a-z\d+.-]+):\/\//i.exec(text)?.[1]?.toLowerCase();
  if (scheme !== undefined) return { kind: 'server', scheme, url: scheme + text.slice(scheme.length) };
  if (text.startsWith('~')) {
    return { kind: 'unclear', why: 'begins with `~`, which only a shell expands', fix: 'write the whole path' };
  }
  if (!isPath(text)) return { kind: 'unclear', why: 'is neither a URL nor clearly a path', fix: startWithDot };
  return { kind: 'path', path: text };
}

const startWithDot = 'write a URL with its scheme, such as `postgres://`, or begin a path with `./` or `/`';

/** Returns true for a text that begins as a path (`/`, `./`, `../`, `C:\`), and for a name that could be nothing else. */
function isPath(text: string): boolean {
  if (text.includes('://')) return false;
  return /^(?:\.{0,2}[\\/](?![\\/])|[a-z]:[\\/]|\.{1,2}$)/i.test(text) || !/[:=@?#$"'`]|\/\/|%3a/i.test(text);
}

/** Returns what is wrong with a text that can be neither a path nor a URL, as an env file or a copied line leaves it. */
export function malformedText(text: string): { why: string; fix: string } | undefined {
  if (text === '') return { why: 'is empty', fix: 'set it, or leave it out' };
  if (text !== text.trim()) return { why: 'begins or ends with white space', fix: 'remove the white space' };
  if (/^["'`“”‘’«]|["'`“”‘’»]$/.test(text)) {
    return {
      why: 'is in quotation marks',
      fix: 'remove them: an env file of Docker keeps them as a part of the value',
    };
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
  if (/[\x00-\x1f\x7f]/.test(text))
    return { why: 'contains a line break or another control character', fix: 'remove it' };
  return undefined;
}
