/** What the documents show. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface Block {
  document: string;
  /** Of its fence, counted from 1. */
  line: number;
  language: string;
  text: string;
}

export async function documents(): Promise<string[]> {
  const docs = (await readdir('docs')).filter((name) => name.endsWith('.md')).map((name) => join('docs', name));
  return ['README.md', 'skills/webdata/SKILL.md', ...docs];
}

/** The fenced blocks of a document. */
export async function blocksOf(document: string): Promise<Block[]> {
  const text = await readFile(document, 'utf8');
  return [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(({ 1: language = '', 2: block = '', index }) => ({
    document,
    line: text.slice(0, index).split('\n').length,
    language,
    text: block,
  }));
}

/** Code within sentences. */
export async function inlineCodeOf(document: string): Promise<string[]> {
  const prose = (await readFile(document, 'utf8')).replaceAll(/^```[\s\S]*?^```$/gm, '');
  return [...prose.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
}
