// Finds the rid of a request that is refused before its method runs, so that the client can match the refusal
// to its request. The body of an unauthenticated request is read only if its announced size is small.
import type { FastifyRequest } from 'fastify';
import { MalformedJson, parseJson } from '../wire/json.ts';
import { NO_RID, type RidText, readBody } from './method-envelope.ts';

/** Large enough for any single order; larger unauthenticated requests are answered without their rid. */
export const UNPROVEN_BODY_BYTES_MAX = 4_096;

/** `null` if the body has no rid, is not JSON, or may not be read. */
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

/** The whole body if it is announced as small and arrives; the server's own limits bound the time. */
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
