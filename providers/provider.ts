/**
 * What Pulumi writes into the state for each resource: these few lines, serialized. They load the installed package at run time
 * and hand over to it, so that an upgrade of the package is no change of a stack, and the state holds no code that grows old.
 * Their text must never change, as each change is a difference of every resource: test/providers/provider.test.ts holds it.
 */
import type { dynamic } from '@pulumi/pulumi';

/** The dynamic provider of one kind. Nothing but the kind's name is captured, and so nothing else is serialized. */
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
