/** The kinds that provide the capability of this feature. */
import './managerSettings.ts';
import '../sampleKind/servers.ts';

export { serving } from './capability.ts';
