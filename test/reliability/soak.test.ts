import { soak } from '../../reliability/soak/soak.ts';
import { testShortForm } from './shortForm.ts';

testShortForm(soak);
