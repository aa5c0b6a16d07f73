// Paths are taken as they are sent: no route needs percent-encoding, dot segments, doubled slashes or backslashes, and
// where they are refused nothing that looks at a path can be passed by writing it in another way.
import type { FastifyInstance } from 'fastify';
import { transportFault } from '../wire/envelope.ts';

/** Dot segments, empty segments, backslashes, and whatever is not visible ASCII. */
const ODD = /\/\.{1,2}(?:\/|$)|\/\/|[^!-~]|\\/;
/** What would make one of them, decoded once or more often. */
const ENCODED_ODD = /%(?:25|2e|2f|5c|[01][\da-f]|7f)/i;

export const pathOf = (url: string): string => url.split(/[?#]/, 1)[0] ?? '';

/** True for a path written in the one way there is. */
export const isPlainPath = (path: string): boolean => !path.includes('%') && !ODD.test(path);

/** True for a path below `encoded` whose segments may hold encoded characters, such as names of jobs. */
const isPlainBelow = (path: string, encoded: string): boolean =>
  path.startsWith(`${encoded}/`) && !ODD.test(path) && !ENCODED_ODD.test(path);

/** Answers 404 to every other path, whatever route it would have been decoded to. */
export function refuseEncodedPaths(app: FastifyInstance, encodedBelow: string): void {
  app.addHook('onRequest', (request, reply, done) => {
    const path = pathOf(request.raw.url ?? '');
    if (isPlainPath(path) || isPlainBelow(path, encodedBelow)) return done();
    void reply.code(404).send(transportFault('no_such_route', 'no such address'));
  });
}
