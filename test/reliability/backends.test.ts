import { backends } from '../../reliability/crashes/backends.ts';
import { testShortForm } from './shortForm.ts';

testShortForm(backends);
