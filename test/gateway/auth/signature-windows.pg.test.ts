// Signed requests of every scheme over the window in which they are accepted, with their nonces claimed in the real ledger.
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  openPostgresLedger,
  type PostgresLedger,
} from '../../../src/adapters/postgres/postgres-ledger.ts';
import { requireClaimsCover } from '../../../src/gateway/auth/nonces.ts';
import { InvariantBroken } from '../../../src/values/assert.ts';
import { instant } from '../../../src/values/instant.ts';
import { createDatabase } from '../../support/daemon/services.ts';
import { GatewayUnderTest, TAKER } from '../gateway-under-test.ts';
import { BTC, RidStage } from '../order-api/rid-stage.ts';

let stage: RidStage;
let ledger: PostgresLedger;
let drop: () => Promise<void>;
beforeAll(async () => {
  stage = await RidStage.start();
  const database = await createDatabase();
  drop = database.drop;
  const now = () => instant(stage.gateway.nowMs);
  ledger = await openPostgresLedger({ connectionString: database.connectionString, now });
  stage.gateway.claims = ledger;
});
afterAll(async () => {
  await stage.close();
  await ledger.close();
  await drop();
});

interface Signed {
  readonly at: number;
  readonly nonce: string;
}

/** `deri-hmac-sha256`: lines of timestamp, nonce, method, path and body, signed with the text of the secret. */
async function orderOverDeribitsWire({ at, nonce }: Signed): Promise<string> {
  const target = `/api/v2/private/cancel_all_by_instrument?instrument_name=${BTC}`;
  const sig = createHmac('sha256', TAKER.secret)
    .update(`${at}\n${nonce}\nGET\n${target}\n\n`)
    .digest('hex');
  const headers = {
    Authorization: `deri-hmac-sha256 id=${TAKER.id},ts=${at},nonce=${nonce},sig=${sig}`,
  };
  const answer = (await (await fetch(stage.gateway.url + target, { headers })).json()) as {
    readonly result?: unknown;
    readonly error?: { readonly code: number };
  };
  if (answer.result !== undefined) return 'accepted';
  return { 13004: 'out of window', 13009: 'nonce used' }[answer.error?.code ?? 0] ?? String(answer);
}

const OWN_CODES: Readonly<Record<number, string>> = {
  40102: 'out of window',
  40103: 'nonce used',
};

/** The interface's own scheme: timestamp and nonce, signed with the bytes of the secret, as headers. */
async function listOverOurOwn({ at, nonce }: Signed): Promise<string> {
  const secret = Buffer.from(TAKER.secret, 'base64');
  const signature = createHmac('sha256', secret).update(`${at}\n${nonce}`).digest('base64');
  const headers = {
    Authorization: `Bearer ${TAKER.id}`,
    'Service-API-Timestamp': String(at),
    'Service-API-Nonce': nonce,
    'Service-API-Signature': signature,
  };
  const target = '/tt/broker/openapi/portfolios/page?accountId=10001';
  const { json } = await stage.gateway.request(target, { by: null, headers });
  return json.succ === true ? 'accepted' : (OWN_CODES[json.code] ?? JSON.stringify(json));
}

test.each([
  ['deri-hmac-sha256', orderOverDeribitsWire, 60_000],
  ['the headers of the interface', listOverOurOwn, 15_000],
])(
  'a request signed with %s is accepted once at both ends of its window, and never beyond',
  async (scheme, send, windowMs) => {
    for (const step of [0, 1, 2, 3]) {
      stage.gateway.nowMs += step * 31_000;
      const now = stage.gateway.nowMs;
      for (const offset of [-windowMs, -1, 0, 1, windowMs]) {
        const signed = { at: now + offset, nonce: `n${step}${offset}${scheme.length}` };
        expect([offset, await send(signed)]).toEqual([offset, 'accepted']);
        expect([offset, await send(signed)]).toEqual([offset, 'nonce used']);
      }
      for (const offset of [-windowMs - 1, windowMs + 1]) {
        const signed = { at: now + offset, nonce: `beyond${step}${offset}` };
        expect([offset, await send(signed)]).toEqual([offset, 'out of window']);
      }
      // Signed a window ahead and sent again at the last instant at which the timestamp is accepted.
      const ahead = { at: now + windowMs, nonce: `ahead${step}` };
      expect(await send(ahead)).toBe('accepted');
      stage.gateway.nowMs = now + 2 * windowMs;
      expect(await send(ahead)).toBe('nonce used');
      stage.gateway.nowMs += 1;
      expect(await send(ahead)).toBe('out of window');
    }
  },
);

test('a gateway does not start with a window of signatures that is longer than a nonce can be claimed', async () => {
  await expect(GatewayUnderTest.start({ signatureWindowMs: 62_501 })).rejects.toThrow(
    'signed requests: nonces within 62501 ms are kept for up to 130002 ms; a store keeps them for 130000 at most',
  );
  const gateway = await GatewayUnderTest.start({ signatureWindowMs: 62_500 });
  await gateway.close();
  expect(() => requireClaimsCover('a scheme', 62_501)).toThrow(InvariantBroken);
});
