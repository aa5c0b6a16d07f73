// Caches documents and the static files of their page as bytes: generated for the first request and shared by
// all later ones. A client that already has the current version gets a 304.
import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';

interface Kept {
  readonly bytes: Buffer;
  readonly type: string;
  readonly etag: string;
}

const FILES_MAX = 64;
const BYTES_MAX = 16 * 1_024 * 1_024;

/** Caches every 200 answer of the GET routes of this scope; it must be the same for all clients. */
export function keepReady(scope: FastifyInstance): void {
  const kept = new Map<string, Kept>();
  let keptBytes = 0;
  scope.addHook('onRequest', (request, reply, done) => {
    const file = request.method === 'GET' ? kept.get(pathOf(request.url)) : undefined;
    if (file === undefined) return done();
    sendKept(reply, file, request.headers['if-none-match']);
  });
  scope.addHook('onSend', async (request, reply, payload) => {
    const { url, method } = request;
    const held = kept.get(pathOf(url));
    if (held !== undefined && held.bytes === payload) return payload;
    if (method !== 'GET' || reply.statusCode !== 200 || !isPlain(url)) return payload;
    const bytes = await bytesOf(payload);
    const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`;
    const file = { bytes, type: String(reply.getHeader('content-type') ?? ''), etag };
    void reply.removeHeader('content-length').headers(headersOf(file));
    if (kept.size < FILES_MAX && keptBytes + bytes.length <= BYTES_MAX) {
      kept.set(url, file);
      keptBytes += bytes.length;
    }
    return bytes;
  });
}

function sendKept(reply: FastifyReply, file: Kept, known: string | undefined): void {
  void reply.headers(headersOf(file));
  if (known?.split(',').some((one) => one.trim().replace(/^W\//, '') === file.etag)) {
    void reply.code(304).send();
  } else void reply.type(file.type).send(file.bytes);
}

/** Clients may cache them but must revalidate each time, since the next version may differ. */
const headersOf = ({ etag }: Kept) => ({ etag, 'cache-control': 'no-cache' });

const pathOf = (url: string): string => url.split('?', 1)[0] ?? '';

/** One address per file: queries and encoded characters would create unlimited variants. */
const isPlain = (url: string): boolean => !/[?%]/.test(url);

async function bytesOf(payload: unknown): Promise<Buffer> {
  if (Buffer.isBuffer(payload)) return payload;
  if (typeof payload === 'string') return Buffer.from(payload);
  const pieces: Buffer[] = [];
  for await (const piece of payload as AsyncIterable<Buffer>) pieces.push(piece);
  return Buffer.concat(pieces);
}
