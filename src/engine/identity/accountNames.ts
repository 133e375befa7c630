/**
 * The names of the accounts that a place knows at each server: a document of the backend, and one of this machine. A name is written before its
 * first run begins, under the lock of the server, which is also the lock of a front that finds no name.
 */
import { z } from 'zod';
import { type Problem, ProblemError } from '../../base/diagnostics/problem.ts';
import { parsedJson } from '../../base/values/plain.ts';
import type { Backend, LockOptions, Memories, StoredDocument } from '../backend/backend.ts';

const documentName = 'accounts';
const format = 'webdata.account-names/1';

/** The names at one server, each with the present name of its account: another one after `webdata backend adopt`. */
export type Names = ReadonlyMap<string, string>;
export type NamesByServer = ReadonlyMap<string, Names>;

const textsSchema = z.record(z.string(), z.string());
const documentSchema = z.object({ format: z.literal(format), servers: z.record(z.string(), textsSchema) });

/** @throws ProblemError if the document is damaged */
export async function readNames(memories: Memories): Promise<NamesByServer> {
  return namesIn(await holderOf(memories).readDocument(documentName));
}

interface WrittenName {
  server: string;
  name: string;
  /** The name that the account has now, if `name` is an earlier one. */
  present?: string;
}

export async function writeName(
  memories: Memories,
  { server, name, present = name }: WrittenName,
  options: LockOptions,
): Promise<void> {
  const holder = holderOf(memories);
  await holder.withLock(options, () =>
    holder.updateDocument(documentName, (document) => {
      const servers = namesIn(document);
      const names = new Map(servers.get(server));
      // The names before that one are names of the account, too.
      for (const [each, meant] of names) if (meant === name) names.set(each, present);
      names.set(name, present).set(present, present);
      return documentText(new Map(servers).set(server, names));
    }),
  );
}

/** The documents of a store belong to an account each. This key is neither a name nor a server. */
function holderOf(memories: Memories): Backend {
  return memories('names of accounts');
}

function namesIn(document: StoredDocument | undefined): NamesByServer {
  if (document === undefined) return new Map();
  const parsed = documentSchema.safeParse(parsedJson(document.text));
  if (!parsed.success) throw new ProblemError([damaged(document.where)]);
  return new Map(
    Object.entries(parsed.data.servers).map(([server, names]) => [server, new Map(Object.entries(names))]),
  );
}

function documentText(byServer: NamesByServer): string {
  const servers = Object.fromEntries([...byServer].map(([server, names]) => [server, Object.fromEntries(names)]));
  return `${JSON.stringify({ format, servers })}\n`;
}

function damaged(where: string): Problem {
  return {
    code: 'damaged-account-names',
    found: `${where} is damaged, or was written by a newer version of webdata`,
    allowed: `a document of the format ${format}`,
    fix: 'restore it; if you delete it, name the account (`account`) in every file and stack',
  };
}
