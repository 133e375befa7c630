/** Reads the parts of a page that are run: files, edits of files and commands with their output. */

/** A file that the page shows whole: a code block that begins with its name. */
interface FileBlock {
  kind: 'file';
  line: number;
  name: string;
  text: string;
}

/** An edit of a file: a `diff` block. */
export interface EditBlock {
  kind: 'edit';
  line: number;
  name: string;
  before: string;
  after: string;
}

export interface Command {
  kind: 'command';
  /** Counted from 1. */
  line: number;
  text: string;
  /** The output as shown; undefined in `sh` blocks, which show none. */
  output: string[] | undefined;
  exitCode: number;
  /** True if the command is repeated until its output is as shown. */
  isEventual: boolean;
}

export type Block = FileBlock | EditBlock | Command;

/** Returns the blocks of a page in their order. Blocks in other languages, or without the name of a file, are only read. */
export function blocksOf(page: string): Block[] {
  return [...page.matchAll(/^( *)```(\w+)\n([\s\S]*?)^\1```$/gm)].flatMap(
    ({ 1: indent = '', 2: language = '', 3: indented = '', index }): Block[] => {
      const line = page.slice(0, index).split('\n').length;
      const text = indented.replaceAll(new RegExp(`^${indent}`, 'gm'), '');
      if (language === 'sh' && !/^# [\w./-]+\.sh\n/.test(text)) return commandsIn(text, line);
      if (language === 'console') return sessionIn(text, line);
      if (language === 'diff') return [editIn(text, line)];
      const name = /^(?:#|\/\/|--) (?<name>[\w./-]*\w\.\w+|crontab)$/m.exec(text.split('\n', 1)[0] ?? '')?.groups?.name;
      return name === undefined ? [] : [{ kind: 'file', line, name, text }];
    },
  );
}

/** Joins lines that end with a backslash, and leaves out comments and empty lines. */
function commandsIn(text: string, fence: number): Command[] {
  const commands: Command[] = [];
  let begun = '';
  text.split('\n').forEach((line, index) => {
    begun += line;
    if (line.endsWith('\\')) begun += '\n';
    else {
      if (begun !== '' && !begun.startsWith('#')) commands.push(command(begun, fence + 1 + index, undefined));
      begun = '';
    }
  });
  return commands;
}

/** Reads a session: lines that begin with `$ `, with `> ` after a line that ends with a backslash, and what they print. */
function sessionIn(text: string, fence: number): Command[] {
  const commands: Command[] = [];
  let typed = '';
  text
    .replace(/\n$/, '')
    .split('\n')
    .forEach((line, index) => {
      const isTyped = line.startsWith('$ ') || typed.endsWith('\\');
      if (!isTyped) commands.at(-1)?.output?.push(line);
      else {
        typed = `${typed.replace(/\\$/, '')}${line.slice(2)}`;
        if (typed.endsWith('\\')) return;
        commands.push(command(typed, fence + 1 + index, []));
        typed = '';
      }
    });
  for (const { output } of commands) while (output?.at(-1) === '') output.pop();
  return commands;
}

function command(text: string, line: number, output: string[] | undefined): Command {
  const comment = /\s#\s(.*)$/.exec(text)?.[1] ?? '';
  const exitCode = Number(/exit code (\d+)/.exec(comment)?.[1] ?? 0);
  return { kind: 'command', line, text, output, exitCode, isEventual: comment.includes('after a few seconds') };
}

function editIn(text: string, line: number): EditBlock {
  const [first = '', second, ...rest] = text.replace(/\n$/, '').split('\n');
  const name = /^--- (\S+)$/.exec(first)?.[1];
  if (name === undefined || second !== `+++ ${name}`) throw new Error(`line ${line}: the diff names no file`);
  const lines = rest.filter((each) => !each.startsWith('@@'));
  const without = (sign: string) => lines.filter((each) => !each.startsWith(sign)).map((each) => `${each.slice(1)}\n`);
  return { kind: 'edit', line, name, before: without('+').join(''), after: without('-').join('') };
}

/** True if the output is as shown. A line `…` stands for any lines, and `…` within a line for any text. */
export function isAsShown(output: readonly string[], shown: readonly string[]): boolean {
  const escaped = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll('…', '[^\\n]*');
  const pattern = shown.map((line) => (line.trim() === '…' ? '(?:[^\\n]*\\n)*?' : `${escaped(line)}\\n`)).join('');
  return new RegExp(`^${pattern}$`).test(output.map((line) => `${line}\n`).join(''));
}
