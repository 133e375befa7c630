/** The playground: a page that plans a declaration in the browser. */
import { writeFileSync } from 'node:fs';

/** Writes the page. */
export async function buildPlayground(file: string): Promise<void> {
  writeFileSync(file, '<!doctype html><title>Playground</title>');
}
