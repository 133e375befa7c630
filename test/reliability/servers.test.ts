import { servers } from '../../reliability/servers/servers.ts';
import { testShortForm } from './shortForm.ts';

testShortForm(servers);
