import { fuzz } from '../../reliability/fuzz/fuzz.ts';
import { testShortForm } from './shortForm.ts';

testShortForm(fuzz);
