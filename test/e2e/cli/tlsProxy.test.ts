/** TLS through a proxy, in a process of its own: Node reads `NODE_EXTRA_CA_CERTS` at its start. */
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openHarness } from '../../cli/harness.ts';
import { start } from '../process.ts';

const host = 'service.invalid';

/** Makes a certificate that only its own file vouches for. */
async function certificateIn(folder: string) {
  const [keyFile, file] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const names = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  execFileSync('openssl', ['req', '-x509', ...kind, ...names, '-keyout', keyFile, '-out', file], { stdio: 'ignore' });
  return { file, cert: await readFile(file, 'utf8'), key: await readFile(keyFile, 'utf8') };
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return (server.address() as AddressInfo).port;
}

it('an https service is reached through a tunnel, if its certificate is known', async () => {
  await using harness = await openHarness('plain');
  const { file, ...identity } = await certificateIn(harness.folder);
  const service = createTlsServer(identity, (incoming, response) => {
    const { method, headers, url } = incoming;
    const target = new URL(harness.emulator.apiUrl);
    const onward = request(
      new URL(url ?? '/', target),
      { method, headers: { ...headers, host: target.host } },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    incoming.pipe(onward);
  });
  const servicePort = await listening(service);
  const tunnels: string[] = [];
  const sockets: Socket[] = [];
  const proxy = createServer().on('connect', ({ url, headers }, socket: Socket) => {
    const credentials = Buffer.from(headers['proxy-authorization']?.replace('Basic ', '') ?? '', 'base64');
    tunnels.push(`${url} ${credentials}`);
    const onward = connect(servicePort, '127.0.0.1', () => socket.write('HTTP/1.1 200 Connection established\r\n\r\n'));
    for (const each of [socket, onward]) sockets.push(each.on('error', () => undefined));
    socket.pipe(onward).pipe(socket);
  });
  const proxyPort = await listening(proxy);
  const env = {
    WEBDATA_API_URL: `https://${host}`,
    WEBDATA_API_KEY: harness.emulator.keys.user,
    HTTPS_PROXY: `http://me:hunter2@127.0.0.1:${proxyPort}`,
  };
  const show = (more: Record<string, string>) =>
    start(['zones', 'ips', 'checkout', '--format', 'json', '--retries', '0'], {
      cwd: harness.folder,
      env: { ...env, ...more },
    }).finished;
  try {
    const unknown = await show({});
    expect(unknown).toMatchObject({ code: 1, stdout: '' });
    expect(unknown.stderr).toMatch(/certificate/i);
    expect(harness.emulator.requests()).toEqual([]);
    const { code, stdout, stderr } = await show({ NODE_EXTRA_CA_CERTS: file });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toHaveLength(harness.emulator.ips('checkout').length);
    expect(tunnels).toEqual([`${host}:443 me:hunter2`, `${host}:443 me:hunter2`]);
  } finally {
    for (const socket of sockets) socket.destroy();
    service.close();
    proxy.close();
  }
});
