/** The document of `webdata validate --format json`. */
import * as z from 'zod';
import type { Problem } from '../../base/diagnostics/problem.ts';
import { naturalNumber, problemDocument, reportProblem } from '../../report/json/schemaParts.ts';

export interface ValidatedDeclaration {
  files: readonly string[];
  /** The number of resources, by collection. */
  resources: Readonly<Record<string, number>>;
  /** Empty if the declaration is valid. */
  problems: readonly Problem[];
}

export const validationSchema = () =>
  z
    .object({
      format: z.literal('webdata.validation/1').describe('The name of this format, and its version.'),
      valid: z.boolean().describe('True if every declaration is valid.'),
      declarations: z.array(
        z.object({
          files: z.array(z.string()).describe('The files, overlays after what they change.'),
          valid: z.boolean(),
          resources: z.record(z.string(), naturalNumber).describe('The number of resources, by collection.'),
          problems: z.array(reportProblem).describe('The problems of the declaration.'),
        }),
      ),
    })
    .describe('The result of `webdata validate`.');

export function validationDocument(declarations: readonly ValidatedDeclaration[]): object {
  const validated = declarations.map(({ files, resources, problems }) => ({
    files,
    valid: problems.length === 0,
    resources,
    problems: problems.map(problemDocument),
  }));
  return { format: 'webdata.validation/1', valid: validated.every(({ valid }) => valid), declarations: validated };
}
