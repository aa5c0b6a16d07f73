// A residual RFQ in the real daemon: the market makers of the paper market quote, one of them trades, and a kill -9
// in between does not change that it is requested once and booked once.

import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { signedHeaders } from '../../src/gateway/auth/signed-stamp.ts';
import type { PortfolioBody } from '../../src/gateway/client/client.ts';
import type { PortfolioRecord } from '../../src/gateway/portfolios/record-schema.ts';
import { type Daemon, daemonFiles, startDaemon } from '../support/daemon/daemon-process.ts';

const KEY = {
  keyId: 'demo-taker',
  secret: 'dHdhcGQtZGVtby10YWtlci1zZWNyZXQtMDEyMzQ1Njc4OQ==',
};
const SIZE = '250000';
const files = daemonFiles('erfq');
let daemon: Daemon | undefined;

afterEach(async () => {
  await daemon?.end('SIGTERM');
  daemon = undefined;
});
afterAll(() => files.remove());

const body = (rfq: object): PortfolioBody => ({
  accountId: 10001,
  portfolioType: 'TWAP',
  twapTrade: { durationSec: 10, frequencySec: 5 },
  legs: [
    {
      instrument: 'BTC-PERPETUAL',
      instrumentType: 'PERPETUAL',
      side: 1,
      quantity: SIZE,
      // So far below the market that no slice fills.
      priceOptions: { priceType: 'LIMIT', price: '20000', priceIn: 'USD' },
    },
  ],
  execution: { endAction: 'rfq', rfq: { limitBps: '100', collectSec: 8, waitSec: 60, ...rfq } },
});

// biome-ignore lint/suspicious/noExplicitAny: replies have every shape
async function request(method: string, params: object): Promise<any> {
  const target = `/api/${method}`;
  const asked = Buffer.from(JSON.stringify(params));
  const headers = signedHeaders(KEY, Date.now(), { method: 'POST', target, body: asked });
  const response = await fetch(`${daemon?.url}${target}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: asked,
  });
  return await response.json();
}

async function submitted(rfq: object = {}): Promise<string> {
  const result = await daemon?.client.submit(body(rfq));
  if (result?.kind !== 'done') throw new Error(JSON.stringify(result));
  return String(result.value.portfolioId);
}

async function seen(
  id: string,
  is: (record: PortfolioRecord) => boolean,
): Promise<PortfolioRecord> {
  for (;;) {
    const result = await daemon?.client.info(id);
    if (result?.kind === 'done' && is(result.value)) return result.value;
    await sleep(100);
  }
}

const isOver = ({ portfolioStatus }: PortfolioRecord): boolean =>
  portfolioStatus === 2 || portfolioStatus === 3;

/** The number of RFQs of the account, and its position. */
async function truth(): Promise<{ readonly rfqs: number; readonly holds: number }> {
  const { blockRfqs } = (await request('block/rfqs/get_rfqs', { count: 50 })).result;
  const positions = (await request('private/get_positions', { currency: 'BTC' })).result;
  const held = positions.find(
    ({ instrumentName }: { instrumentName: string }) => instrumentName === 'BTC-PERPETUAL',
  );
  return { rfqs: blockRfqs.length, holds: Number(held?.size ?? 0) };
}

describe('a residual RFQ in the daemon', () => {
  test('a residual RFQ takes the best quote, shows every step, and trades once despite a kill', async () => {
    daemon = await startDaemon(files);
    const first = await seen(await submitted(), isOver);
    expect(first).toMatchObject({
      portfolioStatus: 2,
      legs: [{ filledQuantity: SIZE }],
      endRfq: { stage: 'over', outcome: 'traded', legs: [{ quantity: SIZE, side: 1 }] },
    });
    expect(first.endRfq?.price).toBe(first.legs[0]?.filledAvgPrice);
    expect(Number(first.legs[0]?.fee)).toBeGreaterThan(0);
    expect(await truth()).toEqual({ rfqs: 1, holds: Number(SIZE) });

    const id = await submitted();
    await seen(id, ({ endRfq }) => endRfq?.stage === 'open');
    expect(await daemon.end('SIGKILL')).toBe('SIGKILL');
    daemon = await startDaemon(files);
    const second = await seen(id, isOver);
    expect(second).toMatchObject({ portfolioStatus: 2, endRfq: { outcome: 'traded' } });
    expect(await truth()).toEqual({ rfqs: 2, holds: 2 * Number(SIZE) });
    expect(daemon.output()).not.toMatch(/assumption|audit breach/i);
  });
});
