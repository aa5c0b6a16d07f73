import { afterEach, describe, expect, it } from 'vitest';
import { ANSWERS_KEPT_MS } from '../../../src/gateway/http/idempotency.ts';
import { LedgerFailure } from '../../../src/ports/ledger.ts';
import { GatewayUnderTest, perpetualBody, STRANGER, TAKER } from '../gateway-under-test.ts';
import { BTC, RidStage } from '../order-api/rid-stage.ts';

let gateway: GatewayUnderTest;
let close: () => Promise<void>;
afterEach(() => close());

const keyed = (key: string) => ({ 'Idempotency-Key': key });

describe('a submit with an Idempotency-Key', () => {
  const start = async (): Promise<void> => {
    gateway = await GatewayUnderTest.start();
    close = gateway.close;
  };

  it('a submit with an Idempotency-Key is executed once; a repetition gets the first answer, including mirrors', async () => {
    await start();
    const body = perpetualBody({ sendToDummyAccountIds: [20001] });
    const first = await gateway.submit(body, { headers: keyed('k') });
    const again = await gateway.submit(body, { headers: keyed('k') });
    expect(first.json.value.mirrorPortfolioIds).toHaveLength(1);
    expect(again.json).toEqual(first.json);
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(gateway.operations.forms).toHaveLength(1);
  });

  it('a submit with an Idempotency-Key is recognised as a repetition regardless of field order', async () => {
    await start();
    const { accountId, ...rest } = perpetualBody();
    const first = await gateway.submit({ accountId, ...rest }, { headers: keyed('k') });
    const again = await gateway.submit({ ...rest, accountId }, { headers: keyed('k') });
    expect(again.json).toEqual(first.json);
  });

  it('a submit with an Idempotency-Key is refused with 409 and the name of the header if the body differs', async () => {
    await start();
    await gateway.submit(perpetualBody(), { headers: keyed('k') });
    const body = perpetualBody({ customizedNote: 'another' });
    const other = await gateway.submit(body, { headers: keyed('k') });
    expect(other.status).toBe(409);
    expect(other.json).toMatchObject({ succ: false, code: 40902, value: null });
    expect(other.json.errors[0].field).toBe('Idempotency-Key');
    expect(gateway.operations.forms).toHaveLength(1);
  });

  it('a submit with an Idempotency-Key is executed once if many arrive at the same time', async () => {
    await start();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => gateway.submit(perpetualBody(), { headers: keyed('k') })),
    );
    expect(new Set(answers.map(({ json }) => json.value.portfolioId)).size).toBe(1);
    expect(gateway.operations.forms).toHaveLength(1);
  });

  it('a submit with an Idempotency-Key that was refused may be sent again with the same key', async () => {
    await start();
    const refused = perpetualBody({ customizedNote: 'refuse me' });
    expect((await gateway.submit(refused, { headers: keyed('k') })).json.succ).toBe(false);
    expect((await gateway.submit(perpetualBody(), { headers: keyed('k') })).json.succ).toBe(true);
  });

  it('a submit with an Idempotency-Key is not mixed up with the same idempotency key of another API key', async () => {
    await start();
    const first = await gateway.submit(perpetualBody(), { headers: keyed('k') });
    const body = perpetualBody({ accountId: 10002 });
    const { json } = await gateway.submit(body, { headers: keyed('k'), by: STRANGER });
    expect(json.succ).toBe(true);
    expect(json.value.portfolioId).not.toBe(first.json.value.portfolioId);
  });

  it('a submit with an Idempotency-Key returns the same portfolio forever, even after its stored answer has expired', async () => {
    await start();
    const first = await gateway.submit(perpetualBody(), { headers: keyed('k') });
    gateway.nowMs += ANSWERS_KEPT_MS;
    const again = await gateway.submit(perpetualBody(), { headers: keyed('k') });
    expect(again.json.value.portfolioId).toBe(first.json.value.portfolioId);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });

  it('a submit with an Idempotency-Key gets its first answer from the ledger if the stored one was lost', async () => {
    await start();
    gateway.kept.keep = () => Promise.reject(new LedgerFailure('away', true));
    const first = await gateway.submit(perpetualBody(), { headers: keyed('k') });
    expect(gateway.reported).toHaveLength(1);
    const again = await gateway.submit(perpetualBody(), { headers: keyed('k') });
    expect(again.json.value.portfolioId).toBe(first.json.value.portfolioId);
    expect(gateway.operations.forms).toHaveLength(1);
  });

  it('a submit with an Idempotency-Key is refused while keys cannot be looked up', async () => {
    await start();
    gateway.kept.claim = () => Promise.reject(new LedgerFailure('away', false));
    const { status } = await gateway.submit(perpetualBody(), { headers: keyed('k') });
    expect(status).toBe(503);
    expect(gateway.operations.forms).toHaveLength(0);
  });
});

describe('an order with an idempotency key', () => {
  let stage: RidStage;
  const start = async (): Promise<void> => {
    stage = await RidStage.start();
    close = () => stage.close();
  };
  const order = async (changes: object = {}) => ({
    instrumentName: BTC,
    quantity: '100',
    price: await stage.restingPrice('buy'),
    ...changes,
  });
  const open = async (): Promise<number> =>
    (await stage.post('private/get_open_orders', {})).result.length;

  it('an order with an idempotency key is placed once; a repetition gets the first answer', async () => {
    await start();
    const params = await order({ idempotencyKey: 'k' });
    const first = await stage.post('private/buy', params);
    const again = await stage.post('private/buy', params);
    expect(first.status).toBe(200);
    expect(again).toEqual(first);
    expect(await open()).toBe(1);
  });

  it('an order with an idempotency key may have its key in the header', async () => {
    await start();
    const params = JSON.stringify(await order());
    const request = (headers: Readonly<Record<string, string>>) =>
      stage.gateway.request('/api/private/buy', { raw: params, headers, by: TAKER });
    const first = await request(keyed('k'));
    expect((await request(keyed('k'))).json).toEqual(first.json);
    expect((await request(keyed('k 1'))).json.error.data.param).toBe('idempotencyKey');
    expect(await open()).toBe(1);
  });

  it('an order with an idempotency key is refused with 409 if the order differs', async () => {
    await start();
    const params = await order({ idempotencyKey: 'k' });
    await stage.post('private/buy', params);
    for (const [method, changes] of [
      ['private/buy', { quantity: '200' }],
      ['private/sell', {}],
    ] as const) {
      expect(await stage.post(method, { ...params, ...changes })).toMatchObject({
        status: 409,
        error: {
          code: 40902,
          message: 'idempotency_key_reused',
          data: { param: 'idempotencyKey' },
        },
      });
    }
    expect(await open()).toBe(1);
  });

  it('an order with an idempotency key is not sent again if the outcome of the first is unknown', async () => {
    await start();
    const params = await order({ idempotencyKey: 'k' });
    stage.gateway.kept.keep = () => Promise.reject(new LedgerFailure('away', true));
    await stage.post('private/buy', params);
    expect(await stage.post('private/buy', params)).toMatchObject({
      status: 503,
      error: { data: { reason: expect.stringContaining('query its order') } },
    });
    expect(await open()).toBe(1);
  });

  it('an order with an idempotency key is not placed while keys cannot be looked up', async () => {
    await start();
    stage.gateway.kept.claim = () => Promise.reject(new LedgerFailure('away', false));
    const answer = await stage.post('private/buy', await order({ idempotencyKey: 'k' }));
    expect(answer).toMatchObject({ status: 503, error: { code: 10040 } });
    expect(await open()).toBe(0);
  });

  it('an order with an idempotency key that was refused may be sent again with the same key', async () => {
    await start();
    const wrong = await order({ idempotencyKey: 'k', quantity: '1' });
    expect((await stage.post('private/buy', wrong)).error).toBeDefined();
    const right = await order({ idempotencyKey: 'k' });
    expect((await stage.post('private/buy', right)).status).toBe(200);
  });

  it('an order with an idempotency key is refused if the header and the param differ', async () => {
    await start();
    const raw = JSON.stringify(await order({ idempotencyKey: 'a' }));
    const { json } = await stage.gateway.request('/api/private/buy', { raw, headers: keyed('b') });
    expect(json.error.data).toMatchObject({ param: 'idempotencyKey' });
  });
});
