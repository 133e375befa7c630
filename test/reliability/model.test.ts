import { model } from '../../reliability/model/model.ts';
import { testShortForm } from './shortForm.ts';

testShortForm(model);
