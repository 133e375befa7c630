/** What a file declares at its top. */
import type { ESTree } from 'rolldown/utils';

/** The statements at the top of a file; of an export, what it declares. */
export function declarationsOf({ body }: ESTree.Program): (ESTree.Program['body'][number] | ESTree.Declaration)[] {
  return body.map((statement) =>
    statement.type === 'ExportNamedDeclaration' && statement.declaration ? statement.declaration : statement,
  );
}
