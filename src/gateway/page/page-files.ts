// The built files of the page, held in memory and served as they are. They contain no data of the deployment: anybody may
// read them. The policy allows scripts and styles of these files only, and no text to become markup.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { throwProgrammingError } from '../../values/errors/programming-error.ts';

export interface PageFile {
  readonly name: string;
  readonly type: string;
  readonly bytes: Buffer;
  /** Compressed with Brotli, when it is first requested: that takes a second, which a start does not wait for. */
  readonly small: () => Promise<Buffer>;
}

export const PAGE_PATH = '/page';

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
};
const INDEX = 'index.html';

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const HEADERS = {
  'content-security-policy': POLICY,
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
};

/** Reads the files that the build wrote; none if it has not run. */
export function readPageFiles(folder: string): readonly PageFile[] {
  let names: readonly string[];
  try {
    names = readdirSync(folder);
  } catch (error) {
    throwProgrammingError(error);
    return [];
  }
  return names.flatMap((name) => {
    const type = TYPES[name.split('.').at(-1) ?? ''];
    if (type === undefined) return [];
    const bytes = readFileSync(join(folder, name));
    return [{ name, type, bytes, small: compressedOnce(bytes) }];
  });
}

const brotli = promisify(brotliCompress);

/** On a thread of the pool. */
function compressedOnce(bytes: Buffer): () => Promise<Buffer> {
  let made: Promise<Buffer> | undefined;
  return () => {
    made ??= brotli(bytes);
    return made;
  };
}

export function servePageFiles(scope: FastifyInstance, files: readonly PageFile[]): void {
  for (const file of files) {
    const isIndex = file.name === INDEX;
    // Names of the others change with their content.
    const caching = isIndex ? 'no-cache' : 'public, max-age=31536000, immutable';
    scope.get(isIndex ? '/' : `${PAGE_PATH}/${file.name}`, (request, reply) =>
      send(request, reply.header('cache-control', caching), file),
    );
  }
  if (!files.some(({ name }) => name === INDEX)) {
    scope.get('/', (_request, reply) =>
      reply
        .headers(HEADERS)
        .code(503)
        .type('text/plain; charset=utf-8')
        .send('The page is not built. Accepted: npm run build:page, and a restart.\n'),
    );
  }
}

async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  file: PageFile,
): Promise<FastifyReply> {
  void reply.headers(HEADERS).header('vary', 'accept-encoding').type(file.type);
  const isSmall = /\bbr\b/.test(String(request.headers['accept-encoding'] ?? ''));
  if (!isSmall) return reply.send(file.bytes);
  const small = await file.small();
  return reply.header('content-encoding', 'br').send(small);
}
