/** The few routes of GitHub's REST API that are called, over loopback and in memory. */
import type { FastifyReply } from 'fastify';
import { addGitHubRepository, type FakeRepository } from './fakeRepository.ts';
import { type FakeForge, type FakeIssue, type FakePost, found, openFake, openIssuesOf, pageOf } from './posts.ts';

export const repository = 'acme/infra';
/** Who the token of a workflow writes as. */
export const bot = 'github-actions[bot]';

export interface FakeGitHub extends FakeForge {
  /** What a runner sets, besides the token. */
  env: Record<string, string>;
  repository: FakeRepository;
}

interface Options {
  /** The token is a person's: it may ask who it is. */
  person?: string;
}

type Query = { Querystring: { page?: string; per_page?: string; creator?: string } };
type ById = { Params: { id: string } };

export async function fakeGitHub({ person }: Options = {}): Promise<FakeGitHub> {
  const state = await openFake((message) => ({ message }));
  const { app, comments, issues, nextId } = state;
  const author = person ?? bot;
  const user = (login: string) => ({ login, type: login.endsWith('[bot]') ? 'Bot' : 'User' });
  const commentJson = ({ id, body, author: by, on }: FakePost) => ({
    id,
    body,
    user: user(by),
    html_url: `https://forge.test/${repository}/pull/${on}#issuecomment-${id}`,
  });
  const issueJson = ({ id, body, author: by, title, open, isPullRequest }: FakeIssue) => ({
    id: id + 1_000_000,
    number: id,
    title,
    body,
    state: open ? 'open' : 'closed',
    user: user(by),
    html_url: `https://forge.test/${repository}/issues/${id}`,
    ...(isPullRequest ? { pull_request: {} } : {}),
  });
  const linked = (reply: FastifyReply, path: string, next: number | undefined, query: Record<string, string>) =>
    next === undefined
      ? reply
      : reply.header('link', `<${state.url}${path}?${new URLSearchParams({ ...query, page: `${next}` })}>; rel="next"`);
  const at = `/repos/${repository}/issues`;
  const issue = (id: string) => found(issues.find((each) => each.id === Number(id)));

  app.get('/user', async (_request, reply) =>
    person === undefined
      ? reply.code(403).send({ message: 'Resource not accessible by integration' })
      : { login: person, type: 'User' },
  );
  app.get<Query & ById>(`${at}/:id/comments`, async ({ params, query }, reply) => {
    const { items, next } = pageOf(state.on(Number(params.id)), query);
    return linked(reply, `${at}/${params.id}/comments`, next, query).send(items.map(commentJson));
  });
  app.post<ById & { Body: { body: string } }>(`${at}/:id/comments`, async ({ params, body }, reply) => {
    if (body.body.length > 65_536) return reply.code(422).send({ message: 'Body is too long' });
    const comment = { id: nextId(), on: Number(params.id), author, body: body.body };
    comments.push(comment);
    return reply.code(201).send(commentJson(comment));
  });
  app.patch<ById & { Body: { body: string } }>(`${at}/comments/:id`, async ({ params, body }) => {
    const comment = found(comments.find(({ id }) => id === Number(params.id)));
    comment.body = body.body;
    return commentJson(comment);
  });
  app.delete<ById>(`${at}/comments/:id`, async ({ params }, reply) => {
    comments.splice(comments.indexOf(found(comments.find(({ id }) => id === Number(params.id)))), 1);
    return reply.code(204).send();
  });
  app.get<Query>(at, async ({ query }, reply) => {
    const { items, next } = pageOf(openIssuesOf(issues, query.creator), query);
    return linked(reply, at, next, query).send(items.map(issueJson));
  });
  app.post<{ Body: { title: string; body: string } }>(at, async ({ body: { title, body } }, reply) => {
    const id = nextId();
    const made = { id, author, title, body, open: true, labels: [], updated: id };
    issues.push(made);
    return reply.code(201).send(issueJson(made));
  });
  app.patch<ById & { Body: { body?: string; state?: string } }>(`${at}/:id`, async ({ params, body }) => {
    const changed = issue(params.id);
    changed.body = body.body ?? changed.body;
    changed.open = body.state !== 'closed';
    changed.updated = nextId();
    return issueJson(changed);
  });
  app.post<ById & { Body: { labels: string[] } }>(`${at}/:id/labels`, async ({ params, body }) => {
    issue(params.id).labels.push(...body.labels);
    return body.labels.map((name) => ({ name }));
  });
  const git = addGitHubRepository(state, `/repos/${repository}`, author);
  state.url = await app.listen({ port: 0, host: '127.0.0.1' });
  const env = {
    GITHUB_ACTIONS: 'true',
    GITHUB_API_URL: state.url,
    GITHUB_SERVER_URL: 'https://forge.test',
    GITHUB_REPOSITORY: repository,
    GITHUB_RUN_ID: '4711',
    GITHUB_SHA: 'a'.repeat(40),
    GITHUB_REF_TYPE: 'branch',
    GITHUB_REF_NAME: 'main',
  };
  return Object.assign(state, { env, repository: git });
}
