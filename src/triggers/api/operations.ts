/** The operations of the trigger service's API, which the server serves and the client calls. `server/operationTexts.ts` describes them. */
import { type ZodObject, type ZodType, z } from 'zod';
import * as records from './records.ts';
import * as reports from './report.ts';
import * as runs from './runs.ts';

export interface Operation {
  method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  /** `:name` stands for a parameter. */
  path: `/v1/${string}`;
  params?: ZodObject;
  query?: ZodObject;
  body?: ZodType;
  headers?: ZodObject;
  /** The body of an answer with status 200. An operation without one answers 204. */
  answer?: ZodType;
}

function operation<Given extends Omit<Operation, 'method' | 'path'>>(
  method: Operation['method'],
  path: Operation['path'],
  parts: Given,
) {
  return { method, path, ...parts };
}

const delivery = '/v1/owners/:owner/deliveries/:name';
const schedule = '/v1/owners/:owner/schedules/:name';
const { recordParams: params, registeredDelivery, registeredSchedule } = records;
const { runParams, scheduledRun } = runs;

/** By operation ID. */
export const operations = {
  listOwners: operation('GET', '/v1/owners', { answer: records.owners }),
  getOwner: operation('GET', '/v1/owners/:owner', { params: records.ownerParams, answer: records.ownerRecords }),
  putDelivery: operation('PUT', delivery, { params, body: records.deliveryBody, answer: registeredDelivery }),
  deleteDelivery: operation('DELETE', delivery, { params }),
  putSchedule: operation('PUT', schedule, { params, body: records.scheduleBody, answer: registeredSchedule }),
  deleteSchedule: operation('DELETE', schedule, { params }),
  listSchedules: operation('GET', '/v1/schedules', {
    query: records.scheduleQuery,
    answer: z.array(registeredSchedule),
  }),
  pauseSchedule: operation('POST', `${schedule}/pause`, { params, answer: registeredSchedule }),
  resumeSchedule: operation('POST', `${schedule}/resume`, { params, answer: registeredSchedule }),
  runSchedule: operation('POST', `${schedule}/run`, { params, headers: runs.orderHeaders, answer: scheduledRun }),
  listRuns: operation('GET', '/v1/runs', { query: runs.runQuery, answer: z.array(scheduledRun) }),
  getRun: operation('GET', '/v1/runs/:id', { params: runParams, answer: runs.runDetails }),
  resolveRun: operation('POST', '/v1/runs/:id/resolve', {
    params: runParams,
    body: runs.resolution,
    answer: scheduledRun,
  }),
  getReport: operation('GET', '/v1/report', { query: reports.reportQuery, answer: reports.report }),
  getTotals: operation('GET', '/v1/totals', { answer: runs.totals }),
};

type Operations = typeof operations;

export type OperationName = keyof Operations;

type Part<Name extends OperationName> = Extract<keyof Operations[Name], 'params' | 'query' | 'body' | 'headers'>;

/** The parts of a request, as a client passes them. */
export type RequestParts<Name extends OperationName> = {
  [Each in Exclude<Part<Name>, 'headers'>]: Each extends 'query'
    ? { readonly [Key in keyof z.input<Operations[Name][Each]>]?: string | number | boolean | undefined }
    : z.input<Operations[Name][Each]>;
};

/** The parts of a valid request, as the server receives them. */
export type ParsedParts<Name extends OperationName> = { [Each in Part<Name>]: z.output<Operations[Name][Each]> };

/** Carries out the operations. */
export type OperationHandlers = {
  [Name in OperationName]: (request: ParsedParts<Name>) => Promise<OperationAnswer<Name>>;
};

/** Operations whose answer has a body. */
type AnsweringName = {
  [Name in OperationName]: Operations[Name] extends { answer: ZodType } ? Name : never;
}[OperationName];

export type OperationAnswer<Name extends OperationName> = Name extends AnsweringName
  ? z.output<Operations[Name]['answer']>
  : undefined;
