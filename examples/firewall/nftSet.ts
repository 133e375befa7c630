/** A set of networks in a file that the firewall of a Linux machine includes: `nft -f crawlers.nft`. */
import { type CustomResourceOptions, dynamic, type Input } from '@pulumi/pulumi';

interface NftSetArgs {
  file: Input<string>;
  networks: Input<Input<string>[]>;
}

export class NftSet extends dynamic.Resource {
  constructor(name: string, args: NftSetArgs, options?: CustomResourceOptions) {
    super(provider, name, { set: name, ...args }, options);
  }
}

/** The inputs, when they are known. */
export interface KnownSet {
  set: string;
  file: string;
  networks: string[];
}

export const provider = {
  async create(inputs: KnownSet) {
    write(inputs);
    return { id: inputs.file, outs: inputs };
  },
  async update(_id: string, _olds: KnownSet, news: KnownSet) {
    write(news);
    return { outs: news };
  },
} satisfies dynamic.ResourceProvider;

function write({ set, file, networks }: KnownSet): void {
  const { writeFileSync } = process.getBuiltinModule('node:fs');
  const elements = networks.join(', ');
  writeFileSync(
    file,
    `table inet filter {\n  set ${set} {\n    type ipv4_addr; flags interval\n    elements = { ${elements} }\n  }\n}\n`,
  );
}
