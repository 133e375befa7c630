/** Files that grow line by line. A line is on disk when `append` returns, and a cut-off line does not corrupt the next one. */
import { type FileHandle, open } from 'node:fs/promises';

export interface LineFile {
  /** Adds a line; `line` has no line break. @throws if the line could not be written whole */
  append(line: string): Promise<void>;
  close(): Promise<void>;
}

export async function openLineFile(file: string): Promise<LineFile> {
  return linesOf(await open(file, 'a+'));
}

/** Takes ownership of the handle: `close` closes it. */
export async function linesOf(handle: FileHandle): Promise<LineFile> {
  let isCut = await endsCut(handle);
  return {
    async append(line) {
      const text = `${isCut ? '\n' : ''}${line}\n`;
      isCut = false;
      await handle.appendFile(text).catch((error: unknown) => {
        // A full disk may have stored a part of it.
        isCut = true;
        throw error;
      });
      await handle.datasync();
    },
    close: () => handle.close(),
  };
}

/** Adds one line and closes the file, so that other processes may move it between two lines. */
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
