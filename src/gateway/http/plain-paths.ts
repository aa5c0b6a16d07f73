// Accepts only canonical paths. No route needs percent-encoding, dot segments, doubled slashes or backslashes,
// and refusing them prevents a path check from being bypassed by a different spelling.
import type { FastifyInstance } from 'fastify';
import { transportFault } from '../wire/envelope.ts';

/** Matches dot segments, empty segments, backslashes and any character that is not visible ASCII. */
const ODD = /\/\.{1,2}(?:\/|$)|\/\/|[^!-~]|\\/;
/** Matches encodings that yield one of them when decoded once or repeatedly. */
const ENCODED_ODD = /%(?:25|2e|2f|5c|[01][\da-f]|7f)/i;

export const pathOf = (url: string): string => url.split(/[?#]/, 1)[0] ?? '';

/** Whether a path is in canonical form. */
export const isPlainPath = (path: string): boolean => !path.includes('%') && !ODD.test(path);

/** Whether a path is below `encoded`, where segments may hold encoded characters, such as names of jobs. */
const isPlainBelow = (path: string, encoded: string): boolean =>
  path.startsWith(`${encoded}/`) && !ODD.test(path) && !ENCODED_ODD.test(path);

/** Answers 404 to every other path, whichever route it would decode to. */
export function refuseEncodedPaths(app: FastifyInstance, encodedBelow: string): void {
  app.addHook('onRequest', (request, reply, done) => {
    const path = pathOf(request.raw.url ?? '');
    if (isPlainPath(path) || isPlainBelow(path, encodedBelow)) return done();
    void reply.code(404).send(transportFault('no_such_route', 'no such address'));
  });
}
