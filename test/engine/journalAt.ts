import type { Backend } from '../../src/engine/backend/backend.ts';
import { openFolderBackend } from '../../src/engine/backend/folder/folderBackend.ts';

/** The backend that has this file as its journal. */
export function journalAt(journal: string): Backend {
  return openFolderBackend({ journal, account: journal, env: process.env });
}
