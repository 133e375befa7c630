/** The services of `provider.proto`, and its requests. */
import { join } from 'node:path';
import { servicesIn } from '../grpc/server.ts';

const services = servicesIn([join(import.meta.dirname, 'provider.proto')]);

export const {
  'pulumirpc.ResourceProvider': resourceProvider = {},
  'pulumirpc.Engine': engine = {},
  'pulumirpc.ResourceStatus': resourceStatus = {},
} = services;

/** The fields of all requests; each has those of its method. Properties are bytes, for `decode`. */
export interface Request {
  urn: string;
  type: string;
  id: string;
  token: string;
  tok: string;
  limit: number;
  supportsViews: boolean;
  preview: boolean;
  ignoreChanges: readonly string[];
  resourceStatusAddress: string;
  resourceStatusToken: string;
  args: Uint8Array;
  query: Uint8Array;
  properties: Uint8Array;
  inputs: Uint8Array;
  olds: Uint8Array;
  news: Uint8Array;
  oldInputs: Uint8Array;
}
