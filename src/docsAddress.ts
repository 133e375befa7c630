/** The addresses of the documentation that errors, help and the JSON Schema show. */
import { homepage } from './version.ts';

/**
 * Returns the address of a page of the site, such as `errors#locked` or `commands/plan`. Until there is a site, it is the file of the package
 * that has the page, in which `commands/plan` is a section.
 */
export function docsAddress(page: string): string {
  if (homepage !== undefined) return `${homepage.replace(/\/+$/, '')}/${page}`;
  const [path = '', anchor] = page.split('#');
  const [file, section] = path.split('/');
  const place = section?.toLowerCase() ?? anchor;
  return `node_modules/pulumi-webdata/docs/${file}.md${place === undefined ? '' : `#${place}`}`;
}

/** Returns the address of an error code. */
export function errorAddress(code: string): string {
  return docsAddress(`errors#${code}`);
}
