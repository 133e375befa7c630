/** What is well-formed YAML and yet refused, in words. */
import { isScalar, type Node } from 'yaml';
import { nearest } from '../diagnostics/nearest.ts';
import type { Problem } from '../diagnostics/problem.ts';

/** Enough for any file that a person wrote; without a limit, a few hundred bytes of aliases of aliases fill the memory. */
export const MAX_REPEATED = 100_000;
export const MAX_DEPTH = 100;

export const TOO_DEEP: Problem = {
  code: 'too-deep',
  found: 'maps and lists are nested too deeply',
  allowed: `${MAX_DEPTH} levels`,
  fix: 'flatten them',
};

/** Made when it is needed: the first number that is written in a language loads that language's data, which takes a while. */
export function tooManyAliases(): Problem {
  return {
    code: 'too-many-aliases',
    found: 'the aliases of this file repeat too much',
    allowed: `${MAX_REPEATED.toLocaleString('en')} repeated values in a file`,
    fix: 'write out what differs, and use fewer aliases of aliases',
  };
}

export const RESERVED_KEY: Problem = {
  code: 'reserved-key',
  found: '`__proto__` cannot be a key',
  fix: 'choose another name',
};

export const MERGE_OF_NO_MAP: Problem = {
  code: 'merge-of-no-map',
  found: '`<<` merges something that is not a map',
  allowed: 'an alias of a map, or a list of them: <<: [*a, *b]',
  fix: 'anchor a map with & and name it here with *, or remove this line',
};

export function unknownAlias(name: string, anchors: Iterable<string>): Problem {
  const near = nearest(name, anchors);
  return {
    code: 'unknown-alias',
    found: `\`*${name}\` stands for an anchor that is not defined before it`,
    fix:
      near === undefined ? `put the anchor \`&${name}\` further up, or quote the text` : `did you mean \`*${near}\`?`,
  };
}

export function aliasInItself(name: string): Problem {
  return {
    code: 'alias-in-itself',
    found: `\`*${name}\` stands inside what it stands for`,
    fix: 'move the alias out of there, or write out what is meant',
  };
}

export function keyIsNotText(node: Node): Problem {
  const isSimple = isScalar(node) && node.source !== undefined && node.source !== '';
  return {
    code: 'key-not-text',
    found: isSimple ? `a key that is not text: \`${node.source}\`` : 'a key that is not text',
    allowed: 'text',
    fix: isSimple ? `put it in quotes: "${node.source}"` : 'write a name before the colon',
  };
}
