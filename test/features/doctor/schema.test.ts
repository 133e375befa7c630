/** The JSON of a diagnosis: programs read it by its schema, and people read the descriptions. */
import { expect, it } from 'vitest';
import { doctorSchema } from '../../../src/features/doctor/schema.ts';

const document = {
  format: 'webdata.doctor/1',
  version: '0.1.0',
  result: 'ok',
  checks: [
    { name: 'lock', result: 'note', text: 'held', fix: 'wait' },
    ...['ok', 'skipped', 'failed'].map((result) => ({ name: 'service', result, text: '' })),
  ],
  profile: { geolocation: { first: 'atlas' } },
};

it('has the checks and the profile', () => {
  expect(doctorSchema().parse(document)).toEqual(document);
  expect(doctorSchema().parse({ ...document, result: 'failed' }).result).toBe('failed');
});

it.each([
  [{ format: 'webdata.doctor/2' }],
  [{ result: 'note' }],
  [{ checks: [{ name: 'lock', result: 'fine', text: '' }] }],
  [{ checks: [{ name: 'lock', result: 'ok' }] }],
  [{ profile: undefined }],
])('has no other values: %j', (change) => {
  expect(doctorSchema().safeParse({ ...document, ...change }).success).toBe(false);
});
