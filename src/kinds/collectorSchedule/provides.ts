/** The capabilities of the kind. */
import { scheduleSpec } from '../../triggers/declared/scheduleSpec.ts';
import { provideRegistration } from '../registered/provides.ts';
import { resolvableProblems } from '../resolvable.ts';
import { collectorSchedule } from './kind.ts';
import { scheduleNoteTypes } from './scheduleHealth.ts';

provideRegistration(collectorSchedule, 'schedule', scheduleSpec, scheduleNoteTypes);
resolvableProblems.provide(collectorSchedule, ['unknown-delivery']);
