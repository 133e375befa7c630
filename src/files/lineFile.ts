/** Files that grow line by line. A line is on disk when `append` returns, and a line that was cut off does not swallow the next. */
import { type FileHandle, open } from 'node:fs/promises';

export interface LineFile {
  /** Without its line break. @throws where it could not be written whole */
  append(line: string): Promise<void>;
  close(): Promise<void>;
}

export async function openLineFile(file: string): Promise<LineFile> {
  return linesOf(await open(file, 'a+'));
}

/** Takes the file over: it is closed with the lines. */
export async function linesOf(handle: FileHandle): Promise<LineFile> {
  let isCut = await endsCut(handle);
  return {
    async append(line) {
      const text = `${isCut ? '\n' : ''}${line}\n`;
      isCut = false;
      await handle.appendFile(text).catch((error: unknown) => {
        // A full disk takes a part of it.
        isCut = true;
        throw error;
      });
      await handle.datasync();
    },
    close: () => handle.close(),
  };
}

/** One line, to a file that others may take away meanwhile. */
export async function appendLine(file: string, line: string): Promise<void> {
  const lines = await openLineFile(file);
  try {
    await lines.append(line);
  } finally {
    await lines.close();
  }
}

async function endsCut(handle: FileHandle): Promise<boolean> {
  const { size } = await handle.stat();
  const last = Buffer.alloc(1);
  if (size > 0) await handle.read(last, 0, 1, size - 1);
  return size > 0 && last.toString() !== '\n';
}
