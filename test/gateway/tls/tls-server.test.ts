// TLS at the gateway's own port, over real sockets: who trusts it, whom it admits, keys bound to a certificate, renewal.
import { mkdtempSync, rmSync } from 'node:fs';
import { request as plainRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Client, type ClientTls, connect } from '../../../src/gateway/client/client.ts';
import { DEFAULT_LIMITS } from '../../../src/gateway/limits/limits.ts';
import { plainFingerprint, type ServerTls } from '../../../src/gateway/tls/tls-server.ts';
import { Authority, type Certified, LOCAL_NAMES } from '../../support/certificates/certificates.ts';
import { GatewayUnderTest, READER, TAKER } from '../gateway-under-test.ts';

let folder: string;
let ours: Authority;
let strangers: Authority;
let served: Certified;
let desk: Certified;
let other: Certified;
let foreign: Certified;
let gateway: GatewayUnderTest | undefined;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'twapd-tls-'));
  ours = new Authority(folder, 'ours');
  strangers = new Authority(folder, 'strangers');
  served = ours.certify('gateway', { names: LOCAL_NAMES });
  [desk, other, foreign] = [ours.certify('desk'), ours.certify('other'), strangers.certify('desk')];
});
afterEach(async () => {
  await gateway?.close();
  gateway = undefined;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const serving = (one: Certified, ca?: string): ServerTls => ({ cert: one.cert, key: one.key, ca });

async function started(tls: ServerTls): Promise<GatewayUnderTest> {
  gateway = await GatewayUnderTest.start({}, { tls });
  gateway.url = gateway.url.replace('http:', 'https:');
  return gateway;
}

/** A client of the key, at another name of the gateway where one is given. */
function clientOf(of: GatewayUnderTest, tls?: ClientTls, key = TAKER, host = '127.0.0.1'): Client {
  const baseUrl = of.url.replace('127.0.0.1', host);
  return connect({ baseUrl, keyId: key.id, secret: key.secret, now: () => of.nowMs, tls });
}

const outcome = async (client: Client): Promise<string> => {
  const answer = await client.page({ accountId: TAKER.accounts[0] ?? '' });
  return answer.kind === 'unreachable' ? `unreachable ${answer.message}` : answer.kind;
};

/** How the portfolio stream of the client begins. */
async function firstOf(client: Client): Promise<string> {
  for await (const item of client.watch('all')) return item.kind;
  return 'nothing';
}

describe('without certificates of clients', () => {
  test('REST, order methods and the stream are served to a client that trusts the authority', async () => {
    const client = clientOf(await started(serving(served)), { ca: ours.cert });
    expect(await outcome(client)).toBe('done');
    expect((await client.health()).kind).toBe('done');
    const method = await client.call('public/status');
    expect(['done', 'refused']).toContain(method.kind);
    expect(await firstOf(client)).toBe('listening');
  });

  test('a client that does not trust the authority sends nothing', async () => {
    const at = await started(serving(served));
    expect(await outcome(clientOf(at))).toMatch(/^unreachable .*(certificate|issuer|self)/);
    expect(await outcome(clientOf(at, { ca: strangers.cert }))).toMatch(/^unreachable/);
    expect(at.nonces.size).toBe(0);
  });

  test('a certificate of other names is refused by the client, unless it knows that very certificate', async () => {
    const elsewhere = ours.certify('elsewhere', { names: 'DNS:twap.desk.example' });
    const at = await started(serving(elsewhere));
    expect(await outcome(clientOf(at, { ca: ours.cert }))).toMatch(/^unreachable .*127\.0\.0\.1/);
    expect(await outcome(clientOf(at, { known: elsewhere.cert }))).toBe('done');
    expect(await firstOf(clientOf(at, { known: elsewhere.cert }))).toBe('listening');
    expect(await outcome(clientOf(at, { known: served.cert }))).toMatch(/^unreachable/);
  });

  test('plain HTTP at the port gets no answer', async () => {
    const at = await started(serving(served));
    const answered = new Promise<string>((resolve) => {
      const sent = plainRequest(at.url.replace('https:', 'http:'), () => resolve('answered'));
      sent.once('error', () => resolve('refused'));
      sent.end();
    });
    expect(await answered).toBe('refused');
  });

  test('versions before TLS 1.2 are refused', async () => {
    const port = Number(new URL((await started(serving(served))).url).port);
    const old = connectTls({
      port,
      host: '127.0.0.1',
      rejectUnauthorized: false,
      maxVersion: 'TLSv1.1',
      minVersion: 'TLSv1',
      ciphers: 'DEFAULT@SECLEVEL=0',
    });
    const how = await new Promise((resolve) => {
      old.once('secureConnect', () => resolve('connected'));
      old.once('error', () => resolve('refused'));
    });
    old.destroy();
    expect(how).toBe('refused');
  });

  test('limits of connections hold, also before the handshake', async () => {
    const { address } = DEFAULT_LIMITS;
    gateway = await GatewayUnderTest.start(
      { address: { ...address, connectionsMax: 2 } },
      { tls: serving(served) },
    );
    const port = Number(new URL(gateway.url).port);
    const held = [1, 2, 3].map(() => connectTls({ port, host: '127.0.0.1', ca: ours.cert }));
    const ends = await Promise.all(
      held.map(
        (socket) =>
          new Promise<string>((resolve) => {
            socket.once('secureConnect', () => resolve('connected'));
            socket.once('error', () => resolve('refused'));
            socket.once('close', () => resolve('refused'));
          }),
      ),
    );
    for (const socket of held) socket.destroy();
    expect(ends.toSorted()).toEqual(['connected', 'connected', 'refused']);
  });
});

describe('with certificates of clients', () => {
  const own = ({ cert, key }: Certified): ClientTls => ({ ca: ours.cert, cert, key });

  test('only a client with a certificate of the authority gets an answer, to anything', async () => {
    const at = await started(serving(served, ours.cert));
    expect(await outcome(clientOf(at, own(desk)))).toBe('done');
    expect(await firstOf(clientOf(at, own(desk)))).toBe('listening');
    for (const tls of [{ ca: ours.cert }, own(foreign)]) {
      expect(await outcome(clientOf(at, tls))).toMatch(/^unreachable/);
      expect((await clientOf(at, tls).health()).kind).toBe('unreachable');
    }
  });

  test('a key that is bound to a certificate is refused with another one, over HTTP and WebSocket', async () => {
    const at = await started(serving(served, ours.cert));
    at.keys.set(TAKER.id, { ...TAKER, certificate: plainFingerprint(desk.fingerprint) });
    expect(await outcome(clientOf(at, own(desk)))).toBe('done');
    expect(await firstOf(clientOf(at, own(desk)))).toBe('listening');
    expect(await outcome(clientOf(at, own(other)))).toBe('refused');
    expect(await firstOf(clientOf(at, own(other)))).toBe('ended');
    // A key without a binding may be used with either.
    const reader = await clientOf(at, own(other), READER).page({ accountId: '10001' });
    expect(reader.kind).toBe('done');
  });

  test('a bound key is refused without TLS, and behind a proxy that shares its connection', async () => {
    const certificate = plainFingerprint(desk.fingerprint);
    const plain = await GatewayUnderTest.start();
    plain.keys.set(TAKER.id, { ...TAKER, certificate });
    expect(await outcome(clientOf(plain))).toBe('refused');
    await plain.close();
    gateway = await GatewayUnderTest.start(
      {},
      { tls: serving(served, ours.cert), trustedProxies: ['127.0.0.1'] },
    );
    gateway.url = gateway.url.replace('http:', 'https:');
    gateway.keys.set(TAKER.id, { ...TAKER, certificate });
    expect(await outcome(clientOf(gateway, own(desk)))).toBe('refused');
  });
});

describe('renewal', () => {
  test('new connections get the new certificate, and open ones stay', async () => {
    const renewed = ours.certify('gateway', { names: LOCAL_NAMES });
    const at = await started(serving(served));
    const port = Number(new URL(at.url).port);
    const shown = (): Promise<string> =>
      new Promise((resolve, reject) => {
        const socket = connectTls({ port, host: '127.0.0.1', ca: ours.cert }, () => {
          resolve(socket.getPeerCertificate().fingerprint256);
          socket.destroy();
        });
        socket.once('error', reject);
      });
    const before = clientOf(at, { ca: ours.cert });
    const stream = before.watch('all');
    await stream.next();
    expect(await shown()).toBe(served.fingerprint);
    at.renew(serving(renewed));
    expect(await shown()).toBe(renewed.fingerprint);
    await stream.return();
    expect(await outcome(before)).toBe('done');
  });
});
