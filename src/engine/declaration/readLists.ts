/** Reads the files that lists of a declaration name, and fetches what they name by URL, with limits of time and size. */
import pLimit from 'p-limit';
import { type Problem, ProblemError } from '../../base/diagnostics/problem.ts';
import { decodedText } from '../../base/files/textFile.ts';
import { outboundRoute } from '../../base/values/outboundRoute.ts';
import { withoutMark } from '../../base/values/utf8.ts';
import type { YamlSource } from '../../base/yaml/source.ts';
import { isLoopback } from '../../triggers/declared/endpoint.ts';
import type { Settings } from './connection.ts';
import { type FetchedList, type FetchOptions, keyOfList, type RemoteList, remoteListAt } from './remoteLists.ts';
import { urlVariableProblems } from './sentVariables.ts';
import { fileName, keyOfFile, type ListContent, type ListContents, namedItems } from './shortLists.ts';
import type { NamedFiles } from './sources.ts';

/** Reads the files that lists name, and fetches what they name by URL. */
export async function readLists(
  source: YamlSource,
  files: NamedFiles,
  { env, allowEnv = [], lists = {} }: Settings,
): Promise<ListContents> {
  const options: FetchOptions = { env, allowEnv, ...lists };
  const read = new Map<string, ListContent | ProblemError>();
  const remote: RemoteList[] = [];
  for (const { item, path } of namedItems(source)) {
    const place = source.locationOf(path);
    const name = fileName(item);
    const list = remoteListAt(item, path, source);
    const refused = list === undefined ? [] : urlVariableProblems(source, [...path, 'url'], options.allowEnv);
    if (list !== undefined && refused.length > 0) read.set(keyOfList(list), new ProblemError(refused));
    else if (list !== undefined) remote.push(list);
    if (name === undefined || read.has(keyOfFile(name, place))) continue;
    try {
      read.set(keyOfFile(name, place), await files.read(name, place));
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      read.set(keyOfFile(name, place), error);
    }
  }
  const isSkipped = options.isSkipped === true && options.pinned === undefined;
  const fetched = isSkipped ? new Map<string, undefined>() : await fetchLists(remote, options);
  for (const list of remote) {
    const content = fetched.get(keyOfList(list)) ?? { text: '', isSkipped: true as const };
    read.set(keyOfList(list), content instanceof ProblemError ? content : { file: list.source, ...content });
  }
  return read;
}

/** The text of a list. */
interface ListText {
  text: string;
  fetchedAt: string;
}

/** Fetches each list once. Returns, by `keyOfList`, the text or why there is none. */
async function fetchLists(
  lists: readonly RemoteList[],
  options: FetchOptions,
): Promise<Map<string, ListText | ProblemError>> {
  const limit = pLimit(mostAtOnce);
  const byKey = new Map(lists.map((list) => [keyOfList(list), list]));
  const fetched = await Promise.all(
    [...byKey].map(([key, list]) => limit(async () => [key, await fetchList(list, options)] as const)),
  );
  return new Map(fetched);
}

const mostAtOnce = 4;

async function fetchList(list: RemoteList, options: FetchOptions): Promise<ListText | ProblemError> {
  const { pinned, env, signal } = options;
  if (pinned !== undefined) return pinnedText(list, pinned);
  const fetchedAt = new Date().toISOString();
  try {
    return { text: await textAt(list.url, list.source, env, signal), fetchedAt };
  } catch (error) {
    if (error instanceof ProblemError) return error;
    throw error;
  }
}

function pinnedText({ path, source }: RemoteList, pinned: readonly FetchedList[]): ListText | ProblemError {
  const found = pinned.find((each) => each.path === path && each.source === source);
  if (found === undefined) return new ProblemError([notInPlan(source)]);
  return { text: found.items.join('\n'), fetchedAt: found.fetchedAt };
}

const timeoutMs = 10_000;
/** The largest list, in bytes. */
const mostBytes = 1024 * 1024;

/** @throws ProblemError */
async function textAt(
  url: string,
  shown: string,
  env: FetchOptions['env'],
  signal: AbortSignal | undefined,
): Promise<string> {
  const target = URL.parse(url);
  if (target?.protocol !== 'https:' && !(target?.protocol === 'http:' && isLoopback(url))) {
    throw new ProblemError([notHttps(shown)]);
  }
  const send = await fetchFor(target, shown, env);
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const { username, password } = target;
    const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    const authorization =
      credentials === ':' ? {} : { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
    target.username = '';
    target.password = '';
    const response = await send(target, {
      redirect: 'manual',
      headers: { accept: 'text/plain', ...authorization },
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    });
    if (response.status !== 200) {
      await response.body?.cancel();
      throw new ProblemError([notFetched(shown, answered(response.status))]);
    }
    return await wholeText(response, shown);
  } catch (error) {
    if (error instanceof ProblemError || signal?.aborted) throw error;
    const why = timeout.aborted ? `no complete answer within ${timeoutMs / 1000} s` : reasonOf(error);
    throw new ProblemError([notFetched(shown, why)]);
  }
}

/** @throws ProblemError for a proxy variable that cannot be used */
async function fetchFor(target: URL, shown: string, env: FetchOptions['env']): Promise<typeof fetch> {
  const route = outboundRoute(target, env);
  if (route.kind === 'unclear') throw new ProblemError([notFetched(shown, `${route.by} ${route.why}`)]);
  if (route.kind === 'direct') return fetch;
  return (await import('../../client/transport/proxied.ts')).fetchThrough(route.url);
}

function answered(status: number): string {
  return status >= 300 && status < 400
    ? `it was answered ${status}, and redirects are not followed`
    : `it was answered ${status}`;
}

async function wholeText({ body }: Response, shown: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > mostBytes) throw new ProblemError([notFetched(shown, `it has more than ${mostBytes / 1024} KiB`)]);
    chunks.push(chunk);
  }
  return withoutMark(decodedText(Buffer.concat(chunks), shown));
}

/** Returns the code of a failed connection. Messages may contain the URL. */
function reasonOf(error: unknown): string {
  const { cause } = error as { cause?: { code?: unknown } };
  return typeof cause?.code === 'string' ? `the connection failed (${cause.code})` : 'the connection failed';
}

function notHttps(shown: string): Problem {
  return {
    code: 'list-not-https',
    found: `${shown} is not an https URL`,
    allowed: 'an https URL, or http on loopback',
    fix: 'use https, or name a file',
  };
}

function notFetched(shown: string, why: string): Problem {
  return {
    code: 'list-not-fetched',
    found: `the list at ${shown} was not fetched: ${why}`,
    fix: 'check the URL, or name a file with a copy of the list',
  };
}

function notInPlan(shown: string): Problem {
  return {
    code: 'list-not-in-plan',
    found: `the plan has no contents of the list ${shown}`,
    allowed: 'a plan of this declaration',
    fix: 'plan again',
  };
}
