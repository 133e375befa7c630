/** Accounts whose key has changed: their runs and documents stay known, and the first holder of the lock copies them. */
import { type Backend, logStart } from '../backend.ts';

const documentName = 'baseline';
/** A document that exists once there is nothing left to copy. */
const marker = 'former-key';

/** Returns the backend of an account with what its former key holds. */
export function withFormer(current: Backend, former: Backend): Backend {
  let isCopied: boolean | undefined;
  const hasCopied = async () => {
    isCopied ||= (await current.readDocument(marker)) !== undefined;
    return isCopied;
  };

  async function copy(): Promise<void> {
    if (await hasCopied()) return;
    const lines = await linesOf(former);
    // All lines are written at once, so an interrupted copy has either none or all of them.
    if (lines.length > 0 && (await linesOf(current)).length === 0) {
      const log = await current.appendToLog();
      await log.append(lines, 'now');
    }
    const document = await former.readDocument(documentName);
    if (document !== undefined)
      await current.updateDocument(documentName, (own) => (own === undefined ? document.text : undefined));
    await current.updateDocument(marker, () => 'copied');
    isCopied = true;
  }

  return {
    ...current,
    withLock: (options, action) =>
      current.withLock(options, async (lost, assertHeld) => {
        if (!(await hasCopied())) await former.withLock(options, copy);
        return action(lost, assertHeld);
      }),
    async openLog() {
      const own = await current.openLog();
      return (await hasCopied()) || (await linesOf(current)).length > 0 ? own : former.openLog();
    },
    readDocument: async (name) =>
      (await current.readDocument(name)) ?? ((await hasCopied()) ? undefined : former.readDocument(name)),
  };
}

async function linesOf(backend: Backend): Promise<string[]> {
  const lines: string[] = [];
  const log = await backend.openLog();
  for await (const batch of log?.read(logStart) ?? []) lines.push(...batch.lines.map(([, text]) => text));
  await log?.close();
  return lines;
}
