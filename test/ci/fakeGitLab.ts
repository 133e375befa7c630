/** The few routes of GitLab's REST API that are called, over loopback and in memory. */
import type { FastifyReply } from 'fastify';
import { addGitLabRepository, type FakeRepository } from './fakeRepository.ts';
import { type FakeForge, type FakeIssue, type FakePost, found, openFake, openIssuesOf, pageOf } from './posts.ts';

export const robot = 'project_42_bot';

export interface FakeGitLab extends FakeForge {
  env: Record<string, string>;
  repository: FakeRepository;
}

type Query = { Querystring: { page?: string; per_page?: string; author_username?: string } };
type ById = { Params: { id: string } };

export async function fakeGitLab(): Promise<FakeGitLab> {
  const state = await openFake((message) => ({ message }));
  const { app, comments, issues, nextId } = state;
  const noteJson = ({ id, body, author }: FakePost) => ({ id, body, author: { username: author }, system: false });
  const issueJson = ({ id, body, author, title, open, labels }: FakeIssue) => ({
    id: id + 1_000_000,
    iid: id,
    title,
    description: body,
    state: open ? 'opened' : 'closed',
    labels,
    author: { username: author },
    web_url: `https://forge.test/acme/infra/-/issues/${id}`,
  });
  const paged = (reply: FastifyReply, next: number | undefined) => reply.header('x-next-page', next ?? '');
  const at = '/projects/42';
  const issue = (id: string) => found(issues.find((each) => each.id === Number(id)));

  app.get('/user', async () => ({ id: 1, username: robot }));
  for (const path of ['merge_requests', 'issues']) {
    app.get<Query & ById>(`${at}/${path}/:id/notes`, async ({ params, query }, reply) => {
      const { items, next } = pageOf(state.on(Number(params.id)), query);
      return paged(reply, next).send(items.map(noteJson));
    });
    app.post<ById & { Body: { body: string } }>(`${at}/${path}/:id/notes`, async ({ params, body }, reply) => {
      const note = { id: nextId(), on: Number(params.id), author: robot, body: body.body };
      comments.push(note);
      return reply.code(201).send(noteJson(note));
    });
  }
  app.put<{ Params: { id: string; note: string }; Body: { body: string } }>(
    `${at}/merge_requests/:id/notes/:note`,
    async ({ params, body }) => {
      const note = found(comments.find(({ id }) => id === Number(params.note)));
      note.body = body.body;
      return noteJson(note);
    },
  );
  app.delete<{ Params: { id: string; note: string } }>(
    `${at}/merge_requests/:id/notes/:note`,
    async ({ params }, reply) => {
      comments.splice(comments.indexOf(found(comments.find(({ id }) => id === Number(params.note)))), 1);
      return reply.code(204).send();
    },
  );
  app.get<Query>(`${at}/issues`, async ({ query }, reply) => {
    const { items, next } = pageOf(openIssuesOf(issues, query.author_username), query);
    return paged(reply, next).send(items.map(issueJson));
  });
  app.post<{ Body: { title: string; description: string } }>(`${at}/issues`, async ({ body }, reply) => {
    const made = { id: nextId(), author: robot, title: body.title, body: body.description, open: true, labels: [] };
    issues.push(made);
    return reply.code(201).send(issueJson(made));
  });
  app.put<ById & { Body: { description?: string; state_event?: string; add_labels?: string } }>(
    `${at}/issues/:id`,
    async ({ params, body }) => {
      const changed = issue(params.id);
      changed.body = body.description ?? changed.body;
      if (body.state_event === 'close') changed.open = false;
      if (body.add_labels) changed.labels.push(body.add_labels);
      return issueJson(changed);
    },
  );
  const repository = addGitLabRepository(state, at, robot);
  state.url = await app.listen({ port: 0, host: '127.0.0.1' });
  const env = {
    GITLAB_CI: 'true',
    CI_API_V4_URL: state.url,
    CI_PROJECT_ID: '42',
    CI_PROJECT_URL: 'https://forge.test/acme/infra',
    CI_JOB_URL: 'https://forge.test/acme/infra/-/jobs/4711',
    CI_COMMIT_SHA: 'b'.repeat(40),
    CI_COMMIT_BRANCH: 'main',
  };
  return Object.assign(state, { env, repository });
}
