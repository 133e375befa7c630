/** The capabilities of the kind. */
import { type DeclaredScheduleSpec, scheduleSpec } from '../../triggers/declared/scheduleSpec.ts';
import { localFiles } from '../localFiles.ts';
import { provideRegistration } from '../registered/provides.ts';
import { resolvableProblems } from '../resolvable.ts';
import { withInputs } from './inputs.ts';
import { collectorSchedule } from './kind.ts';
import { scheduleNoteTypes } from './scheduleHealth.ts';

provideRegistration(collectorSchedule, 'schedule', scheduleSpec, scheduleNoteTypes);
resolvableProblems.provide(collectorSchedule, ['unknown-delivery']);
localFiles.provide(collectorSchedule, {
  async problems(spec, readFile) {
    const declared = await withInputs(spec as DeclaredScheduleSpec, readFile);
    return 'problems' in declared ? declared.problems : [];
  },
});
