/**
 * The address of the repository in the pages and files that users copy. `repository` of package.json is the only place to change it. As long as it
 * is not known, they show how to install from a checkout.
 */
import manifest from '../../package.json' with { type: 'json' };

interface Repository {
  /** `OWNER/NAME`, as GitHub writes it. */
  name: string;
  url: string;
}

interface Manifest {
  name: string;
  repository?: { url: string };
}

/** Undefined as long as package.json names no repository. */
export const repository: Repository | undefined = repositoryIn(manifest);

function repositoryIn({ repository: declared }: Manifest): Repository | undefined {
  if (declared === undefined) return undefined;
  const [, name] = /github\.com\/([^/]+\/[^/]+?)(?:\.git)?$/.exec(declared.url) ?? [];
  if (name === undefined) throw new Error(`package.json: the repository ${declared.url} is not on GitHub`);
  return { name, url: `https://github.com/${name}` };
}

/** Returns the manifest that npm shows: with the addresses that follow from the repository, and with the author of a release. */
export function publishedManifest<T extends object>(own: T, known: Repository | undefined, author: string | undefined) {
  return {
    ...(known && { homepage: `${known.url}#readme`, bugs: { url: `${known.url}/issues` } }),
    ...own,
    ...(author && { author }),
  };
}

const { name, version } = manifest;
const tarball = `./${name}-${version}.tgz`;

/** Returns the text with the step of the action, the installation and the links of this repository. */
export function withAddress(text: string, known: Repository | undefined = repository): string {
  const action = known === undefined ? './.github/actions/webdata' : `${known.name}@v${version}`;
  const installed = known === undefined ? tarball : name;
  return text
    .replaceAll(/(uses: )(?:[\w.-]+\/[\w.-]*webdata@v[\d.]+|\.\/\.github\/actions\/webdata)/g, `$1${action}`)
    .replaceAll(/^(npm install (?:--\S+ )*)(?:\.\/)?pulumi-webdata(?:-[\d.]+\.tgz)?(?= |$)/gm, `$1${installed}`)
    .replaceAll(
      /(<!-- begin generated: (install|action) -->\n)[\s\S]*?(\n<!-- end generated -->)/g,
      (_all, begin: string, which: 'install' | 'action', end: string) => begin + paragraphs(known)[which] + end,
    );
}

function paragraphs(known: Repository | undefined): Record<'install' | 'action', string> {
  if (known === undefined) {
    return {
      install: `No release has been published yet. \`npm ci && npm pack\` in a checkout writes \`${name}-${version}.tgz\`; copy it into your project and install it there:`,
      action: `No release has been published yet. \`npm ci && npm run release -- --dry-run\` in a checkout writes \`dist/release/webdata-action-v${version}.tar.gz\`, with the action and the package.\nUnpack it into \`.github/actions/webdata\` of your repository. In a checkout of this repository, \`uses: ./\` works too.`,
    };
  }
  const releases = `${known.url}/releases`;
  return {
    install: `From npm; [the releases](${releases}) have the same package, with checksums and provenance:`,
    action: `[The releases](${releases}) also have the action with its package as an archive, for repositories that keep a copy.`,
  };
}
