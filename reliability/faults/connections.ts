/** Connection faults: no server, or not the expected one. They affect all requests to a peer. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import type { Peer } from './calls.ts';

export interface ConnectionFault {
  name: string;
  /** The address that is configured for the peer. */
  url: string;
  message: RegExp;
}

export interface Connections extends AsyncDisposable {
  faults: readonly ConnectionFault[];
  /** The number of requests that reached a peer with an invalid certificate. */
  caught(): number;
  skipped: readonly string[];
}

export const addressOf: Readonly<Partial<Record<Peer, string>>> = {
  api: 'WEBDATA_API_URL',
  manager: 'WEBDATA_MANAGER_URL',
  triggers: 'WEBDATA_TRIGGERS_URL',
};

/** Without openssl, there are no certificates, and so no peers with invalid ones. */
export async function openConnections(folder: string): Promise<Connections> {
  let caught = 0;
  const servers: Server[] = [];
  const listen = async (server: Server, scheme: 'http' | 'https') => {
    servers.push(server);
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    return `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  const speaking = (certificate: Certificate) =>
    listen(
      createHttpsServer(certificate, (_request, response) => {
        caught += 1;
        response.end('{}');
      }),
      'https',
    );
  const closing = await listen(
    createTcpServer((socket) => socket.destroy()),
    'https',
  );
  const plain = await listen(
    createHttpServer((_request, response) => void response.end('{}')),
    'https',
  );
  const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
  return {
    faults: [
      { name: 'no listener', url: 'http://127.0.0.1:9', message: /could not be sent \(.*ECONNREFUSED/ },
      {
        name: 'an unknown name',
        url: 'http://nobody.invalid',
        message: /could not be sent \(.*(ENOTFOUND|EAI_AGAIN)/,
      },
      { name: 'cut during the handshake', url: closing, message: /could not be sent/ },
      { name: 'plain HTTP in place of TLS', url: plain, message: /could not be sent/ },
      ...(hasOpenssl ? await withCertificates(folder, speaking) : []),
    ],
    caught: () => caught,
    skipped: hasOpenssl ? [] : ['wrong certificates: this machine has no openssl'],
    async [Symbol.asyncDispose]() {
      await Promise.all(servers.map((server) => new Promise((done) => server.close(done))));
    },
  };
}

interface Certificate {
  key: string;
  cert: string;
}

async function withCertificates(
  folder: string,
  speaking: (certificate: Certificate) => Promise<string>,
): Promise<ConnectionFault[]> {
  const trusted = authority(folder, 'trusted');
  const stranger = authority(folder, 'stranger');
  setDefaultCACertificates([...getCACertificates(), trusted.cert]);
  const message = (words: RegExp) => new RegExp(`could not be sent \\(.*(${words.source})`, 'i');
  return [
    {
      name: 'a certificate of an unknown authority',
      url: await speaking(signed(folder, { by: stranger, name: 'unknown', host: 'IP:127.0.0.1', days: 2 })),
      message: message(/certificate/),
    },
    {
      name: 'a certificate that has expired',
      url: await speaking(signed(folder, { by: trusted, name: 'expired', host: 'IP:127.0.0.1', days: -1 })),
      message: message(/expired/),
    },
    {
      name: 'a certificate of another host',
      url: await speaking(signed(folder, { by: trusted, name: 'other', host: 'DNS:other.example.com', days: 2 })),
      message: message(/does not match|altnames/),
    },
  ];
}

const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

interface Authority extends Certificate {
  files: { key: string; cert: string };
}

function authority(folder: string, name: string): Authority {
  const files = { key: join(folder, `${name}.key`), cert: join(folder, `${name}.pem`) };
  openssl(['req', '-x509', ...newKey, '-keyout', files.key, '-out', files.cert, '-subj', `/CN=${name}`, '-days', '2']);
  return { files, ...read(files) };
}

interface Wanted {
  by: Authority;
  name: string;
  host: string;
  days: number;
}

function signed(folder: string, { by, name, host, days }: Wanted): Certificate {
  const [key, request, cert, more] = ['key', 'csr', 'pem', 'ext'].map((end) => join(folder, `${name}.${end}`)) as [
    string,
    string,
    string,
    string,
  ];
  writeFileSync(more, `subjectAltName=${host}\n`);
  openssl(['req', '-new', ...newKey, '-keyout', key, '-out', request, '-subj', `/CN=${name}`]);
  const issuer = ['-CA', by.files.cert, '-CAkey', by.files.key, '-CAcreateserial'];
  openssl(['x509', '-req', '-in', request, ...issuer, '-days', `${days}`, '-extfile', more, '-out', cert]);
  return read({ key, cert });
}

function read({ key, cert }: { key: string; cert: string }): Certificate {
  return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
}

function openssl(args: readonly string[]): void {
  execFileSync('openssl', args, { stdio: 'ignore' });
}
