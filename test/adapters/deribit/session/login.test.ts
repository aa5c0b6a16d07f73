// The signatures of a login, by the venue's published vectors and by the public half of a key.
import { createHmac, generateKeyPairSync, verify } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  loginParams,
  signatureOf,
  signedHeader,
} from '../../../../src/adapters/deribit/session/login.ts';
import { instant } from '../../../../src/values/instant.ts';

const NOW = instant(1_576_074_319_000);
const KEY = { kind: 'deribit', clientId: 'id', clientSecret: 'AMANDASECRECT' } as const;

test('the published vectors are reproduced', () => {
  expect(signatureOf(KEY.clientSecret, '1576074319000\n1iqt2wls\n')).toBe(
    '56590594f97921b09b18f166befe0d1319b198bbcdad7ca73382de2f88fe9aa1',
  );
  const uri = '/api/v2/private/get_account_summary?currency=BTC';
  expect(signatureOf(KEY.clientSecret, `1576074319000\n1iqt2wls\nGET\n${uri}\n\n`)).toBe(
    '9bfbc51a2bc372d72cc396cf1a213dc78d42eb74cb7dc272351833ad0de276ab',
  );
});

test('a login is signed with a nonce of its own, and never carries the secret', () => {
  const options = { key: KEY, now: NOW, trades: true, host: 'test.deribit.com' };
  const [one, two] = [loginParams(options), loginParams(options)];
  expect(one).toMatchObject({ grant_type: 'client_signature', client_id: 'id', timestamp: NOW });
  expect(one['nonce']).not.toBe(two['nonce']);
  const text = `${NOW}\n${String(one['nonce'])}\n`;
  expect(one['signature']).toBe(createHmac('sha256', KEY.clientSecret).update(text).digest('hex'));
  expect(JSON.stringify(one)).not.toContain(KEY.clientSecret);
  expect(one['scope']).toContain('trade:read_write');
  expect(loginParams({ ...options, trades: false })['scope']).not.toContain('read_write');
});

test('an HTTP request is signed with its method, path and body', () => {
  const request = { method: 'POST', uri: '/api/v2/private/cancel_all', body: '{"id":1}' };
  const header = signedHeader(KEY, NOW, request);
  const [, fields = ''] = /^deri-hmac-sha256 (.*)$/.exec(header) ?? [];
  const named = Object.fromEntries(fields.split(',').map((one) => one.split('=', 2)));
  const text = `${NOW}\n${named.nonce}\n${request.method}\n${request.uri}\n${request.body}\n`;
  expect(named).toMatchObject({
    id: 'id',
    ts: String(NOW),
    sig: signatureOf(KEY.clientSecret, text),
  });
});

test.each([
  ['ed25519', 'EdDSA', () => generateKeyPairSync('ed25519')],
  ['EC', 'ES256', () => generateKeyPairSync('ec', { namedCurve: 'P-256' })],
] as const)(
  'an account hosted by Coinbase sends a short-lived token signed with its %s key',
  (_name, alg, generate) => {
    const { privateKey, publicKey } = generate();
    const key = {
      kind: 'coinbase',
      name: 'organizations/1/apiKeys/2',
      privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    } as const;
    const { grant_type, token } = loginParams({
      key,
      now: NOW,
      trades: true,
      host: 'drb.coinbase.com',
    });
    expect(grant_type).toBe('coinbase_cdp');
    const [header = '', claims = '', signature = ''] = String(token).split('.');
    const json = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString());
    expect(json(header)).toMatchObject({ alg, kid: key.name });
    expect(json(claims)).toMatchObject({ sub: key.name, nbf: 1_576_074_319, exp: 1_576_074_439 });
    const signed = Buffer.from(`${header}.${claims}`);
    const isGood = verify(
      alg === 'EdDSA' ? null : 'sha256',
      signed,
      { key: publicKey, dsaEncoding: 'ieee-p1363' },
      Buffer.from(signature, 'base64url'),
    );
    expect(isGood).toBe(true);
  },
);
