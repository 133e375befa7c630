import { crashes } from '../../reliability/crashes/crashes.ts';
import { testShortForm } from './shortForm.ts';

testShortForm(crashes);
