/** A git repository and its pull or merge requests in memory, with the routes of both code hosts that proposals call. */
import { createHash, randomBytes } from 'node:crypto';
import type { FakeState } from './posts.ts';

interface FakeRequest {
  id: number;
  author: string;
  branch: string;
  base: string;
  title: string;
  body: string;
  state: 'open' | 'closed';
}

interface FakeCommit {
  id: string;
  message: string;
  parent?: string;
  files: ReadonlyMap<string, string>;
}

export class FakeRepository {
  readonly commits = new Map<string, FakeCommit>();
  readonly branches = new Map<string, string>();
  readonly requests: FakeRequest[] = [];
  readonly trees = new Map<string, ReadonlyMap<string, string>>();

  /** Commits files on top of a parent; the branch points at it. */
  commit(branch: string, message: string, files: Record<string, string>, parent?: string, id = newId()): string {
    const known = parent === undefined ? [] : [...(this.commits.get(parent)?.files ?? [])];
    const commit = { id, message, files: new Map([...known, ...Object.entries(files)]), ...(parent && { parent }) };
    this.commits.set(id, commit);
    this.branches.set(branch, id);
    return id;
  }

  head(branch: string): FakeCommit | undefined {
    return this.commits.get(this.branches.get(branch) ?? '');
  }

  blob(commit: string, path: string): string | undefined {
    const text = this.commits.get(commit)?.files.get(path);
    return text === undefined ? undefined : sha1(`blob ${Buffer.byteLength(text)}\0${text}`);
  }

  isRequested(branch: string): boolean {
    return this.requests.some((each) => each.branch === branch && each.state === 'open');
  }

  /** The one open request. */
  get open(): FakeRequest | undefined {
    return this.requests.find(({ state }) => state === 'open');
  }
}

function newId(): string {
  return randomBytes(20).toString('hex');
}

function sha1(text: string): string {
  return createHash('sha1').update(text).digest('hex');
}

export function addGitHubRepository({ app, nextId }: FakeState, at: string, author: string): FakeRepository {
  const repository = new FakeRepository();
  const { commits, branches, trees, requests } = repository;
  const notFound = { message: 'Not Found' };
  const pullJson = ({ id, author: login, title, body, branch }: FakeRequest) => ({
    id: id + 2_000_000,
    number: id,
    title,
    body,
    html_url: `https://forge.test${at.replace('/repos', '')}/pull/${id}`,
    user: { login, type: login.endsWith('[bot]') ? 'Bot' : 'User' },
    head: { ref: branch },
  });
  app.get<{ Params: { '*': string } }>(`${at}/git/ref/heads/*`, async ({ params }, reply) => {
    const sha = branches.get(params['*']);
    return sha === undefined ? reply.code(404).send(notFound) : { object: { sha } };
  });
  app.get<{ Params: { id: string } }>(`${at}/git/commits/:id`, async ({ params: { id } }, reply) => {
    const commit = commits.get(id);
    return commit ? { message: commit.message, tree: { sha: `tree-of-${id}` } } : reply.code(404).send(notFound);
  });
  app.get<{ Params: { '*': string }; Querystring: { ref: string } }>(
    `${at}/contents/*`,
    async ({ params, query }, reply) => {
      const sha = repository.blob(query.ref, params['*']);
      return sha === undefined ? reply.code(404).send(notFound) : { sha };
    },
  );
  app.post<{ Body: { base_tree: string; tree: { path: string; mode: string; content: string }[] } }>(
    `${at}/git/trees`,
    async ({ body }, reply) => {
      const before = commits.get(body.base_tree.replace('tree-of-', ''))?.files ?? new Map();
      const sha = newId();
      trees.set(sha, new Map([...before, ...body.tree.map(({ path, content }) => [path, content] as const)]));
      return reply.code(201).send({ sha });
    },
  );
  app.post<{ Body: { message: string; tree: string; parents: string[] } }>(
    `${at}/git/commits`,
    async ({ body }, reply) => {
      const id = newId();
      const [parent] = body.parents;
      commits.set(id, {
        id,
        message: body.message,
        files: trees.get(body.tree) ?? new Map(),
        ...(parent && { parent }),
      });
      return reply.code(201).send({ sha: id });
    },
  );
  app.post<{ Body: { ref: string; sha: string } }>(`${at}/git/refs`, async ({ body }, reply) => {
    const branch = body.ref.replace('refs/heads/', '');
    if (branches.has(branch)) return reply.code(422).send({ message: 'Reference already exists' });
    branches.set(branch, body.sha);
    return reply.code(201).send({});
  });
  app.patch<{ Params: { '*': string }; Body: { sha: string } }>(`${at}/git/refs/heads/*`, async ({ params, body }) => {
    branches.set(params['*'], body.sha);
    return {};
  });
  app.delete<{ Params: { '*': string } }>(`${at}/git/refs/heads/*`, async ({ params }, reply) => {
    branches.delete(params['*']);
    return reply.code(204).send();
  });
  app.get<{ Querystring: { state: string; head: string } }>(`${at}/pulls`, async ({ query }) => {
    const branch = query.head.slice(query.head.indexOf(':') + 1);
    const found = requests.filter(
      (each) => each.branch === branch && (each.state === 'open') === (query.state === 'open'),
    );
    return found.toReversed().map(pullJson);
  });
  app.post<{ Body: { head: string; base: string; title: string; body: string } }>(
    `${at}/pulls`,
    async ({ body }, reply) => {
      const { head: branch, base, title } = body;
      if (repository.isRequested(branch)) {
        const errors = [
          { resource: 'PullRequest', code: 'custom', message: `A pull request already exists for ${branch}.` },
        ];
        return reply.code(422).send({ message: 'Validation Failed', errors });
      }
      const made: FakeRequest = { id: nextId(), author, branch, base, title, body: body.body, state: 'open' };
      requests.push(made);
      return reply.code(201).send(pullJson(made));
    },
  );
  app.patch<{ Params: { id: string }; Body: { title?: string; body?: string; state?: 'closed' } }>(
    `${at}/pulls/:id`,
    async ({ params, body }, reply) => {
      const request = requests.find(({ id }) => id === Number(params.id));
      return request ? pullJson(Object.assign(request, body)) : reply.code(404).send(notFound);
    },
  );
  return repository;
}

export function addGitLabRepository({ app, nextId }: FakeState, at: string, author: string): FakeRepository {
  const repository = new FakeRepository();
  const { branches, requests } = repository;
  const notFound = { message: '404 Not Found' };
  const requestJson = ({ id, author: username, title, body, branch, state }: FakeRequest) => ({
    iid: id,
    title,
    description: body,
    web_url: `https://forge.test/acme/infra/-/merge_requests/${id}`,
    author: { username },
    state: state === 'open' ? 'opened' : state,
    source_branch: branch,
    source_project_id: 42,
    target_project_id: 42,
  });
  app.get<{ Params: { branch: string } }>(
    `${at}/repository/branches/:branch`,
    async ({ params: { branch } }, reply) => {
      const head = repository.head(branch);
      return head ? { name: branch, commit: { id: head.id, message: head.message } } : reply.code(404).send(notFound);
    },
  );
  app.delete<{ Params: { branch: string } }>(`${at}/repository/branches/:branch`, async ({ params }, reply) => {
    branches.delete(params.branch);
    return reply.code(204).send();
  });
  app.get<{ Params: { path: string }; Querystring: { ref: string } }>(
    `${at}/repository/files/:path`,
    async ({ params, query }, reply) => {
      const id = repository.blob(query.ref, params.path);
      return id === undefined ? reply.code(404).send(notFound) : { blob_id: id };
    },
  );
  app.post<{
    Body: {
      branch: string;
      start_sha: string;
      force: boolean;
      commit_message: string;
      actions: { file_path: string; content: string }[];
    };
  }>(`${at}/repository/commits`, async ({ body }, reply) => {
    if (branches.has(body.branch) && !body.force) return reply.code(400).send({ message: 'A branch exists already' });
    const files = Object.fromEntries(body.actions.map(({ file_path, content }) => [file_path, content]));
    return reply.code(201).send({ id: repository.commit(body.branch, body.commit_message, files, body.start_sha) });
  });
  app.get<{ Querystring: { state: string; source_branch: string } }>(`${at}/merge_requests`, async ({ query }) => {
    return requests
      .filter((each) => each.branch === query.source_branch && (query.state === 'all' || each.state === 'open'))
      .toReversed()
      .map(requestJson);
  });
  app.post<{ Body: { source_branch: string; target_branch: string; title: string; description: string } }>(
    `${at}/merge_requests`,
    async ({ body: { source_branch: branch, target_branch: base, title, description: body } }, reply) => {
      if (repository.isRequested(branch)) {
        return reply.code(409).send({ message: ['Another open merge request already exists for this source branch'] });
      }
      const made: FakeRequest = { id: nextId(), author, branch, base, title, body, state: 'open' };
      requests.push(made);
      return reply.code(201).send(requestJson(made));
    },
  );
  app.put<{ Params: { id: string }; Body: { title?: string; description?: string; state_event?: string } }>(
    `${at}/merge_requests/:id`,
    async ({ params, body }, reply) => {
      const request = requests.find(({ id }) => id === Number(params.id));
      if (request === undefined) return reply.code(404).send(notFound);
      request.title = body.title ?? request.title;
      request.body = body.description ?? request.body;
      if (body.state_event === 'close') request.state = 'closed';
      return requestJson(request);
    },
  );
  return repository;
}
