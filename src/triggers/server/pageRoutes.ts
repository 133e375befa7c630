/** Serves the status page. The files contain no data, so they are served without a token; the page asks for one. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';

/** The files of the status page, which the server serves and the build copies. */
export const pageFiles = [
  'page.html',
  'page.css',
  'icon.svg',
  'main.js',
  'api.js',
  'dialogs.js',
  'dom.js',
  'live.js',
  'runs.js',
  'schedules.js',
  'deliveries.js',
  'folds.js',
  'timeline.js',
  'cronWords.js',
  'words.js',
] as const;

const folder = new URL('../page/', import.meta.url);

export function pageRoutes(scope: FastifyInstance): void {
  for (const file of pageFiles) pageRoute(scope, file === 'page.html' ? '/' : `/page/${file}`, file);
}

function pageRoute(scope: FastifyInstance, url: string, file: string): void {
  const body = readFileSync(new URL(file, folder));
  const etag = `"${createHash('sha256').update(body).digest('base64url')}"`;
  scope.get(url, { schema: { hide: true }, exposeHeadRoute: true }, async (request, reply) => {
    reply.headers({ etag, 'cache-control': 'no-cache', 'content-security-policy': policy });
    if (request.headers['if-none-match'] === etag) return reply.code(304).send();
    return reply.type(types[file.split('.').at(-1) ?? ''] ?? 'application/octet-stream').send(body);
  });
}

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');
