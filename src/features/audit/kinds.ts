/** The kinds that provide the capability of this feature. */
import '../../kinds/managerSettings/audit.ts';

export { auditing } from './capability.ts';
