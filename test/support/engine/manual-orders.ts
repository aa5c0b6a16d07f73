// Manual trading on an account of its own alongside a portfolio: an order that rests is entered, edited and cancelled,
// and one that trades trips the account's market maker protection, which stays frozen until it is reset.
import { setTimeout as sleep } from 'node:timers/promises';
import { signedHeaders } from '../../../src/gateway/auth/signed-stamp.ts';
import { type Client, connect } from '../../../src/gateway/client/client.ts';
import { must } from '../../../src/values/assert.ts';

const MAKER = {
  keyId: 'demo-maker',
  secret: 'dHdhcGQtZGVtby1tYWtlci1zZWNyZXQtMDEyMzQ1Njc4OQ==',
};
const PERPETUAL = { instrumentName: 'BTC-PERPETUAL', quantity: '1000' };
const INDEX = { indexName: 'btc_usd' } as const;
const MMP_FROZEN = 13030;

export const makerAt = ({ url }: { readonly url: string }): Client =>
  connect({ baseUrl: url, ...MAKER });

/** Runs one round; stops in the middle if the daemon dies. */
export async function tradeByHand(daemon: { readonly url: string }, round: number): Promise<void> {
  const client = makerAt(daemon);
  const resting = await enteredOnce(daemon.url, `resting-${round}`);
  if (resting !== undefined) {
    await client.call('private/edit', { orderId: resting, quantity: '1000', price: '20010' });
    await client.call('private/cancel', { orderId: resting });
  }
  await client.call('block/rfqs/set_mmp_config', {
    ...INDEX,
    interval: 60,
    frozenTime: 0,
    quantityLimit: '0.001',
  });
  await flagged(client, 1.005);
}

/** Enters an order with an idempotency key, so that its first reply is stored; `undefined` if there is no order. */
async function enteredOnce(url: string, key: string): Promise<string | undefined> {
  const target = '/api/private/buy';
  const body = JSON.stringify({ ...PERPETUAL, price: '20000', label: key });
  const bound = { method: 'POST', target, body: Buffer.from(body) };
  const headers = {
    ...signedHeaders(MAKER, Date.now(), bound),
    'Content-Type': 'application/json',
    'Idempotency-Key': key,
  };
  const answer = await fetch(url + target, { method: 'POST', headers, body });
  const { result } = (await answer.json()) as {
    readonly result?: { readonly order: { readonly orderId: string } };
  };
  return result?.order.orderId;
}

/** Enters a flagged order at `factor` times the mark price; returns the code of a refusal. */
async function flagged(client: Client, factor: number): Promise<number | undefined> {
  const ticker = await client.call('public/ticker', { instrumentName: PERPETUAL.instrumentName });
  if (ticker.kind !== 'done') return undefined;
  const price = String(Math.round(Number(must(ticker.value.markPrice, 'no mark')) * factor));
  const timeInForce = 'immediate_or_cancel';
  const answer = await client.call('private/buy', { ...PERPETUAL, price, timeInForce, mmp: true });
  return answer.kind === 'refused' ? answer.code : undefined;
}

/** The trade that tripped the group counts in every process: flagged orders are refused until it is reset. */
export async function staysFrozen(client: Client): Promise<void> {
  while ((await flagged(client, 0.9)) !== MMP_FROZEN) await sleep(50);
  while ((await client.call('private/reset_mmp', INDEX)).kind !== 'done') await sleep(50);
}
