/**
 * Declarations and command lines that are refused, as the files of `refused` have them: a case after each `##` with a command line after `$` (by
 * default `validate`), variables after `&`, and the declaration. Then the problems after `>`, by place and code, and text of the output after
 * `|`: all that is said of a problem where its code appears for the first time.
 */
import { readFileSync } from 'node:fs';

export const groups = ['yaml', 'places', 'numbers', 'commands', 'account'] as const;

export interface BadCase {
  name: string;
  args: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  /** Undefined if there is no file. */
  yaml: string | undefined;
  problems: readonly string[];
  text: readonly string[];
}

export function refusedCases(group: (typeof groups)[number]): BadCase[] {
  const [, ...parts] = `\n${readFileSync(`${import.meta.dirname}/refused/${group}.txt`, 'utf8')}`.split(/\n## /);
  return parts.map((part) => {
    const [name = '', ...lines] = part.trimEnd().split('\n');
    const after = (mark: string) => lines.filter((line) => line.startsWith(mark)).map((line) => line.slice(2));
    const yaml = lines.filter((line) => !/^[$&>|]/.test(line));
    const [command = 'validate'] = after('$');
    return {
      name,
      args: (command.match(/"(?:[^"\\]|\\.)*"|\S+/g) ?? []).map((word) =>
        word.startsWith('"') ? JSON.parse(word) : word,
      ),
      env: Object.fromEntries(after('&').map(variable)),
      yaml: yaml.length === 0 ? undefined : `${yaml.join('\n')}\n`,
      problems: after('>'),
      text: after('|'),
    };
  });
}

/** `NAME=VALUE`, or `-NAME` for a variable that is not set. */
function variable(line: string): [string, string | undefined] {
  const [, name = '', value = ''] = /^(\w+)=(.*)$/.exec(line) ?? [];
  return name === '' ? [line.slice(1), undefined] : [name, JSON.parse(`"${value}"`)];
}

/** The declarations that `validate` refuses. */
export function badDeclarations(): { name: string; yaml: string; env: BadCase['env'] }[] {
  return (['yaml', 'numbers', 'places'] as const)
    .flatMap((group) => refusedCases(group))
    .flatMap(({ name, args, yaml, env }) =>
      args.join() === 'validate' && yaml !== undefined ? [{ name, yaml, env }] : [],
    );
}
