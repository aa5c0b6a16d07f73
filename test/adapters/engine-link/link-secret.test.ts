// The secret of links, computed a second time from the definitions of HKDF (RFC 5869) and HMAC, and what a copy of the database
// gives without the key.
import { createHmac, randomBytes } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import { LinkPeers } from '../../../src/adapters/engine-link/link-peers.ts';
import { linkKeyOf, linkSecretOf } from '../../../src/adapters/engine-link/link-secret.ts';
import { openLinkServer } from '../../../src/adapters/engine-link/link-server.ts';
import { PeerUnreached } from '../../../src/ports/deployment/engine-peers.ts';

const MASTER = 'bWFzdGVyIHNlY3JldCBvZiBhIHRlc3QsIDMyIGJ5dGVzIQ==';
const OTHER_MASTER = 'YW5vdGhlciBtYXN0ZXIgc2VjcmV0LCBhbHNvIDMyIGJ5dGVz';
const STORED = 'Zr3vGv3yQqkqzqzvJm1wY0bq0m0n1vYxS1m7c1w3nXk';

const hmac = (key: Uint8Array, ...data: readonly (string | Uint8Array)[]): Buffer => {
  const mac = createHmac('sha256', key);
  for (const one of data) mac.update(one);
  return mac.digest();
};

test('the key of links is the first block of HKDF without salt, over the bytes of the master secret', () => {
  const extracted = hmac(new Uint8Array(32), Buffer.from(MASTER, 'base64'));
  const block = hmac(extracted, 'twapd engine link v1', Uint8Array.of(1));
  expect(linkKeyOf(MASTER)).toBe(block.toString('base64'));
});

test('the secret is the MAC of the stored text under the bytes of the key', () => {
  const key = Buffer.from([...Array(32).keys()]);
  expect(linkSecretOf(STORED, key.toString('base64'))).toBe(
    hmac(key, STORED).toString('base64url'),
  );
});

test('without a key the stored text is the secret', () => {
  expect(linkSecretOf(STORED, undefined)).toBe(STORED);
});

describe('two parts of one database', () => {
  const opened: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close();
  });

  /** Calls a part that derives from one master secret from a part that derives from the other. */
  async function called(asking: string | undefined, answering: string | undefined) {
    const faults: string[] = [];
    const onFault = (error: unknown): void => void faults.push(String(error));
    const secretOf = (master: string | undefined): string =>
      linkSecretOf(STORED, master && linkKeyOf(master));
    const server = await openLinkServer({
      host: '127.0.0.1',
      port: 0,
      secret: secretOf(answering),
      onFault,
      answer: () => Promise.resolve('answered'),
    });
    const peers = new LinkPeers({ secret: secretOf(asking), onFault, openMs: 60_000 });
    opened.push(peers, server);
    const [call] = await Promise.allSettled([
      peers.call(server.address, { method: 'orders.place', text: '[]' }),
    ]);
    return { call, faults };
  }

  test.each([
    ['the same master secret', MASTER, MASTER],
    ['no master secret', undefined, undefined],
  ])('with %s at both ends reach each other', async (_, asking, answering) => {
    const { call, faults } = await called(asking, answering);
    expect(call).toEqual({ status: 'fulfilled', value: 'answered' });
    expect(faults).toEqual([]);
  });

  test.each([
    ['another master secret at one end', MASTER, OTHER_MASTER],
    [
      'a master secret at the answering end alone, as somebody with a copy of the database',
      undefined,
      MASTER,
    ],
    ['a master secret at the asking end alone', MASTER, undefined],
    ['a master secret and one of random bytes', MASTER, randomBytes(32).toString('base64')],
  ])(
    'with %s refuse each other, and the reported fault names what to set',
    async (_, asking, answering) => {
      const { call, faults } = await called(asking, answering);
      expect(call).toMatchObject({ status: 'rejected', reason: expect.any(PeerUnreached) });
      expect(faults).toHaveLength(1);
      expect(faults[0]).toContain('does not know the secret of this deployment; accepted:');
      for (const name of ['TWAPD_KEYS_SECRET', 'gateway.keysSecret', 'TWAPD_LINK_KEY']) {
        expect(faults[0]).toContain(name);
      }
    },
  );
});
