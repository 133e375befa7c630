/** The floor of the native provider: a plugin that accepts every input, and keeps it as the state. It reads and sends nothing. */
import grpc from '@grpc/grpc-js';
import plugins from '@pulumi/pulumi/proto/plugin_pb.js';
import services from '@pulumi/pulumi/proto/provider_grpc_pb.js';
import messages from '@pulumi/pulumi/proto/provider_pb.js';
import empty from 'google-protobuf/google/protobuf/empty_pb.js';

const unary = (handle) => (call, answer) => answer(null, handle(call.request));
const largest = 400 * 1024 * 1024;
const server = new grpc.Server({
  'grpc.max_receive_message_length': largest,
  'grpc.max_send_message_length': largest,
});
server.addService(services.ResourceProviderService, {
  handshake: unary(() => new messages.ProviderHandshakeResponse().setAcceptSecrets(true)),
  getPluginInfo: unary(() => new plugins.PluginInfo().setVersion('0.0.1')),
  checkConfig: unary((request) => new messages.CheckResponse().setInputs(request.getNews())),
  diffConfig: unary(() => new messages.DiffResponse()),
  configure: unary(() => new messages.ConfigureResponse().setAcceptsecrets(true).setSupportspreview(true)),
  check: unary((request) => new messages.CheckResponse().setInputs(request.getNews())),
  diff: unary(() => new messages.DiffResponse().setChanges(messages.DiffResponse.DiffChanges.DIFF_NONE)),
  create: unary((request) => new messages.CreateResponse().setId('made').setProperties(request.getProperties())),
  read: unary((request) =>
    new messages.ReadResponse()
      .setId(request.getId())
      .setProperties(request.getProperties())
      .setInputs(request.getInputs()),
  ),
  cancel: unary(() => new empty.Empty()),
});
server.bindAsync('127.0.0.1:0', grpc.ServerCredentials.createInsecure(), (_error, port) => console.log(port));
