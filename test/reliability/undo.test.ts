import { undoCampaign } from '../../reliability/crashes/undoCampaign.ts';
import { testShortForm } from './shortForm.ts';

testShortForm(undoCampaign);
