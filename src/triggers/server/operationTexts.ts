/** Texts of the OpenAPI document about the operations of the API. */
import type { OperationName } from '../api/operations.ts';

interface OperationText {
  tag: 'records' | 'schedules' | 'runs';
  summary: string;
  description?: string;
  /** The content of the answer; undefined if it has no body. */
  answer?: string;
  /** Refusals besides those that every operation has, and those of a request that is not valid. */
  refusals?: readonly (404 | 409)[];
}

export const operationTexts: Readonly<Record<OperationName, OperationText>> = {
  listOwners: { tag: 'records', summary: 'List owners with deliveries or schedules', answer: 'The owners, sorted.' },
  getOwner: {
    tag: 'records',
    summary: 'List the deliveries and schedules of an owner',
    answer: 'Both lists are empty for an unknown owner.',
  },
  putDelivery: { tag: 'records', summary: 'Register or replace a delivery', answer: 'As it is registered now.' },
  deleteDelivery: { tag: 'records', summary: 'Delete a delivery that no schedule names', refusals: [404, 409] },
  putSchedule: {
    tag: 'records',
    summary: 'Register or replace a schedule',
    description: 'Ticks start strictly after now. A delivery that the schedule names must already be registered.',
    answer: 'As it is registered now.',
  },
  deleteSchedule: { tag: 'records', summary: 'Delete a schedule; its runs are kept', refusals: [404] },
  listSchedules: {
    tag: 'schedules',
    summary: 'List the schedules of all owners, page by page',
    answer: 'The schedules, sorted by owner and name.',
  },
  pauseSchedule: {
    tag: 'schedules',
    summary: 'Pause a schedule until it is resumed',
    answer: 'The changed schedule.',
    refusals: [404],
  },
  resumeSchedule: {
    tag: 'schedules',
    summary: 'Resume a paused schedule, from the next tick after now',
    answer: 'The changed schedule.',
    refusals: [404],
  },
  runSchedule: {
    tag: 'schedules',
    summary: 'Start a run now, independent of the ticks',
    description: 'The run is billed, in addition to the runs of the ticks.',
    answer: 'The run.',
    refusals: [404],
  },
  listRuns: { tag: 'runs', summary: 'List runs, latest tick first', answer: 'The runs.', refusals: [404] },
  getRun: { tag: 'runs', summary: 'Get a run and its events', answer: 'The run and its events.', refusals: [404] },
  resolveRun: {
    tag: 'runs',
    summary: 'Resolve a run that needs a person',
    answer: 'The changed run.',
    refusals: [404, 409],
  },
  getReport: {
    tag: 'schedules',
    summary: 'Report what schedules did since a moment',
    answer: 'The report of the schedules, sorted by owner and name.',
  },
  getTotals: { tag: 'runs', summary: 'Count schedules, deliveries and runs', answer: 'The totals.' },
};
