/** Applies the rules to files. */
import { rulesFor } from './rules.ts';
import { textsOf } from './texts.ts';

export interface Finding {
  file: string;
  line: number;
  rule: string;
  words: string;
  suggestion: string;
}

const folders = /^(?:src|providers|scripts|bench|reliability|docs|examples|ci|\.github)\//;
const generated = /^(?:docs\/commands\.md|reliability\/results\/|bench\/results\/)/;

export function isProseFile(file: string): boolean {
  if (/^(?:[A-Z]+\.md|action\.yml)$/.test(file)) return file !== 'CHANGELOG.md';
  return folders.test(file) && !generated.test(file) && /\.(?:ts|js|md|html|ya?ml)$/.test(file);
}

export function findingsIn(file: string, content: string): Finding[] {
  const findings = textsOf(file, content).flatMap(({ kind, text, offset }) =>
    rulesFor(kind, text).flatMap(({ name, pattern, suggestion }) =>
      Array.from(text.matchAll(pattern), (match) => ({
        file,
        line: content.slice(0, offset + match.index + match[0].search(/\w/)).split('\n').length,
        rule: name,
        words: match[0].replace(/^\W+/, '').replaceAll(/\s+/g, ' '),
        suggestion,
      })),
    ),
  );
  return findings.sort((a, b) => a.line - b.line);
}
