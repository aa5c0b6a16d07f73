// Balances and positions through ccxt over HTTP: each number is computed from the fills a second way.
import { expect, test } from 'vitest';
import type { Ccxt } from './ccxt-deribit.ts';
import { type CcxtTrader, PERPETUAL } from './ccxt-trader.ts';
import { STARTING } from './client-stage.ts';
import {
  amountOf,
  coinsOf,
  dollarsOf,
  type HandFill,
  inverseAverage,
  inverseFees,
  linearFees,
} from './hand-computed.ts';

const LINEAR = 'BTC/USDC:USDC';
const SPOT = 'BTC/USDC';
/** Decimals up to which what is computed here with floats agrees with the exchange's exact numbers. */
const COIN_DIGITS = 7;
const DOLLAR_DIGITS = 5;

export function ccxtAccount(trader: CcxtTrader): void {
  const total = async (currency: string): Promise<number> =>
    (await trader.ccxt.fetchBalance({ code: currency }))[currency].total;
  const filled = async (symbol: string, side: string, amount: number): Promise<HandFill[]> => {
    const order = await trader.ccxt.createOrder(symbol, 'market', side, amount);
    expect(order).toMatchObject({ status: 'closed', filled: amount });
    return trader.fills(order.id);
  };

  test('what was not traded is as it began', async () => {
    const balance = await trader.ccxt.fetchBalance();
    expect(balance.ETH).toEqual({ free: STARTING.ETH, used: 0, total: STARTING.ETH });
  });

  test('an inverse position has the size, sign, entry and open profit of its fills', async () => {
    const before = await total('BTC');
    const bought = [
      ...(await filled(PERPETUAL, 'buy', 1_000)),
      ...(await filled(PERPETUAL, 'buy', 500)),
    ];
    const long = await trader.ccxt.fetchPosition(PERPETUAL);
    expect(long).toMatchObject({ symbol: PERPETUAL, side: 'long', contracts: 1_500 });
    expect(long.entryPrice).toBeCloseTo(inverseAverage(bought), 1);
    expect(long.unrealizedPnl).toBeCloseTo(coinsOf(bought) - 1_500 / long.markPrice, COIN_DIGITS);
    const listed: Ccxt[] = await trader.ccxt.fetchPositions();
    expect(listed.map(({ symbol }) => symbol)).toEqual([PERPETUAL]);
    const sold = await filled(PERPETUAL, 'sell', 2_000);
    const short = await trader.ccxt.fetchPosition(PERPETUAL);
    expect([short.side, Math.abs(short.contracts)]).toEqual(['short', 500]);
    expect(short.info.size).toBe(-500);
    expect(short.entryPrice).toBeCloseTo(inverseAverage(sold), 1);
    const closed = await filled(PERPETUAL, 'buy', 500);
    expect(await trader.ccxt.fetchPositions()).toEqual([]);
    // 2 000 USD were bought and sold: the coins of the purchases come in, those of the sale and the fees go out.
    const fills = [...bought, ...closed];
    const profit = coinsOf(fills) - coinsOf(sold) - inverseFees([...fills, ...sold]);
    expect((await total('BTC')) - before).toBeCloseTo(profit, COIN_DIGITS);
    expect(inverseFees(fills)).toBeGreaterThan(0);
  });

  test('a linear position is settled in USDC', async () => {
    const before = await total('USDC');
    const sold = await filled(LINEAR, 'sell', 0.01);
    const short = await trader.ccxt.fetchPosition(LINEAR);
    expect([short.side, Math.abs(short.contracts)]).toEqual(['short', 0.01]);
    expect(short.entryPrice).toBeCloseTo(dollarsOf(sold) / amountOf(sold), 1);
    const bought = await filled(LINEAR, 'buy', 0.01);
    const profit = dollarsOf(sold) - dollarsOf(bought) - linearFees([...sold, ...bought]);
    expect((await total('USDC')) - before).toBeCloseTo(profit, DOLLAR_DIGITS);
  });

  test('a spot trade exchanges two balances without a fee', async () => {
    const [btc, usdc] = [await total('BTC'), await total('USDC')];
    const bought = await filled(SPOT, 'buy', 0.01);
    expect((await total('BTC')) - btc).toBeCloseTo(0.01, COIN_DIGITS);
    expect((await total('USDC')) - usdc).toBeCloseTo(-dollarsOf(bought), DOLLAR_DIGITS);
    expect(await trader.ccxt.fetchPositions()).toEqual([]);
  });

  test('what is free is less by the margin of what is open', async () => {
    const price = await trader.near(0.98);
    const before = (await trader.ccxt.fetchBalance({ code: 'BTC' })).BTC;
    const order = await trader.place('limit', 'buy', 10_000, price);
    const during = (await trader.ccxt.fetchBalance({ code: 'BTC' })).BTC;
    expect(during.total).toBe(before.total);
    expect(during.free).toBeLessThan(before.free);
    await trader.ccxt.cancelOrder(order.id);
    expect((await trader.ccxt.fetchBalance({ code: 'BTC' })).BTC).toEqual(before);
  });

  test('fees and accounts are those of the exchange', async () => {
    const fees = await trader.ccxt.fetchTradingFees();
    expect(fees[PERPETUAL]).toMatchObject({ maker: 0, taker: 0.0005 });
    expect(await trader.ccxt.fetchAccounts()).toHaveLength(1);
  });

  test('the wallet of a paper account has no movements', async () => {
    expect(await trader.ccxt.fetchDeposits('BTC')).toEqual([]);
    expect(await trader.ccxt.fetchWithdrawals('BTC')).toEqual([]);
    expect(await trader.ccxt.fetchTransfers('BTC')).toEqual([]);
  });
}
