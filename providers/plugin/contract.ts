/**
 * The methods of the gRPC contract that carry properties of resources. Their messages are those of the generated classes, without the properties,
 * which are decoded from the bytes directly: a generated class would build four objects for each value.
 */
import type grpc from '@grpc/grpc-js';
import services from '@pulumi/pulumi/proto/provider_grpc_pb.js';
import messages from '@pulumi/pulumi/proto/provider_pb.js';
import protobuf from 'protobufjs/minimal.js';
import { decode, encode, messageField, type WireProperties, wireTypes } from './values.ts';

/** A message, and its properties by the name of their field. */
interface WithProperties<Message, Name extends string> {
  message: Message;
  properties: Readonly<Record<Name, WireProperties>>;
}

type FieldNumbers<Name extends string> = Readonly<Record<Name, number>>;

/** Fields of type `google.protobuf.Struct` by their names, for the requests and the responses of each method. */
const propertyFields = {
  checkConfig: { request: { news: 3 }, response: { inputs: 1 } },
  diffConfig: { request: { news: 4, oldInputs: 6 }, response: {} },
  configure: { request: { args: 2 }, response: {} },
  invoke: { request: { args: 2 }, response: { return: 1 } },
  list: { request: { query: 2 }, response: {} },
  check: { request: { olds: 2, news: 3 }, response: { inputs: 1 } },
  diff: { request: { olds: 3, news: 4, oldInputs: 6 }, response: {} },
  create: { request: { properties: 2 }, response: { properties: 2 } },
  read: { request: { properties: 3, inputs: 4 }, response: { properties: 2, inputs: 3 } },
  update: { request: { olds: 3, news: 4, oldInputs: 8 }, response: { properties: 1 } },
  delete: { request: { properties: 3, oldInputs: 5 }, response: {} },
} as const;

const requests = {
  checkConfig: messages.CheckRequest,
  diffConfig: messages.DiffRequest,
  configure: messages.ConfigureRequest,
  invoke: messages.InvokeRequest,
  list: messages.ListRequest,
  check: messages.CheckRequest,
  diff: messages.DiffRequest,
  create: messages.CreateRequest,
  read: messages.ReadRequest,
  update: messages.UpdateRequest,
  delete: messages.DeleteRequest,
} as const;

type Method = keyof typeof propertyFields;
type RequestMessage<Name extends Method> = InstanceType<(typeof requests)[Name]>;

export type EngineRequest<Name extends Method> = WithProperties<
  RequestMessage<Name>,
  keyof (typeof propertyFields)[Name]['request'] & string
>;
export type EngineResponse<Name extends Method, Message> = Answered<
  Message,
  keyof (typeof propertyFields)[Name]['response'] & string
>;

/** Properties that are undefined are left out of the message. */
interface Answered<Message, Name extends string> {
  message: Message;
  properties: Readonly<Record<Name, WireProperties | undefined>>;
}

/** Returns the definition of the service: its methods with properties take and return them as plain values. */
export function contract(): grpc.ServiceDefinition {
  const methods = Object.keys(propertyFields) as Method[];
  const definitions = methods.map((name): [string, grpc.MethodDefinition<unknown, unknown>] => [
    name,
    {
      ...(services.ResourceProviderService[name] as grpc.MethodDefinition<unknown, unknown>),
      requestDeserialize: (bytes) => requestFrom<unknown, string>(bytes, requests[name], propertyFields[name].request),
      ...(Object.keys(propertyFields[name].response).length > 0 && {
        responseSerialize: (response) =>
          bytesOf(response as WithProperties<Serializable, string>, propertyFields[name].response),
      }),
    },
  ]);
  return { ...services.ResourceProviderService, ...Object.fromEntries(definitions) };
}

interface Serializable {
  serializeBinary(): Uint8Array;
}

function requestFrom<Message, Name extends string>(
  bytes: Buffer,
  { deserializeBinary }: { deserializeBinary(bytes: Uint8Array): Message },
  fields: FieldNumbers<Name>,
): WithProperties<Message, Name> {
  const numbers = Object.entries<number>(fields);
  const { rest, taken } = splitMessage(bytes, new Set(numbers.map(([, number]) => number)));
  const properties = numbers.map(([name, number]) => [name, decode(taken.get(number))]);
  return { message: deserializeBinary(rest), properties: Object.fromEntries(properties) };
}

/** Fields of a message may be in any order, so properties are added to its end. */
export function bytesOf<Name extends string>(
  { message, properties }: Answered<Serializable, Name>,
  fields: FieldNumbers<Name>,
): Buffer {
  const added = Object.entries<number>(fields).flatMap(([name, number]) => {
    const value = properties[name as Name];
    return value === undefined ? [] : [messageField(number, [encode(value)])];
  });
  return Buffer.concat([message.serializeBinary(), ...added]);
}

/** Takes some fields out of a message. Returns their contents by number, and the message without them. */
function splitMessage(
  bytes: Buffer,
  fields: ReadonlySet<number>,
): { rest: Uint8Array; taken: ReadonlyMap<number, Uint8Array> } {
  const reader = protobuf.Reader.create(bytes);
  const [rest, taken] = [[] as Buffer[], new Map<number, Uint8Array>()];
  while (reader.pos < reader.len) {
    const start = reader.pos;
    const tag = reader.uint32();
    if ((tag & 7) === wireTypes.bytes && fields.has(tag >>> 3)) taken.set(tag >>> 3, reader.bytes());
    else {
      reader.skipType(tag & 7);
      rest.push(bytes.subarray(start, reader.pos));
    }
  }
  return { rest: Buffer.concat(rest), taken };
}
