import { outages } from '../../reliability/races/races.ts';
import { testShortForm } from './shortForm.ts';

testShortForm(outages);
