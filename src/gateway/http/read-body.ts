// Reads bodies as bytes, up to the limit of the route. When a signed request is admitted, its body has usually
// been received already; it is then read without listeners and without a copy.
import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';

type Done = (error: Error | null, body?: Buffer) => void;

/** Creates an error for a body, with the code Fastify uses for it. */
export const bodyFault = (code: string, statusCode: number): Error =>
  Object.assign(new Error(code), { code, statusCode });

const tooLarge = (): Error => bodyFault('FST_ERR_CTP_BODY_TOO_LARGE', 413);
const BROKEN = 400;

/** Calls `done` once, with the whole body or with an error. */
export function readBody(request: FastifyRequest, payload: IncomingMessage, done: Done): void {
  const { bodyLimit } = request.routeOptions;
  const announced = Number(request.headers['content-length']);
  if (announced > bodyLimit) return done(tooLarge());
  const first = payload.read() as Buffer | null;
  if (first !== null && first.length === announced) return done(null, first);
  gather(payload, { first, bodyLimit, done });
}

interface Gathering {
  readonly first: Buffer | null;
  readonly bodyLimit: number;
  readonly done: Done;
}

/** Collects a body that arrives in chunks or without a Content-Length. */
function gather(payload: IncomingMessage, { first, bodyLimit, done }: Gathering): void {
  const pieces: Buffer[] = [];
  let length = 0;
  const end = (error: Error | null, body?: Buffer): void => {
    payload.off('data', take).off('end', whole).off('error', broken);
    done(error, body);
  };
  const take = (piece: Buffer): void => {
    length += piece.length;
    if (length > bodyLimit) return end(tooLarge());
    pieces.push(piece);
  };
  const whole = (): void => end(null, Buffer.concat(pieces, length));
  const broken = (error: Error): void => end(Object.assign(error, { statusCode: BROKEN }));
  payload.on('data', take).on('end', whole).on('error', broken);
  if (first !== null) take(first);
}
