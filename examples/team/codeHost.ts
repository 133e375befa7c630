/**
 * A stand-in for GitHub on loopback: a real git repository, and the routes of the API that `webdata ci drift --propose` calls. Issues and pull
 * requests are kept in memory.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Env } from '../quickstart/demo/stage.ts';

export interface CodeHost extends AsyncDisposable {
  /** A bare repository, which `git clone` and `git push` accept. */
  repository: string;
  /** The environment of a job for the last commit of the branch `main`. */
  jobEnv(): Env;
}

const name = 'acme/infra';
const token = 'token-of-the-job';
const user = { login: 'acme-ci', type: 'User' };

/** An issue or a pull request. */
interface Item {
  number: number;
  title: string;
  body: string;
  state: 'open' | 'closed';
  /** The branch of a pull request. */
  head?: string;
}

type Body = Partial<Omit<Item, 'number'>> & {
  ref?: string;
  sha?: string;
  message?: string;
  parents?: string[];
  base_tree?: string;
  /** The entries of a new tree, or the id of one. */
  tree?: string | { path: string; mode: string; content: string }[];
};

type Route = [method: string, path: RegExp, answer: (body: Body, params: string[], query: URLSearchParams) => unknown];

export async function startCodeHost(folder: string): Promise<CodeHost> {
  const repository = join(folder, 'infra.git');
  mkdirSync(repository);
  const git = gitIn(repository);
  git('init', '--quiet', '--bare', '--initial-branch=main');
  const items: Item[] = [];
  const routes = [...gitRoutes(git, join(folder, 'index')), ...itemRoutes(items, (branch) => isMerged(git, branch))];

  async function answerTo(request: IncomingMessage): Promise<[status: number, answer: unknown]> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const body: Body = JSON.parse((await text(request)) || '{}');
    if (request.headers.authorization !== `Bearer ${token}`) return [401, { message: 'Bad credentials' }];
    for (const [method, path, answer] of routes) {
      const [all, ...params] = path.exec(pathname.replace(`/repos/${name}`, '')) ?? [];
      if (request.method !== method || all === undefined) continue;
      const answered = answer(body, params.map(decodeURIComponent), searchParams);
      return answered === undefined ? [404, { message: 'Not Found' }] : [method === 'POST' ? 201 : 200, answered];
    }
    return [404, { message: 'Not Found' }];
  }

  const server = createServer(async (request, response) => {
    const [status, answer] = await answerTo(request).catch(
      (error: Error) => [500, { message: error.message }] as const,
    );
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    repository,
    jobEnv: () => ({
      GITHUB_ACTIONS: 'true',
      GITHUB_API_URL: `http://127.0.0.1:${port}`,
      GITHUB_SERVER_URL: 'https://github.com',
      GITHUB_REPOSITORY: name,
      GITHUB_RUN_ID: '1004',
      GITHUB_SHA: git('rev-parse', 'main'),
      GITHUB_REF_TYPE: 'branch',
      GITHUB_REF_NAME: 'main',
      GITHUB_TOKEN: token,
    }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

type Git = ReturnType<typeof gitIn>;

const author = { GIT_AUTHOR_NAME: 'ci', GIT_AUTHOR_EMAIL: 'ci@example.com' };
const committer = { GIT_COMMITTER_NAME: 'ci', GIT_COMMITTER_EMAIL: 'ci@example.com' };

/** Returns a function that runs git in a folder, without the configuration of this machine, and returns what it prints. */
export function gitIn(cwd: string, { input = '', env = {} }: { input?: string; env?: Env } = {}) {
  const own = { PATH: process.env.PATH, HOME: cwd, GIT_CONFIG_NOSYSTEM: '1', ...author, ...committer, ...env };
  return (...args: string[]) =>
    execFileSync('git', args, { cwd, env: own, input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'pipe'] }).trim();
}

function gitRoutes(git: Git, index: string): Route[] {
  const repository = git('rev-parse', '--absolute-git-dir');
  const orMissing = (...args: string[]) => {
    try {
      return git(...args);
    } catch {
      return undefined;
    }
  };
  const idOf = (what: string) => orMissing('rev-parse', '--quiet', '--verify', what);
  const refOf = (branch = '') => idOf(`refs/heads/${branch}`);
  const setRef = (ref: string, sha = '') => {
    git('update-ref', ref, sha);
    return { ref };
  };
  const inIndex = gitIn(repository, { env: { GIT_INDEX_FILE: index } });
  return [
    [
      'GET',
      /^\/git\/ref\/heads\/(.+)$/,
      (_, [branch]) => {
        const sha = refOf(branch);
        return sha && { object: { sha } };
      },
    ],
    [
      'GET',
      /^\/git\/commits\/(.+)$/,
      (_, [id = '']) => ({ message: git('log', '-1', '--format=%B', id), tree: { sha: idOf(`${id}^{tree}`) } }),
    ],
    [
      'GET',
      /^\/contents\/(.+)$/,
      (_, [path], query) => {
        const sha = idOf(`${query.get('ref')}:${path}`);
        return sha && { sha };
      },
    ],
    [
      'POST',
      /^\/git\/trees$/,
      ({ base_tree = '', tree = [] }) => {
        inIndex('read-tree', base_tree);
        for (const { path, mode, content } of Array.isArray(tree) ? tree : []) {
          const id = gitIn(repository, { input: content })('hash-object', '-w', '--stdin');
          inIndex('update-index', '--add', '--cacheinfo', `${mode},${id},${path}`);
        }
        return { sha: inIndex('write-tree') };
      },
    ],
    [
      'POST',
      /^\/git\/commits$/,
      ({ message = '', tree, parents: [parent = ''] = [] }) => ({
        sha: git('commit-tree', String(tree), '-p', parent, '-m', message),
      }),
    ],
    ['POST', /^\/git\/refs$/, ({ ref = '', sha }) => setRef(ref, sha)],
    ['PATCH', /^\/git\/refs\/heads\/(.+)$/, ({ sha }, [branch]) => setRef(`refs/heads/${branch}`, sha)],
    [
      'DELETE',
      /^\/git\/refs\/heads\/(.+)$/,
      (_, [branch]) => {
        git('update-ref', '-d', `refs/heads/${branch}`);
        return {};
      },
    ],
  ];
}

function isMerged(git: Git, branch: string): boolean {
  return git('branch', '--merged', 'main', '--format=%(refname:short)').split('\n').includes(branch);
}

function itemRoutes(items: Item[], isMergedBranch: (branch: string) => boolean): Route[] {
  const refresh = () => {
    for (const item of items) if (item.head !== undefined && isMergedBranch(item.head)) item.state = 'closed';
  };
  const json = (item: Item) => {
    const isPull = item.head !== undefined;
    const mergedAt = isPull && isMergedBranch(item.head ?? '') ? new Date().toISOString() : null;
    const html_url = `https://github.com/${name}/${isPull ? 'pull' : 'issues'}/${item.number}`;
    return { ...item, id: item.number, user, html_url, ...(isPull && { merged_at: mergedAt }) };
  };
  const add = (item: Body) => {
    const { title = '', body = '', head } = item;
    const made: Item = { number: items.length + 1, title, body, state: 'open', ...(head !== undefined && { head }) };
    items.push(made);
    return json(made);
  };
  const change = ({ title, body, state }: Body, [number]: string[]) => {
    const item = items[Number(number) - 1];
    if (item === undefined) return undefined;
    Object.assign(item, { title: title ?? item.title, body: body ?? item.body, state: state ?? item.state });
    return json(item);
  };
  return [
    ['GET', /^\/user$/, () => user],
    ['GET', /^\/issues$/, () => items.filter(({ head, state }) => head === undefined && state === 'open').map(json)],
    ['POST', /^\/issues$/, add],
    ['PATCH', /^\/issues\/(\d+)$/, change],
    ['POST', /^\/issues\/(\d+)\/(?:labels|comments)$/, () => ({})],
    [
      'GET',
      /^\/pulls$/,
      (_, __, query) => {
        refresh();
        const branch = query.get('head')?.split(':')[1];
        return items.filter(({ head, state }) => head === branch && state === query.get('state')).map(json);
      },
    ],
    ['POST', /^\/pulls$/, add],
    ['PATCH', /^\/pulls\/(\d+)$/, change],
  ];
}
