/** The words for error codes of the operating system. */

/** Returns why a file could not be read or written, as a phrase about "it". */
export function systemReason(code: string | undefined): string {
  return reasons[code ?? ''] ?? `the system reports ${code ?? 'an unknown error'}`;
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EBADF: 'it is not open for this use',
  EDQUOT: 'the quota of the disk is used up',
  EEXIST: 'a part of its path is not a folder',
  EIO: 'the disk reports an error',
  EISDIR: 'it is a folder',
  ELOOP: 'its symbolic links form a loop',
  EMFILE: 'too many files are open',
  ENAMETOOLONG: 'its name is too long',
  ENOENT: 'it does not exist',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of its path is not a folder',
  ENXIO: 'it is a socket, or a device that does not exist',
  EPERM: 'permission denied',
  EPIPE: 'the reader of the pipe has gone',
  EROFS: 'the disk is read-only',
};
