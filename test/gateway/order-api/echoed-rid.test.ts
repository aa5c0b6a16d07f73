// A refusal identifies its request: the rid is echoed even if the method never ran.
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { METHODS } from '../../../src/gateway/order-api/method-table.ts';
import { UNPROVEN_BODY_BYTES_MAX } from '../../../src/gateway/order-api/refused-rid.ts';
import { until } from '../../adapters/until.ts';
import { BOUND, NOTHING, READER } from '../gateway-under-test.ts';
import { RidClient } from './rid-client.ts';
import { RidStage } from './rid-stage.ts';

let stage: RidStage;
beforeAll(async () => {
  stage = await RidStage.start();
});
afterAll(() => stage.close());

const PRIVATE = [...METHODS.values()].filter(
  ({ needs, isWebSocketOnly }) => needs !== 'nothing' && !isWebSocketOnly,
);
const frame = (rid: unknown, more: Readonly<Record<string, unknown>> = {}): string =>
  JSON.stringify({ rid, params: {}, ...more });

describe('a long list of instruments', () => {
  const method = 'public/get_instruments';
  const params = { currency: 'BTC', kind: 'option' };

  test.each(['plain', 'é', 'ﷺ', '\u{1F680}'])(
    'a long list of instruments is returned completely with the rid %s',
    async (rid) => {
      const client = await RidClient.connect(stage, null);
      // Twice: first serialised, then from the cache.
      for (const _ of [1, 2]) {
        const { result, rid: echoed } = await stage.raw(method, frame(rid, { params }));
        expect(echoed).toBe(rid);
        expect(result.length).toBeGreaterThan(100);
        client.socket.send(frame(rid, { method, params }));
        await until(() => client.frames.some((one) => one.rid === rid));
        expect(client.frames.pop()).toEqual({ rid, result });
      }
      client.socket.close();
    },
  );
});

describe('a request refused before its method runs', () => {
  test.each(PRIVATE.map(({ name }) => name))(
    'a request to %s that is refused before its method runs is answered 401 or 403 with its rid',
    async (name) => {
      const unsigned = await stage.raw(name, frame(41), null);
      expect(unsigned).toMatchObject({ status: 401, rid: 41 });
      const other = await stage.raw(name, frame('by-text'), NOTHING);
      expect(other).toMatchObject({ status: 403, rid: 'by-text' });
    },
  );

  test('a request refused before its method runs is answered with its rid if the signature covers the body too', async () => {
    const forged = { ...BOUND, secret: READER.secret };
    expect(await stage.raw('private/buy', frame(7), forged)).toMatchObject({ status: 401, rid: 7 });
    const scoped = await stage.raw('block/rfqs/create_rfq', frame(8), BOUND);
    expect(scoped).toMatchObject({ status: 403, rid: 8 });
  });

  test('a request refused before its method runs is answered with rid null if the body has no rid, is not JSON or has an invalid rid', async () => {
    for (const body of ['{}', '{"instrumentName":"BTC-PERPETUAL"}', '{"rid":', '[1]', frame([1])]) {
      expect(await stage.raw('private/buy', body, null), body).toMatchObject({
        status: 401,
        rid: null,
      });
    }
  });

  test('a request refused before its method runs is answered without its rid if an unauthenticated body is announced as large', async () => {
    const large = frame(9, { params: { label: 'x'.repeat(UNPROVEN_BODY_BYTES_MAX) } });
    const unsigned = await stage.raw('private/buy', large, null);
    expect(unsigned).toMatchObject({ status: 401, rid: null });
    const small = frame(9, { params: { label: 'x'.repeat(UNPROVEN_BODY_BYTES_MAX - 100) } });
    expect(await stage.raw('private/buy', small, null)).toMatchObject({ status: 401, rid: 9 });
  });

  test('a request refused before its method runs is answered without waiting for a body of unannounced length', async () => {
    const answer = await new Promise<string>((resolve, reject) => {
      const url = `${stage.gateway.url}/api/private/buy`;
      const headers = { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' };
      const asking = request(url, { method: 'POST', headers }, (response) => {
        let text = '';
        response.on('data', (piece: Buffer) => {
          text += piece.toString();
        });
        response.on('end', () => {
          asking.destroy();
          resolve(text);
        });
      });
      asking.on('error', reject);
      asking.write('{"rid":');
    });
    expect(JSON.parse(answer)).toMatchObject({ rid: null, error: { code: 13009 } });
  });
});
