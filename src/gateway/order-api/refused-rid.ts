// The rid of a request that is refused before its method is asked, so that a client finds its answer by it as
// always. The body of a request that is not authenticated is read only where it says beforehand that it is small.
import type { FastifyRequest } from 'fastify';
import { MalformedJson, parseJson } from '../wire/json.ts';
import { NO_RID, type RidText, readBody } from './method-envelope.ts';

/** Enough for any single order; larger requests of strangers are answered without their rid. */
export const UNPROVEN_BODY_BYTES_MAX = 4_096;

/** `null` where the body names none, is no JSON, or may not be read. */
export async function ridOf(request: FastifyRequest): Promise<RidText> {
  const { body } = request;
  if (Buffer.isBuffer(body)) return ridIn(body);
  if (body !== undefined && body !== null) return ridOfInput(body);
  const bytes = await smallBody(request);
  return bytes === undefined ? NO_RID : ridIn(bytes);
}

function ridIn(bytes: Buffer): RidText {
  try {
    return ridOfInput(parseJson(bytes));
  } catch (error) {
    if (error instanceof MalformedJson) return NO_RID;
    throw error;
  }
}

function ridOfInput(input: unknown): RidText {
  const reading = readBody(input, '');
  return reading.kind === 'faulty' ? reading.rid : reading.request.rid;
}

/** The whole body where it is announced as small and arrives; the server's own limits bound the time. */
function smallBody({ raw, headers }: FastifyRequest): Promise<Buffer | undefined> {
  const announced = Number(headers['content-length'] ?? 0);
  const isSmall = announced > 0 && announced <= UNPROVEN_BODY_BYTES_MAX;
  if (!isSmall || raw.readableDidRead || raw.destroyed) return Promise.resolve(undefined);
  const pieces: Buffer[] = [];
  return new Promise((resolve) => {
    raw.on('data', (piece: Buffer) => pieces.push(piece));
    raw.once('end', () => resolve(Buffer.concat(pieces)));
    raw.once('close', () => resolve(undefined));
    raw.once('error', () => resolve(undefined));
  });
}
