/** The declarations at the top of a file. */
import type { ESTree } from 'rolldown/utils';

/** Returns the statements at the top; of an export, what it declares. */
export function declarationsOf({ body }: ESTree.Program): (ESTree.Program['body'][number] | ESTree.Declaration)[] {
  return body.map((statement) =>
    statement.type === 'ExportNamedDeclaration' && statement.declaration ? statement.declaration : statement,
  );
}
