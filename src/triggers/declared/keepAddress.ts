/** The declared place for the rows of a schedule. */
import type { Problem } from '../../base/diagnostics/problem.ts';
import { shorten } from '../../base/diagnostics/valueWords.ts';
import { bucketAddress } from '../../base/drivers/bucketAddress.ts';
import { parseAddress } from '../../base/values/address.ts';

/** A folder must be below that of the declaration: clients of a trigger service must not choose any file of its machine. */
export function keepProblem(text: string): Problem | undefined {
  const parsed = parseAddress(text);
  const isBelow = parsed.kind === 'path' && !/^[/\\]|^[a-z]:|(?:^|[/\\])\.\.(?:[/\\]|$)/i.test(text);
  if (isBelow || (parsed.kind === 'server' && bucketAddress(parsed.url) !== undefined)) return undefined;
  return {
    code: 'wrong-keep',
    found: `\`${shorten(text)}\` is no place to keep rows in`,
    allowed: 'a folder below that of the declaration, such as ./deliveries, or s3://BUCKET/PREFIX',
    fix: 'for a folder elsewhere, write `./deliveries` and start the round or the server with --keep-folder FOLDER',
  };
}
