// Whatever the text is, what arrives are its bytes in UTF-8, with the headers the reply had.

import fc from 'fast-check';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sendJsonText } from '../../src/gateway/send-text.ts';

const ended: number[] = [];
let app: FastifyInstance;
let text = '';
let url = '';
beforeAll(async () => {
  app = Fastify({ logger: false });
  app.addHook('onRequest', (_request, reply, done) => {
    void reply.header('cache-control', 'no-store');
    done();
  });
  app.addHook('onResponse', (_request, reply, done) => {
    ended.push(reply.statusCode);
    done();
  });
  app.get('/', (_request, reply) => sendJsonText(reply, text));
  url = await app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => app.close());

const TEXTS = fc.oneof(
  fc.string({ unit: 'grapheme-ascii', maxLength: 20_000 }),
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc.constantFrom('', 'é', 'naïve £', '€', '😀', `${'a'.repeat(16_384)}ÿ`, 'b'.repeat(40_000)),
);

test('the bytes of the text arrive, as many as said, and the request counts as answered', async () => {
  await fc.assert(
    fc.asyncProperty(TEXTS, async (sent) => {
      text = JSON.stringify(sent);
      ended.length = 0;
      const answer = await fetch(url);
      const bytes = Buffer.from(await answer.arrayBuffer());
      expect(bytes.equals(Buffer.from(text, 'utf8'))).toBe(true);
      expect(answer.headers.get('content-length')).toBe(String(bytes.length));
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(answer.headers.get('cache-control')).toBe('no-store');
      await expect.poll(() => ended, { interval: 1, timeout: 60_000 }).toEqual([200]);
    }),
    { numRuns: 200 },
  );
});
