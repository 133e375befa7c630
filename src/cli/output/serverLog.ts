/** The log of a server on stderr: lines of JSON for programs, and aligned words on a terminal. */
import { createColors } from 'picocolors';
import { isMapValue, parsedJson } from '../../base/values/plain.ts';
import { printableJson, printableText } from '../../base/values/printable.ts';
import type { Io } from './io.ts';

/** Returns the function that writes lines of JSON, each with its line break. */
export function serverLog({ stderr, env }: Pick<Io, 'stderr' | 'env'>): (lines: string) => void {
  const isColored = !env.NO_COLOR;
  if (!stderr.isTTY) return (lines) => void stderr.write(printableJson(lines));
  return (lines) => {
    for (const line of lines.split('\n')) if (line !== '') stderr.write(`${prettyLine(line, isColored)}\n`);
  };
}

const widestLevel = 5;
const widestMessage = 10;

/** `2026-07-01T10:00:00.000Z INFO  triggered   run=r_1 owner=acme`. A line that is not JSON is returned as it is. */
export function prettyLine(line: string, isColored: boolean): string {
  const { dim, bold, cyan, yellow, red } = createColors(isColored);
  const entry = parsed(line);
  if (entry === undefined) return printableText(line);
  const { level, time, msg, reqId: _, ...fields } = entry;
  const paint = level === 'error' || level === 'fatal' ? red : level === 'warn' ? yellow : cyan;
  const words = Object.entries(fields).map(([name, value]) => `${dim(`${printableText(name)}=`)}${valueText(value)}`);
  return [
    dim(valueText(time)),
    paint(String(level).toUpperCase().padEnd(widestLevel)),
    bold(printableText(String(msg)).padEnd(words.length > 0 ? widestMessage : 0)),
    ...words,
  ].join(' ');
}

function parsed(line: string): Record<string, unknown> | undefined {
  const value = parsedJson(line);
  return isMapValue(value) && 'level' in value && 'msg' in value ? value : undefined;
}

/** Text that has spaces is quoted, so that each field ends where the next one begins. */
function valueText(value: unknown): string {
  const isWord = typeof value === 'string' && /^[^\s"=]+$/.test(value);
  return printableText(isWord ? value : (JSON.stringify(value) ?? ''));
}
