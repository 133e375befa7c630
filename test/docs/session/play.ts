/** Plays a page: writes its files, makes its edits and runs its commands in their order, and compares each output with the page. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { anchorsOf } from '../../../scripts/site/anchors.ts';
import { freePorts } from '../../freePort.ts';
import { type Block, blocksOf, type Command, type EditBlock, isAsShown } from './page.ts';
import { openShell, type Programs, type ShellSession } from './shell.ts';

export interface Stage {
  env?: Readonly<Record<string, string>>;
  programs?: Programs;
  /** Texts of the page and what stands for them here, such as the address of a database. */
  replaced?: Readonly<Record<string, string>>;
}

/** A command whose result differs from the page. */
export interface Difference {
  line: number;
  command: string;
  exitCode: number;
  output: string[];
  shown: Command;
}

/** Plays pages, or sections of pages (`page.md#section`), one after the other in one session. Returns the differences from the last one. */
export async function play(pages: readonly string[], stage: Stage = {}): Promise<Difference[]> {
  const texts = await Promise.all(pages.map(textOf));
  const names = await namesHere(texts.join('\n'), stage.replaced);
  await using shell = await openShell(stage.env, stage.programs);
  const differences: Difference[] = [];
  for (const [index, text] of texts.entries()) {
    for (const block of blocksOf(text)) {
      const found = await playBlock(block, shell, names);
      if (found === undefined) continue;
      if (index < texts.length - 1) throw new Error(`${pages[index]}:${found.line}: ${found.output.join('\n')}`);
      differences.push(found);
    }
  }
  return differences;
}

async function textOf(page: string): Promise<string> {
  const [file = '', anchor] = page.split('#');
  const text = await readFile(file, 'utf8');
  if (anchor === undefined) return text;
  return text.split(/^(?=## )/m).find((section) => anchorsOf(section)[0] === anchor) ?? '';
}

/** Describes a difference for people. */
export function describeDifference({ line, command, exitCode, output, shown }: Difference): string {
  const expected = [`exit code ${shown.exitCode}`, ...(shown.output ?? ['(any output)'])];
  return [`line ${line}: ${command}`, '--- shown', ...expected, '--- printed', `exit code ${exitCode}`, ...output].join(
    '\n',
  );
}

/** Translates between the page and this session. */
interface Names {
  toHere(text: string): string;
  toPage(text: string): string;
}

/** Ports from 22900 to 22999 on the page stand for free ports, so that tests can run beside each other. */
async function namesHere(text: string, replaced: Readonly<Record<string, string>> = {}): Promise<Names> {
  const shown = [...new Set(text.match(/\b229\d\d\b/g) ?? [])];
  const free = await freePorts(shown.length);
  const pairs = [...shown.map((port, index) => [port, String(free[index])] as const), ...Object.entries(replaced)];
  return {
    toHere: (from) => pairs.reduce((into, [page, here]) => into.replaceAll(page, here), from),
    toPage: (from) => pairs.reduce((into, [page, here]) => into.replaceAll(here, page), from),
  };
}

async function playBlock(block: Block, shell: ShellSession, names: Names): Promise<Difference | undefined> {
  if (block.kind === 'command') return playCommand(block, shell, names);
  const file = join(shell.folder, block.name);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, block.kind === 'file' ? names.toHere(block.text) : await edited(file, block, names));
  return undefined;
}

async function edited(file: string, { line, name, before, after }: EditBlock, names: Names): Promise<string> {
  const parts = (await readFile(file, 'utf8')).split(names.toHere(before));
  if (parts.length !== 2) throw new Error(`line ${line}: ${name} has the old text ${parts.length - 1} times`);
  return parts.join(names.toHere(after));
}

async function playCommand(shown: Command, shell: ShellSession, names: Names): Promise<Difference | undefined> {
  const command = names.toHere(shown.text);
  if (/&\s*(#.*)?$/.test(command)) {
    const ports = [...command.matchAll(/(?:port |-L )(\d+)/g)].map(([, port]) => Number(port));
    await shell.serve(command, ports);
    return undefined;
  }
  const deadline = Date.now() + (shown.isEventual ? 120_000 : 0);
  for (;;) {
    const { output, exitCode } = await shell.run(command);
    const lines = linesOf(names.toPage(output).replaceAll(shell.folder, '~/infra'));
    if (exitCode === shown.exitCode && (shown.output === undefined || isAsShown(lines, shown.output))) return undefined;
    if (Date.now() >= deadline) return { line: shown.line, command: shown.text, exitCode, output: lines, shown };
    // Seconds are promised. Commands that ran more often would slow down the servers that they wait for.
    await sleep(1_000);
  }
}

/** White space at the end of lines is invisible on a page, and a carriage return ends the lines of CSV. */
function linesOf(output: string): string[] {
  return output.trimEnd() === '' ? [] : output.trimEnd().split(/[^\S\n]*\n/);
}
