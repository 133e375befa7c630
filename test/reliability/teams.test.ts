import { teamRaces } from '../../reliability/races/races.ts';
import { testShortForm } from './shortForm.ts';

testShortForm(teamRaces);
