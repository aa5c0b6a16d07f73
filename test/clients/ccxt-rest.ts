// ccxt, unmodified, over HTTP: every method that it offers for Deribit and the exchange has. All its traffic passes the table
// of shapes.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ccxtAccount } from './ccxt-account.ts';
import { ccxtMarket } from './ccxt-market.ts';
import { ccxtOrders, ccxtRefusals } from './ccxt-orders.ts';
import { CcxtTrader } from './ccxt-trader.ts';
import { type ClientStage, KEYS } from './client-stage.ts';
import { expectRan } from './ran.ts';

export function ccxtRest(stage: ClientStage): void {
  const trader = new CcxtTrader(stage, KEYS.ccxt);
  beforeAll(async () => {
    stage.front.begin('ccxt REST');
    await trader.connect();
  });
  afterAll(() => trader.close());

  describe('the market', () => ccxtMarket(trader));
  describe('orders', () => ccxtOrders(trader));
  describe('the account', () => ccxtAccount(trader));
  describe('refusals', () => ccxtRefusals(trader));

  test('everything that ccxt received has the documented shapes', () => {
    expect([...stage.front.check.faults]).toEqual([]);
    expectRan('ccxt REST', stage.front);
  });
}
