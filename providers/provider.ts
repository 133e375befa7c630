/**
 * The code that Pulumi serializes into the state of each resource. It only loads the installed package at run time, so that an upgrade
 * of the package does not change a stack, and the state holds no old code. Its text must never change, because a change would be a difference of
 * every resource: test/e2e/pulumi/provider.test.ts checks it.
 */
import type { dynamic } from '@pulumi/pulumi';

/** Returns the dynamic provider of one kind. It captures only the name of the kind, so that nothing else is serialized. */
export function providerOf(kind: string): dynamic.ResourceProvider {
  const handlers = (): Required<dynamic.ResourceProvider> =>
    process
      .getBuiltinModule('node:module')
      .createRequire(`${process.cwd()}/`)('pulumi-webdata/pulumi/runtime')
      .handlersOf(kind);
  return {
    configure: (request) => handlers().configure(request),
    check: (olds, news) => handlers().check(olds, news),
    diff: (id, olds, news) => handlers().diff(id, olds, news),
    create: (inputs) => handlers().create(inputs),
    read: (id, props) => handlers().read(id, props),
    update: (id, olds, news) => handlers().update(id, olds, news),
    delete: (id, props) => handlers().delete(id, props),
  };
}
