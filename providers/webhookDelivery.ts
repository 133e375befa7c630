/** `WebhookDelivery` as a Pulumi resource. */
import { type CustomResourceOptions, dynamic, type Input, type Output, output } from '@pulumi/pulumi';
import { deliverySourceIps } from '../src/client/areas/jobs/delivery.ts';
import { curlLine } from './curlLine.ts';
import { asSecrets, identity, secretIf } from './identity.ts';
import { ignoring } from './ignoreChanges.ts';
import { providerOf } from './provider.ts';

/** A name that the trigger service looks up, or the secret itself, which is kept encrypted. */
export type SecretInput = Input<string> | { env: Input<string> } | { secret: Input<string> };

/** Destinations of results of scheduled runs: at least one of `endpoint`, `destination` and `notify`. */
export interface WebhookDeliveryArgs {
  /** Its name in the trigger service, by default that of the resource. Another name replaces the resource. */
  name?: Input<string>;
  /** The owner of the registration, by default `PROJECT/STACK`. Another owner replaces the resource. */
  owner?: Input<string>;
  /** The webhook that results are sent to: https, or http on loopback. */
  endpoint?: Input<string>;
  /** Compression of results that are sent to the webhook; `gzip` by default. */
  compression?: Input<'gzip' | 'none'>;
  /** The Authorization header that results are sent with. It is a secret in the state. */
  authorization?: SecretInput;
  /** The time after the end of a run within which a receiver must have its rows, such as `1h`. Requires `{run}` in `endpoint`. */
  reportedWithin?: Input<string>;
  /** Storage that receives results instead of a webhook; collectors only. It is a secret in the state. */
  destination?: Input<DestinationArgs>;
  /** Notification when a job is finished and delivered; collectors only. */
  notify?: Input<{ type: Input<'webhook' | 'email'>; endpoint?: Input<string> }>;
}

export type DestinationArgs = S3DestinationArgs | OtherDestinationArgs;

export interface S3DestinationArgs {
  type: 's3';
  bucket: Input<string>;
  credentials: Input<{ accessKey: SecretInput; secretKey: SecretInput }>;
  region?: Input<string>;
  directory?: Input<string>;
  /** The template may contain `{[datetime]}`. */
  filename?: Input<{ template: Input<string>; extension: Input<string> }>;
  deliveryType?: Input<string>;
}

/** The specification does not show the fields of these destinations: they are sent unchanged. */
export interface OtherDestinationArgs {
  type: 'gcs' | 'azure' | 'sftp' | 'snowflake' | 'email';
  [field: string]: unknown;
}

/**
 * Registers a destination of results in the trigger service.
 *
 * @example
 * const results = new WebhookDelivery('results', {
 *   endpoint: 'https://hooks.example.com/webdata',
 *   authorization: { env: 'HOOK_AUTHORIZATION' },
 * });
 */
export class WebhookDelivery extends dynamic.Resource {
  /** Its name in the trigger service, for the `delivery` of a `CollectorSchedule`. */
  declare readonly name: Output<string>;
  declare readonly owner: Output<string>;
  /** The fields that differed from the declaration at the last refresh. An update corrects them. */
  declare readonly drifted: Output<string[]>;
  /** The addresses from which the service calls webhooks, for a firewall or a security group. */
  readonly sourceIps: Output<string[]>;
  /** A command that calls the webhook as the service would. It takes secrets from shell variables. */
  readonly curl: Output<string>;

  constructor(name: string, args: WebhookDeliveryArgs, options?: CustomResourceOptions) {
    const inputs = {
      ...identity(name),
      ...args,
      ...asSecrets(args, secrets),
      ...(args.endpoint !== undefined && { endpoint: secretIf(args.endpoint) }),
      ...(args.notify !== undefined && { notify: secretIf(args.notify) }),
    };
    const ignored = ignoring(inputs, options);
    const additionalSecretOutputs = [...(options?.additionalSecretOutputs ?? []), ...secrets];
    super(
      provider,
      name,
      { ...inputs, ...ignored.inputs, drifted: undefined },
      { ...ignored.options, additionalSecretOutputs },
      'webdata',
      'WebhookDelivery',
    );
    this.sourceIps = output([...deliverySourceIps]);
    this.curl = curlOf(args);
  }
}

const secrets = ['authorization', 'destination'];

/** Derives the command from the arguments, so that it is a secret if the endpoint is one. */
function curlOf({ endpoint, compression = 'gzip', authorization }: WebhookDeliveryArgs): Output<string> {
  const isAuthorized = authorization !== undefined;
  return output({ endpoint, compression }).apply((given) => curlLine({ ...given, isAuthorized }));
}

const provider = providerOf('WebhookDelivery');
