/** The backend of an account: its lock, its runs and what it is called. */
export type { Backend } from '../backend/backend.ts';
export { ciJobUrl, describeHolder } from '../backend/holder.ts';
export { isStoreAddress } from '../backend/store/address.ts';
export {
  folderMemories,
  givenBackend,
  lockFor,
  openAccountBackend,
  withBackend,
} from '../configuredBackend.ts';
export { AccountBackend } from '../identity/accountBackend.ts';
export { isSameAccount, serverOf } from '../identity/accountIdentity.ts';
export { accountRemarks } from '../identity/accountRemarks.ts';
export { type TakenOver, takeOverLocked } from '../identity/takeOver.ts';
