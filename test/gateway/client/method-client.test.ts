// The client that follows channels, against a scripted daemon: how it ends, and what its caller learns.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { followChannels } from '../../../src/gateway/client/channel-client.ts';
import { closeReason } from '../../../src/gateway/wire/close-socket.ts';

const BYTES_MAX = 123;
let server: WebSocketServer | undefined;

afterEach(async () => {
  const closing = server;
  server = undefined;
  if (closing === undefined) return;
  for (const client of closing.clients) client.terminate();
  await new Promise((done) => closing.close(done));
});

/** What a client that follows one channel reports when the daemon answers its first frame like this. */
async function followed(
  answer: (socket: WebSocket) => void,
  onGranted: () => void = () => undefined,
) {
  const daemon = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  server = daemon;
  const closed = new Promise<string>((done) => {
    daemon.on('connection', (socket) => {
      socket.once('message', () => answer(socket));
      socket.once('close', (code, reason) => done(`${code} ${reason}`));
    });
  });
  await once(daemon, 'listening');
  const { port } = daemon.address() as AddressInfo;
  const why = await followChannels(
    { baseUrl: `http://127.0.0.1:${port}`, keyId: 'key', secret: 'c2VjcmV0' },
    {
      channels: ['rfq'],
      accountId: '10001',
      onGranted,
      onMessage: () => undefined,
    },
  );
  return { why, closed: await closed };
}

const refusal = (message: string): string =>
  JSON.stringify({ rid: 'subscribe', error: { code: 1, message } });

describe('a subscription that the daemon refuses', () => {
  test.each([
    ['short', 'not allowed'],
    ['of exactly as many bytes as a close frame holds', 'x'.repeat(BYTES_MAX)],
    ['of one byte more', 'x'.repeat(BYTES_MAX + 1)],
    ['long, in characters of two, three and four bytes', 'ä€😀'.repeat(100)],
  ])(
    'a subscription that the daemon refuses ends with the whole message, which is %s',
    async (_how, message) => {
      const { why, closed } = await followed((socket) => socket.send(refusal(message)));
      expect(why).toBe(message);
      expect(closed).toBe(`1000 ${closeReason(message)}`);
    },
  );
});

test.each(['no JSON', '[1', '"text"', '7'])(
  'a frame of the daemon that is %s ends the following with a reason',
  async (frame) => {
    const { why, closed } = await followed((socket) => socket.send(frame));
    expect(why).toContain('the daemon sent a frame');
    expect(closed).toMatch(/^1007 /);
  },
);

test('an error that the caller throws at a frame ends the subscription, and is thrown on', async () => {
  const granted = JSON.stringify({ rid: 'subscribe', result: [] });
  const following = followed(
    (socket) => socket.send(granted),
    () => {
      throw new Error('no channel');
    },
  );
  await expect(following).rejects.toThrow('no channel');
});

describe('the reason of a close frame', () => {
  const anyText = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200, size: 'max' }),
    fc.string({ unit: fc.constantFrom('a', 'ä', '€', '😀'), maxLength: 200, size: 'max' }),
  );

  test('the reason of a close frame fits into the frame, breaks no character and is the beginning of the text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const reason = closeReason(text);
        expect(Buffer.byteLength(reason)).toBeLessThanOrEqual(BYTES_MAX);
        if (Buffer.byteLength(text) <= BYTES_MAX) {
          expect(reason).toBe(text);
          return;
        }
        expect(reason.endsWith('…')).toBe(true);
        const kept = reason.slice(0, -1);
        expect(text.startsWith(kept)).toBe(true);
        // One character more would not have fitted.
        const next = [...text.slice(kept.length)][0] ?? '';
        expect(Buffer.byteLength(`${kept}${next}…`)).toBeGreaterThan(BYTES_MAX);
      }),
    );
  });
});
