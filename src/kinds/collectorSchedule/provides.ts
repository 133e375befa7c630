/** The capabilities of the kind. */
import { type DeclaredScheduleSpec, scheduleSpec, timingOf } from '../../triggers/declared/scheduleSpec.ts';
import { provideRegistration } from '../registered/provides.ts';
import { firing } from '../seam/firing.ts';
import { localFiles } from '../seam/localFiles.ts';
import { resolvableProblems } from '../seam/resolvable.ts';
import { withInputs } from './inputs.ts';
import { collectorSchedule } from './kind.ts';
import { scheduleNoteTypes } from './scheduleHealth.ts';

provideRegistration(collectorSchedule, 'schedule', scheduleSpec, scheduleNoteTypes);
firing.provide(collectorSchedule, {
  scheduled: (spec: DeclaredScheduleSpec) =>
    spec.paused ? undefined : { target: spec.collector ?? spec.dataset ?? '', timing: timingOf(spec) },
});
resolvableProblems.provide(collectorSchedule, ['unknown-delivery']);
localFiles.provide(collectorSchedule, {
  async problems(spec, readFile) {
    const declared = await withInputs(spec as DeclaredScheduleSpec, readFile);
    return 'problems' in declared ? declared.problems : [];
  },
});
