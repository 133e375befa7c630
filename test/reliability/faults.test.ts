/** The fault matrix, in its short form; test/e2e/faults.test.ts has the steps of an apply one by one. */
import { faults } from '../../reliability/faults/faults.ts';
import { testShortForm } from './shortForm.ts';

testShortForm(faults);
