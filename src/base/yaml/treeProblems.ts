/** Problems of well-formed YAML that is refused. */
import { isScalar, type Node } from 'yaml';
import { nearest } from '../diagnostics/nearest.ts';
import type { Problem } from '../diagnostics/problem.ts';
import { formatNumber } from '../diagnostics/valueWords.ts';

/** Enough for files that people write. Without a limit, a few hundred bytes of nested aliases would fill the memory. */
export const MAX_REPEATED = 100_000;
export const MAX_DEPTH = 100;
/** The limit of plan files and baselines, in which secrets are nested a little deeper than in a declaration. */
export const MAX_KEPT_DEPTH = MAX_DEPTH + 10;

export const TOO_DEEP: Problem = {
  code: 'too-deep',
  found: 'maps and lists are nested too deeply',
  allowed: `${MAX_DEPTH} levels`,
  fix: 'flatten them',
};

export const TOO_MANY_ALIASES: Problem = {
  code: 'too-many-aliases',
  found: 'the aliases in this file expand to too many values',
  allowed: `${formatNumber(MAX_REPEATED)} values repeated by aliases`,
  fix: 'write out what differs, and use fewer aliases of aliases',
};

export const RESERVED_KEY: Problem = {
  code: 'reserved-key',
  found: '`__proto__` cannot be a key',
  fix: 'choose another name',
};

/** Spaces that YAML reads as text, such as the no-break space of a web page, at a place where people mean the space of the keyboard. */
const misleadingSpace = /(?<=^|[:-])(?! )\p{Zs}|(?! )\p{Zs}$/u;

/** Returns the problem with a text without quotes that has such a space at an end, or after a colon or a dash. */
export function unusualSpace(text: string): Problem | undefined {
  // A quick test: most texts are plain.
  const space = /^[ -~]*$/.test(text) ? undefined : misleadingSpace.exec(text)?.[0];
  if (space === undefined) return undefined;
  const code = space.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  return {
    code: 'unusual-space',
    found: `the text has an unusual space, U+${code}${code === '00A0' ? ' (no-break space)' : ''}`,
    allowed: 'the space of the keyboard',
    fix: 'replace it, or put the text in quotes if the space belongs to it',
  };
}

export const MERGE_OF_NO_MAP: Problem = {
  code: 'merge-of-no-map',
  found: 'the value of `<<` is not a map',
  allowed: 'an alias of a map, or a list of them: <<: [*a, *b]',
  fix: 'anchor a map with & and name it here with *, or remove this line',
};

export function unknownAlias(name: string, anchors: Iterable<string>): Problem {
  const near = nearest(name, anchors);
  return {
    code: 'unknown-alias',
    found: `\`*${name}\` refers to an anchor that is not defined before it`,
    fix:
      near === undefined ? `put the anchor \`&${name}\` further up, or quote the text` : `did you mean \`*${near}\`?`,
  };
}

export function aliasInItself(name: string): Problem {
  return {
    code: 'alias-in-itself',
    found: `the alias \`*${name}\` is inside its own anchor`,
    fix: 'move the alias out of it, or write out the value',
  };
}

export function keyIsNotText(node: Node): Problem {
  const isSimple = isScalar(node) && node.source !== undefined && node.source !== '';
  return {
    code: 'key-not-text',
    found: isSimple ? `the key \`${node.source}\` is not text` : 'a key is not text',
    allowed: 'text',
    fix: isSimple ? `put it in quotes: "${node.source}"` : 'write a name before the colon',
  };
}
