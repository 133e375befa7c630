/** `webdata ci drift --propose`: one pull or merge request for each declaration, with the edit that accepts the drift. */
import { createHash } from 'node:crypto';
import { realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Problem, ProblemError } from '../base/diagnostics/problem.ts';
import { shorten } from '../base/diagnostics/valueWords.ts';
import { printableText } from '../base/values/printable.ts';
import { environmentSecrets } from '../client/environmentSecrets.ts';
import { code } from '../report/markdown/markup.ts';
import type { DeclarationEdit } from '../report/model/declarationEdit.ts';
import { marked } from './codeHost.ts';
import { type CiEnvironment, nameInCheckout } from './environment.ts';
import type { Commit, Post, ProposalHost, ProposedFile } from './post.ts';
import type { JobIo, Outcome } from './runner.ts';
import { type About, atMinute, driftEnded, folded, hashOf, linkTo, markerOf, messageBody } from './texts.ts';

/** The job, and what its texts are about. */
export interface JobContext {
  about: About;
  environment: CiEnvironment;
  io: JobIo;
}

/** Opens, updates or closes the proposal. Returns the line for the log, if there is anything to say. @throws ProblemError */
export async function propose(
  host: ProposalHost,
  outcome: Outcome,
  { about, environment, io }: JobContext,
): Promise<string | undefined> {
  const { edit } = outcome;
  const proposal = { host, about, branch: branchOf(about.key) };
  if (edit === undefined || edit.files.length === 0) {
    // After an error the live state is unknown, so an open proposal may still be right.
    return outcome.code === 1 ? undefined : withdraw(proposal, outcome.code === 2);
  }
  const { base, commit } = environment;
  if (base === undefined || commit === undefined) throw new ProblemError([noBase]);
  assertNoSecret(edit, io);
  const files = await Promise.all(edit.files.map((each) => proposedFile(each, environment, io)));
  for (const [index, { before }] of edit.files.entries()) {
    const path = files[index]?.path ?? '';
    if ((await host.blobId(path, commit)) !== gitBlobId(before)) throw new ProblemError([notCommitted(path, commit)]);
  }
  return put(proposal, { outcome, edit, files, base, commit });
}

interface Proposal {
  host: ProposalHost;
  about: About;
  branch: string;
}

interface Proposed {
  outcome: Outcome;
  edit: DeclarationEdit;
  files: ProposedFile[];
  base: string;
  commit: string;
}

async function put(proposal: Proposal, { outcome, edit, files, base, commit }: Proposed): Promise<string> {
  const { host, about, branch } = proposal;
  const [open] = await ownRequests(proposal);
  const head = await host.head(branch);
  if (head !== undefined && !isOwnCommit(head, open, about)) return othersCommits(open, branch);
  const title = `Accept drift: ${shorten(printableText(about.key))}`;
  const edits = edit.files.map(({ file, before, after }) => [file, before, after]);
  const trailer = `${trailerKey(about.key)} ${hashOf(JSON.stringify(edits))}`;
  const isWritten = head?.message.includes(trailer) === true;
  const message = `${title}\n\n${trailer}\n`;
  const id = isWritten ? head.id : await host.commit(branch, { parent: commit, files, message });
  const body = proposalBody([markerOf('proposal', about.key), commitMarkOf(id)], outcome, edit, about);
  if (open === undefined) return `Opened the proposal: ${(await host.create({ branch, base, title, body })).url}`;
  return `Updated the proposal: ${(await host.update(open.id, { title, body })).url}`;
}

/** Reports whether a run made the last commit of the branch. A person who amends a commit keeps its message, so a request names it by its id. */
function isOwnCommit(head: Commit, request: Post | undefined, { key }: About): boolean {
  return request === undefined ? head.message.includes(trailerKey(key)) : request.body.includes(commitMarkOf(head.id));
}

function othersCommits(open: Post | undefined, branch: string): string {
  const what = open === undefined ? `branch ${branch}` : open.url;
  return `The proposal has commits of other people, and stays as it is: ${what}`;
}

/** Closes the proposal, and removes its branch unless others have committed to it. */
async function withdraw(proposal: Proposal, hasDrift: boolean): Promise<string | undefined> {
  const { host, about, branch } = proposal;
  const requests = await ownRequests(proposal);
  for (const { id } of requests) {
    await host.close(id);
    await host.comment(id, hasDrift ? noEdit(about) : driftEnded(about));
  }
  if (requests.length === 0) return undefined;
  const head = await host.head(branch);
  if (head !== undefined && requests.some((request) => isOwnCommit(head, request, about)))
    await host.deleteBranch(branch);
  return `Closed the proposal: ${requests.map(({ url }) => url).join(' ')}`;
}

/** Returns the requests that this tool opened for the declaration. */
function ownRequests({ host, about, branch }: Proposal): Promise<Post[]> {
  return marked(host.requests(branch), markerOf('proposal', about.key));
}

/** No two keys have the same branch. */
function branchOf(key: string): string {
  const words = key
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, longestWords);
  return `webdata/drift-${words.replaceAll(/^-|-$/g, '')}-${hashOf(key)}`;
}

const longestWords = 40;

/** A mark in the body of a request: the commit that a run made. */
function commitMarkOf(id: string): string {
  return `<!-- webdata:commit:${id} -->`;
}

/** A line of the commit message, by which later runs see that the last commit of the branch is their own. */
function trailerKey(key: string): string {
  return `Webdata-Proposal: ${hashOf(key)}`;
}

function proposalBody(
  marks: readonly string[],
  outcome: Outcome,
  { files, problems }: DeclarationEdit,
  about: About,
): string {
  const names = files.map(({ file }) => code(printableText(file))).join(', ');
  const intro = [
    `The live state has changed without an apply. Merging changes ${names} to match it.`,
    'To reverse the drift, close this request and apply.',
  ].join(' ');
  const left =
    problems === '' ? '' : `\n\n${folded('Drift that this request does not accept', problems, longestProblems)}`;
  return messageBody(marks, outcome, about, `${intro}${left}\n\n`);
}

const longestProblems = 8000;

function noEdit({ jobUrl }: About): string {
  const sentence = `The drift as of ${atMinute(new Date())} cannot be accepted by an edit of the declaration.`;
  return `${sentence} ${linkTo(jobUrl)}`.trim();
}

async function proposedFile(
  { file, after }: DeclarationEdit['files'][number],
  environment: CiEnvironment,
  { cwd }: JobIo,
): Promise<ProposedFile> {
  const target = await realpath(resolve(cwd, file));
  const root = environment.root === undefined ? undefined : await realpath(environment.root);
  const path = nameInCheckout(target, { ...environment, root });
  if (path === '') throw new ProblemError([outsideCheckout(file)]);
  const { mode } = await stat(target);
  return { path, text: after, isExecutable: (mode & 0o100) !== 0 };
}

/** @throws ProblemError if the edit adds the value of a secret variable of this job */
function assertNoSecret({ files }: DeclarationEdit, { env }: JobIo): void {
  const secrets = environmentSecrets(env);
  const adds = files.some(({ before, after }) =>
    secrets.some((each) => after.includes(each) && !before.includes(each)),
  );
  if (adds) throw new ProblemError([addsSecret]);
}

/** Returns the id that git gives to a file with this text. */
function gitBlobId(text: string): string {
  const bytes = Buffer.from(text);
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

const noBase: Problem = {
  code: 'no-proposal-base',
  found: 'the job does not run for a branch, so there is no branch to propose a change for',
  fix: 'run it on a schedule or for a push to a branch',
};

const addsSecret: Problem = {
  code: 'secret-not-written',
  found: 'the live state holds the value of a secret variable of this job, which is not written into a file',
  fix: 'declare it by hand, with a variable in place of the secret',
};

function notCommitted(path: string, commit: string): Problem {
  return {
    code: 'file-not-committed',
    found: `${path} is not the file of commit ${commit.slice(0, 7)}, so no change of it is proposed`,
    fix: 'run the check on a clean checkout of the branch',
  };
}

function outsideCheckout(file: string): Problem {
  return {
    code: 'file-outside-checkout',
    found: `${file} is not in the checkout, so no change of it is proposed`,
    allowed: 'declarations in the repository of the job',
    fix: 'check for its drift in the repository that has the file',
  };
}
