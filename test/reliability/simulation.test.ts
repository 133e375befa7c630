import { simulation } from '../../reliability/simulation/simulation.ts';
import { testShortForm } from './shortForm.ts';

testShortForm(simulation);
