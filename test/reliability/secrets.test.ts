import { secrets } from '../../reliability/secrets/secrets.ts';
import { testShortForm } from './shortForm.ts';

testShortForm(secrets);
