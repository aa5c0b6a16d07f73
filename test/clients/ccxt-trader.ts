// One account that trades through ccxt, unmodified.
import { type Ccxt, ccxtDeribit } from './ccxt-deribit.ts';
import type { ClientKey, ClientStage } from './client-stage.ts';
import type { HandFill } from './hand-computed.ts';

export const PERPETUAL = 'BTC/USD:BTC';
const HOUR_MS = 3_600_000;
const WEEK_MS = 168 * HOUR_MS;

export class CcxtTrader {
  readonly stage: ClientStage;
  readonly #key: ClientKey;
  #ccxt: Ccxt;

  constructor(stage: ClientStage, key: ClientKey) {
    this.stage = stage;
    this.#key = key;
  }

  get ccxt(): Ccxt {
    return this.#ccxt;
  }

  async connect(): Promise<void> {
    this.#ccxt = await ccxtDeribit(this.stage.front.url, this.#key);
    await this.#ccxt.loadMarkets();
  }

  async close(): Promise<void> {
    await this.#ccxt?.close();
  }

  async mark(symbol = PERPETUAL): Promise<number> {
    return (await this.ccxt.fetchTicker(symbol)).markPrice;
  }

  /** A whole dollar, which is on the grid, at this part of the mark. */
  async near(part: number): Promise<number> {
    return Math.round((await this.mark()) * part);
  }

  place(type: string, side: string, amount: number, price?: number, params = {}): Promise<Ccxt> {
    return this.ccxt.createOrder(PERPETUAL, type, side, amount, price, params);
  }

  async fills(orderId: string): Promise<HandFill[]> {
    const trades: Ccxt[] = await this.ccxt.fetchOrderTrades(orderId);
    return trades.map(({ price, amount }) => ({ price, amount }));
  }

  /** Whether the exchange has granted a channel whose name begins so. */
  isSubscribed(channel: string): boolean {
    return this.stage.front.frames.some(
      ({ from, text }) => from === 'exchange' && text.includes(`["${channel}`),
    );
  }

  /** A call with a week to live at least: on any day it is worth much more than the least that may be bid for it. */
  async optionNearTheMoney(): Promise<string> {
    const price = await this.mark();
    const away = ({ strike }: Ccxt): number => Math.abs(strike - price);
    const [nearest] = Object.values<Ccxt>(this.ccxt.markets)
      .filter(({ symbol }) => /^BTC\/USD:BTC-\d+-\d+-C$/.test(symbol))
      .filter(({ expiry }) => expiry > Date.now() + WEEK_MS)
      .sort((a, b) => away(a) - away(b) || a.expiry - b.expiry);
    return nearest.symbol;
  }
}
