/**
 * The code that Pulumi serializes into the state of each resource, twice. It only loads the installed package at run time, so that an upgrade
 * of the package does not change a stack, and the state holds no old code. It is short, because the engine writes the whole state after each
 * step of an update. States keep the text that they were made with: test/e2e/pulumi/provider.test.ts checks that it does not change unnoticed.
 */
import type { dynamic } from '@pulumi/pulumi';

/**
 * Returns the dynamic provider of one kind. It captures only the name of the kind, so that nothing else is serialized. The SDK calls `configure`
 * before any other method, and treats a missing one as done. Without the package, each method therefore fails.
 */
export function providerOf(kind: string): dynamic.ResourceProvider {
  const provider: Partial<dynamic.ResourceProvider> = {
    async configure(request) {
      try {
        const load = process.getBuiltinModule('node:module').createRequire(`${process.cwd()}/`);
        Object.assign(this, load('pulumi-webdata/pulumi/runtime').handlersOf(kind)).configure(request);
      } catch (error) {
        const fail = () => {
          throw error;
        };
        Object.assign(this, { check: fail, diff: fail, create: fail, read: fail, update: fail, delete: fail });
      }
    },
  };
  return provider as dynamic.ResourceProvider;
}
