/** The address of the repository in pages and files that users copy. */
import { describe, expect, it } from 'vitest';
import { publishedManifest, withAddress } from '../../scripts/docs/address.ts';
import { version } from '../../src/version.ts';

const acme = { name: 'acme/pulumi-webdata', url: 'https://github.com/acme/pulumi-webdata' };
const page = [
  '<!-- begin generated: install -->',
  '',
  '<!-- end generated -->',
  'npm install --save-dev pulumi-webdata',
  '- uses: ./.github/actions/webdata',
].join('\n');

describe('the address of the repository', () => {
  it('is in every step and installation once it is known, and the result does not depend on what was there', () => {
    const known = withAddress(page, acme);
    expect(known).toContain('[the releases](https://github.com/acme/pulumi-webdata/releases)');
    expect(known).toContain('\nnpm install --save-dev pulumi-webdata\n');
    expect(known).toContain(`- uses: acme/pulumi-webdata@v${version}`);
    expect(withAddress(known, acme)).toBe(known);
    expect(withAddress(withAddress(known, undefined), acme)).toBe(known);
  });

  it('is replaced by a checkout as long as it is not known', () => {
    const unknown = withAddress(withAddress(page, acme), undefined);
    expect(unknown).toContain('No release has been published yet.');
    expect(unknown).toContain(`npm install --save-dev ./pulumi-webdata-${version}.tgz`);
    expect(unknown).toContain('- uses: ./.github/actions/webdata');
  });

  it('gives npm the homepage, the issues and the author of a release, and nothing that is not known', () => {
    expect(publishedManifest({ name: 'a' }, acme, 'Acme <oss@acme.example>')).toEqual({
      name: 'a',
      homepage: `${acme.url}#readme`,
      bugs: { url: `${acme.url}/issues` },
      author: 'Acme <oss@acme.example>',
    });
    expect(publishedManifest({ name: 'a' }, undefined, undefined)).toEqual({ name: 'a' });
  });
});
