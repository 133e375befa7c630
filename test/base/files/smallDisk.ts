/** A disk that is soon full: a small tmpfs, on machines where one may be mounted. Linux only. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SmallDisk extends Disposable {
  folder: string;
  /** Leaves room for only so many bytes, in whole blocks of 4 KB. */
  fill(leftBytes?: number): void;
  /** Takes what fills it away. */
  empty(): void;
}

/** Undefined where none may be mounted. */
export function smallDisk(kilobytes: number): SmallDisk | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'webdata-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${kilobytes}k`, 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    rmSync(folder, { recursive: true });
    return undefined;
  }
  const filler = join(folder, '.filler');
  return {
    folder,
    fill(leftBytes = 0) {
      const { bavail, bsize } = statfsSync(folder);
      try {
        writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - leftBytes)), { flag: 'a' });
      } catch (error) {
        // Others have written meanwhile: it is full.
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      }
    },
    empty: () => rmSync(filler, { force: true }),
    [Symbol.dispose]() {
      execFileSync('umount', ['-l', folder]);
      rmSync(folder, { recursive: true });
    },
  };
}

/** Whether there can be one here. */
export const hasSmallDisks: boolean = probe();

function probe(): boolean {
  using disk = smallDisk(64);
  return disk !== undefined;
}
