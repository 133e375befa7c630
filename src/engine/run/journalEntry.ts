/** Reads lines of the journal. A line may have been edited, written by another version, or cut off by a crash. */
import { z } from 'zod';
import { isMapValue, parsedJson } from '../../base/values/plain.ts';
import { callSchema } from '../../kinds/knownCalls.ts';
import { fromKinds } from '../../kinds/knownKinds.ts';
import { lineOfFailover } from '../backend/backend.ts';
import { startedBySchema } from './startedBy.ts';

/** Times in another form would make a plan wait forever. */
const at = z.iso.datetime();
const effect = z.enum(['none', 'unknown']);
const ips = z.array(z.string());
const ofCall = { run: z.string(), seq: z.int(), at };

/** The result of reading back a migrate, or another call. */
const seen = z
  .object({
    type: z.literal('seen'),
    ...ofCall,
    final: z.boolean().optional(),
    took: z.boolean().optional(),
    moved: ips.default([]),
    notMoved: ips.default([]),
    elsewhere: ips.default([]),
    notVisible: ips.default([]),
  })
  .transform(({ took, moved, notMoved, elsewhere, notVisible, ...rest }) => ({
    ...rest,
    ...(took === undefined ? { moved, notMoved, elsewhere, notVisible } : { took }),
  }));

export type ReadEntry = z.output<ReturnType<typeof entrySchema>>;

const entrySchema = fromKinds(() =>
  z.discriminatedUnion('type', [
    z.object({
      type: z.literal('run'),
      run: z.string(),
      at,
      command: z.enum(['apply', 'destroy', 'undo', 'zones migrate']),
      origin: z.string(),
      version: z.string(),
      account: z.string().optional(),
      front: z.string().optional(),
      by: startedBySchema.optional(),
      key: z.string().optional(),
      plan: z.string().optional(),
      undoes: z.string().optional(),
      isEarlier: z.boolean().optional(),
    }),
    z.object({
      type: z.literal('sending'),
      ...ofCall,
      resource: z.object({ kind: z.string(), collection: z.string(), name: z.string() }),
      call: callSchema(z.object),
    }),
    z.object({ type: z.literal('answered'), ...ofCall, count: z.int().optional() }),
    z.object({ type: z.literal('failed'), ...ofCall, code: z.string(), message: z.string(), effect }),
    seen,
    z.object({
      type: z.literal('end'),
      run: z.string(),
      at,
      result: z.enum(['done', 'failed']),
      left: z.array(callSchema(z.object)).optional(),
    }),
  ]),
);

/** A line that cannot be read, with its run and time if known. */
export interface DamagedLine {
  kind: 'damaged';
  found: string;
  run?: string | undefined;
  at?: string | undefined;
}

type JournalLine =
  | { kind: 'entry'; entry: ReadEntry }
  /** A line that a crash or a full disk cut off. The call of such a line was never sent. */
  | { kind: 'cut' }
  | DamagedLine;

/** Parses a line. Returns undefined for an empty one. */
export function parseLine(line: string): JournalLine | undefined {
  // A power cut can leave zeros where bytes were not written.
  const text = line.replace(/\0+$/, '').trim();
  if (text === '') return undefined;
  const value = parsedJson(text);
  if (value === undefined)
    return isCut(text) ? { kind: 'cut' } : { kind: 'damaged', found: 'is not JSON', ...hints(text) };
  const { data, error } = entrySchema().safeParse(value);
  if (data) return { kind: 'entry', entry: data };
  const run = isMapValue(value) && typeof value.run === 'string' ? value.run : undefined;
  const time = isMapValue(value) && at.safeParse(value.at).success ? String(value.at) : undefined;
  return { kind: 'damaged', found: text === lineOfFailover ? afterFailover : foundIn(error), run, at: time };
}

const afterFailover = 'comes after a failover of the database, which may have lost the lines before it';

function foundIn({ issues: [issue] }: z.ZodError): string {
  const where = issue === undefined ? '' : z.core.toDotPath(issue.path);
  return `was edited, or written by a newer version: at ${where || 'its top'}: ${issue?.message}`;
}

/** Finds the run and the time in a line that is not valid JSON. */
function hints(text: string): Pick<DamagedLine, 'run' | 'at'> {
  return { run: /"run":"([\w-]+)"/.exec(text)?.[1], at: /"at":"(\d{4}-\d\d-\d\dT[\d:.]+Z)"/.exec(text)?.[1] };
}

const firstKey = '{"type":"';

/** Reports whether the text is the beginning of an entry: brackets are still open at its end. */
function isCut(text: string): boolean {
  if (!text.startsWith(firstKey)) return firstKey.startsWith(text);
  const outsideStrings = text.replaceAll(/"(?:[^"\\]|\\.)*("|\\?$)/gs, '');
  const closing: string[] = [];
  for (const character of outsideStrings) {
    if (character === '{') closing.push('}');
    else if (character === '[') closing.push(']');
    else if ((character === '}' || character === ']') && closing.pop() !== character) return false;
    if (closing.length === 0) return false;
  }
  return true;
}
