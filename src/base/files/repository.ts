/** The git repository of a file, read from its files: no program is started. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

export interface Repository {
  /** Its top folder. */
  folder: string;
  /** The address of its remote without scheme, user and `.git`, such as `example.com/acme/infra`: the same in every checkout. */
  remote?: string | undefined;
}

/** Returns the innermost repository above a file; undefined if there is none. */
export function repositoryOf(file: string): Repository | undefined {
  const above = dirname(file);
  if (above === file) return undefined;
  if (existsSync(join(above, '.git'))) return { folder: above, remote: remoteOf(above) };
  return repositoryOf(above);
}

/** Returns `origin`, or else the first remote. */
function remoteOf(folder: string): string | undefined {
  try {
    const sections = readFileSync(join(gitFolder(folder), 'config'), 'utf8').split(/^\s*\[/m);
    const urls = sections.flatMap((section) => {
      const name = /^remote "(.*)"\]/.exec(section)?.[1];
      const url = /^\s*url\s*=\s*(\S+)/m.exec(section)?.[1];
      return name === undefined || url === undefined ? [] : [{ name, url }];
    });
    const url = (urls.find(({ name }) => name === 'origin') ?? urls[0])?.url;
    return url === undefined ? undefined : addressOf(url);
  } catch {
    return undefined;
  }
}

/** A worktree and a submodule have a file `.git`, which names the folder; a worktree shares the configuration of its repository. */
function gitFolder(folder: string): string {
  const git = join(folder, '.git');
  if (statSync(git).isDirectory()) return git;
  const named = resolve(
    folder,
    readFileSync(git, 'utf8')
      .replace(/^gitdir:\s*/, '')
      .trim(),
  );
  const shared = join(named, 'commondir');
  return existsSync(shared) ? resolve(named, readFileSync(shared, 'utf8').trim()) : named;
}

/** `https://user@Example.com/acme/infra.git` and `git@example.com:acme/infra` are one address. */
function addressOf(url: string): string {
  const [, host, path] = /^(?:[a-z+]+:\/\/)?(?:[^@/]*@)?([^/:]+)(?::\d+(?=\/))?[:/](.+)$/.exec(url) ?? [];
  if (host === undefined || path === undefined) return url;
  return `${host.toLowerCase()}/${path.replace(/^\/+/, '').replace(/\/?(?:\.git)?\/?$/, '')}`;
}
