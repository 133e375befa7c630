/** The timing of schedules, for forecasts of their triggers. */

import { type DeclaredScheduleSpec as Spec, timingOf } from '../../triggers/declared/scheduleSpec.ts';
import { durationMs } from '../../triggers/declared/timingSpec.ts';
import { forecasting } from '../forecasting.ts';
import { collectorSchedule } from './kind.ts';

forecasting.provide(collectorSchedule, {
  firing: (spec: Spec) => ({
    target: spec.collector ?? spec.dataset ?? '',
    timing: timingOf(spec),
    overlap: spec.overlap,
    isPaused: spec.paused,
    longestMs: spec.maxTime === undefined ? undefined : durationMs(spec.maxTime),
  }),
});
