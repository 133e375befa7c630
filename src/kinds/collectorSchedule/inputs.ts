/** The inputs of a schedule, also those of a file. */
import { ProblemError } from '../../base/diagnostics/problem.ts';
import { inputProblems } from '../../triggers/declared/inputSchema.ts';
import type { DeclaredScheduleSpec, ScheduleSpec } from '../../triggers/declared/scheduleSpec.ts';
import type { RegistryRecord } from '../registered/registryRecord.ts';
import type { Context } from '../seam/context.ts';

/** Returns the spec with all inputs. Problems of the inputs do not prevent the removal of the schedule. */
export async function withInputs(
  spec: DeclaredScheduleSpec,
  readFile: Context['readFile'],
): Promise<RegistryRecord<ScheduleSpec>['declared']> {
  const { inputs, ...rest } = spec;
  if (Array.isArray(inputs)) return { spec: { ...rest, inputs } };
  try {
    // Most declarations have no such file and do not need the parser.
    const { parseInputFile } = await import('../../triggers/declared/inputFile.ts');
    const rows = parseInputFile(await readFile(inputs.file), inputs.file, spec.inputSchema);
    const problems = inputProblems(spec.inputSchema, rows);
    return problems.length > 0 ? { problems } : { spec: { ...rest, inputs: [...rows.inputs] } };
  } catch (error) {
    if (error instanceof ProblemError) return { problems: error.problems };
    throw error;
  }
}
