/** Requests to the API of the trigger service: bodies, paths and queries, on a real store. */
import { join } from 'node:path';
import { deliverySpec } from '../../../src/triggers/declared/deliverySpec.ts';
import { endpointProblems } from '../../../src/triggers/declared/endpoint.ts';
import { scheduleSpec } from '../../../src/triggers/declared/scheduleSpec.ts';
import { createSealer } from '../../../src/triggers/secrets/secrets.ts';
import { createTriggerServer, startListening } from '../../../src/triggers/server/server.ts';
import { openStore } from '../../../src/triggers/store/open.ts';
import { createScheduleRegistry } from '../../../test/triggers/registry.ts';
import { gzipBomb, jsonBomb } from '../bombs.ts';
import { mutatedJson, mutatedText, oddTexts } from '../mutate.ts';
import type { Random } from '../random.ts';
import { rawRequest } from '../raw.ts';
import { canary, type FuzzGround, type FuzzTarget, shown } from '../target.ts';

type Method = 'GET' | 'PUT' | 'POST' | 'DELETE' | 'PATCH' | 'HEAD' | 'OPTIONS';
type Input =
  | { method: Method; url: string; headers: Record<string, string>; payload?: string | Buffer | undefined }
  | { bytes: Buffer };

export async function openTriggersApi({ folder }: FuzzGround): Promise<FuzzTarget<Input>> {
  const database = await openStore(join(folder, 'store.db'));
  const sealer = createSealer([Buffer.alloc(32, 1).toString('base64')]);
  const policy = (spec: unknown) => endpointProblems(spec, { allowPrivate: false });
  const registry = createScheduleRegistry({ database, sealer, policy });
  let log = '';
  const write = (line: string) => {
    log += line;
  };
  const server = createTriggerServer({ database, operations: registry.operations, token: canary, log: { write } });
  const url = await startListening(server, '127.0.0.1', 0);
  await registry.putDelivery('acme', 'results', deliverySpec().parse(delivery));
  await registry.putSchedule('acme', 'nightly', scheduleSpec().parse(schedule));
  const { id } = await registry.runNow('acme', 'nightly');
  return {
    make: (random, number) => (number % 20 === 0 ? { bytes: rawFrom(random) } : requestFrom(random, number, id)),
    async take(input) {
      log = '';
      if ('bytes' in input) return faultIn(await rawRequest(url, input.bytes, 2000), log);
      const { statusCode, body } = await server.inject(input);
      return statusCode >= 500 ? `internal error ${statusCode} ${body} ${log}` : faultIn(body, log);
    },
    /** Removes rows, so that listing them stays fast. */
    async inspect() {
      for (const owner of await registry.owners()) {
        const { schedules, deliveries } = await registry.records(owner);
        for (const { name } of schedules) if (name !== 'nightly') await registry.deleteSchedule(owner, name);
        for (const { name } of deliveries)
          if (name !== 'results') await registry.deleteDelivery(owner, name).catch(() => false);
      }
      return [];
    },
    show: (input) =>
      shown(
        'bytes' in input
          ? input.bytes.toString('latin1')
          : JSON.stringify({ ...input, payload: String(input.payload).slice(0, 3000) }),
      ),
    async [Symbol.asyncDispose]() {
      await server.close();
      await database.close();
    },
  };
}

/** Finds violations in the answer and the log. Answers are for programs, and no terminal shows them unchanged. */
function faultIn(answer: string, log: string): string {
  if (log.includes('"level":"error"')) return `internal error ${log}`;
  return answer.startsWith('<') || answer.includes('\n\n<!') || answer.length > 20_000
    ? ''
    : answer.replaceAll(/[\p{Cc}\p{Cf}]/gu, ' ');
}

const schedule = {
  collector: 'c_prices',
  cron: '0 3 * * *',
  timeZone: 'Europe/Berlin',
  inputs: [{ url: 'https://shop.example.com/a' }],
  delivery: 'results',
};
const everyField = {
  dataset: 'gd_x',
  format: 'csv',
  every: '15m',
  inputs: [{ url: 'x' }],
  runName: 'n {tick}',
  paused: true,
};
const delivery = { endpoint: 'https://hooks.example.com/webdata', compression: 'gzip', authorization: { env: 'HOOK' } };
const resolutions = [{ as: 'triggered', collectionId: 'j_1' }, { as: 'lost' }, { as: 'resend' }];

function requestFrom(random: Random, number: number, run: string): Input {
  const method = random.pick<Method>([
    'GET',
    'GET',
    'PUT',
    'PUT',
    'PUT',
    'PUT',
    'POST',
    'POST',
    'DELETE',
    'PATCH',
    'HEAD',
    'OPTIONS',
  ]);
  const url = encodeURI(
    urlFrom(random, method, run)
      .toWellFormed()
      .replaceAll(/[\s\p{Cc}\\]/gu, '_'),
  );
  const headers = {
    authorization: random.oneIn(30)
      ? random.pick(['Bearer', 'Basic x', `Bearer ${'x'.repeat(9000)}`])
      : `Bearer ${canary}`,
    'content-type': random.oneIn(20)
      ? random.pick(['text/plain', 'application/json; charset=utf-7', 'multipart/form-data'])
      : 'application/json',
    ...(random.oneIn(30) && { 'content-encoding': 'gzip' }),
    ...(random.oneIn(30) && {
      [random.pick(['x-forwarded-for', 'host', 'origin', 'expect', 'if-none-match'])]: random.pick(asciiTexts),
    }),
  };
  if (method === 'GET' || method === 'HEAD') return { method, url, headers };
  return { method, url, headers, payload: payloadFrom(random, number, method) };
}

/** Returns URLs of routes that do not stream. */
function urlFrom(random: Random, method: Method, run: string): string {
  const urls =
    method === 'PUT'
      ? ['/v1/owners/acme/schedules/nightly', '/v1/owners/acme/deliveries/results', '/v1/owners/o/schedules/x']
      : method === 'POST'
        ? [
            `/v1/runs/${run}/resolve`,
            '/v1/owners/acme/schedules/nightly/pause',
            '/v1/owners/acme/schedules/nightly/run',
          ]
        : [
            '/v1/owners',
            '/v1/owners/acme',
            '/v1/schedules?limit=5&text=a',
            `/v1/runs?state=unknown,failed&limit=3&after=${run}`,
            `/v1/runs/${run}`,
            '/v1/totals',
            '/metrics',
            '/healthz',
          ];
  const url = random.oneIn(2)
    ? random.pick(urls)
    : mutatedText(random, urls, ['?', '&', '=', '/', '%', '%00', '%2f..', 'limit=', 'after=', ...oddTexts]);
  return url.startsWith('/') ? url.slice(0, 4000) : '/v1/owners';
}

function payloadFrom(random: Random, number: number, method: Method): string | Buffer {
  if (number % 500 === 1)
    return jsonBomb(
      random,
      random.oneIn(2) ? (inner) => `{"collector":"c_x","every":"1h","inputs":[{"a":${inner}}]}` : undefined,
    );
  if (number % 500 === 3) return gzipBomb(64);
  const example = method === 'POST' ? random.pick(resolutions) : random.pick([schedule, everyField, delivery]);
  return random.oneIn(6) ? mutatedText(random, [JSON.stringify(example)], oddTexts) : mutatedJson(random, example);
}

/** Returns invalid HTTP. */
function rawFrom(random: Random): Buffer {
  const body = JSON.stringify(delivery);
  const head = `PUT /v1/owners/acme/deliveries/raw HTTP/1.1\r\nhost: t\r\nauthorization: Bearer ${canary}\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: ${body.length}\r\n\r\n`;
  const text = mutatedText(
    random,
    [head + body, 'GET / HTTP/1.1\r\nhost: t\r\nconnection: close\r\n\r\n'],
    ['\r\n', '\r\n\r\n', '\u0000', 'transfer-encoding: chunked\r\n', ...oddTexts],
  );
  return Buffer.from(text, 'latin1');
}

const asciiTexts = oddTexts.filter((text) => /^[ -~]+$/.test(text));
