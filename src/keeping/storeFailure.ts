/** The reason why a store cannot take a delivery, in words: for the sender, the log, monitors and the start of the receiver. */
import { serverWords, statusOf } from '../base/drivers/s3.ts';
import type { DeliveryStore } from './destination.ts';

export interface StoreFailure {
  status: 500 | 507;
  reason: 'no-room' | 'not-kept';
  /** The store and the cause. */
  line: string;
  /** The line with the store's own words, for operators. */
  message: string;
}

export function storeFailure({ name }: Pick<DeliveryStore, 'name'>, error: unknown): StoreFailure {
  const code = codeOf(error);
  const line = `${name} cannot be written: ${causes[code] ?? code}`;
  const words = serverWords(error);
  const message = words === undefined ? line : `${line}. Its answer: ${words}`;
  const kind = noRoom.has(code)
    ? ({ status: 507, reason: 'no-room' } as const)
    : ({ status: 500, reason: 'not-kept' } as const);
  return { ...kind, line, message };
}

/** Returns the code of the file system or of the bucket. */
function codeOf(error: unknown): string {
  const { code, name = 'unknown error' } = error as Partial<NodeJS.ErrnoException>;
  return (statusOf(error) === undefined ? code : undefined) ?? name;
}

const noRoom: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'XMinioStorageFull']);

const causes: Readonly<Record<string, string>> = {
  ENOSPC: 'no space is left on the disk',
  EDQUOT: 'the quota of the disk is used up',
  EFBIG: 'the file is larger than the system allows',
  EROFS: 'the file system is read-only',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOENT: 'the folder no longer exists',
  EEXIST: 'a part of its path is not a folder',
  ENOTDIR: 'a part of its path is not a folder',
  EIO: 'the disk reports an error (EIO)',
  EMFILE: 'too many files are open (EMFILE)',
  ETIMEDOUT: 'it does not answer',
  TimeoutError: 'it does not answer',
  AbortError: 'it does not answer',
  ECONNREFUSED: 'its server refuses connections',
  ENOTFOUND: 'the host name of its server does not exist',
  NoSuchBucket: 'the bucket does not exist',
  AccessDenied: 'permission denied (AccessDenied); it needs s3:PutObject',
  CredentialsProviderError: 'there are no credentials (AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY)',
  XMinioStorageFull: 'no space is left on the disks of the server',
};
