/** The handshake between Terraform or OpenTofu and a plugin that it starts: an environment variable, a certificate, and one line of output. */
import grpc from '@grpc/grpc-js';
import { generate } from 'selfsigned';

type Env = Readonly<Record<string, string | undefined>>;

/** Says that the program was started as a plugin, and not by a person. It is no secret. */
const magicCookie = 'd602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2';

export function isStartedAsPlugin({ TF_PLUGIN_MAGIC_COOKIE }: Env): boolean {
  return TF_PLUGIN_MAGIC_COOKIE === magicCookie;
}

interface Identity {
  credentials: grpc.ServerCredentials;
  /** The certificate of this process without line breaks and padding; empty without TLS. */
  certificate: string;
}

/** Both sides make a certificate for this one connection, so that no other process on the machine can call the provider. */
export async function makeIdentity({ PLUGIN_CLIENT_CERT: clientCertificate }: Env): Promise<Identity> {
  if (clientCertificate === undefined || clientCertificate === '') {
    return { credentials: grpc.ServerCredentials.createInsecure(), certificate: '' };
  }
  const { private: privateKey, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', digitalSignature: true, keyCertSign: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true, clientAuth: true },
      { name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] },
    ],
  });
  const pair = { private_key: Buffer.from(privateKey), cert_chain: Buffer.from(cert) };
  return {
    credentials: grpc.ServerCredentials.createSsl(Buffer.from(clientCertificate), [pair], true),
    certificate: cert.replace(/-----[^-]+-----|\s|=+/g, ''),
  };
}

/** Returns the line that the client waits for: the versions of handshake and protocol, and where to connect. */
export function handshakeLine(port: number, { certificate }: Pick<Identity, 'certificate'>): string {
  return `1|6|tcp|127.0.0.1:${port}|grpc|${certificate}\n`;
}
