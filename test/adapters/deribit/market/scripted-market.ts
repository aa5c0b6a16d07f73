// The market of the Deribit adapter in virtual time, over a connection that a test scripts: it grants channels, answers
// queries and publishes what the test says, as the text that would come over the wire.
import { DeribitMarket } from '../../../../src/adapters/deribit/market/deribit-market.ts';
import { OwnOrders } from '../../../../src/adapters/deribit/orders/own-orders.ts';
import type { Outcome, Params, SendRequest } from '../../../../src/adapters/deribit/outcome.ts';
import { parseExact } from '../../../../src/ports/deribit-wire/exact-json.ts';
import { WireTally } from '../../../../src/ports/deribit-wire/wire-tally.ts';
import { later } from '../../../../src/values/instant.ts';
import { rng } from '../../../../src/values/rng.ts';
import { VirtualClock } from '../../../../src/virtual/virtual-clock.ts';
import { NOON, settle } from '../../paper/paper-stage.ts';

export interface Asked {
  readonly method: string;
  readonly params: Params;
}

/** As it comes over the wire: every number is its digits. */
export const wire = (value: unknown): unknown =>
  parseExact(typeof value === 'string' ? value : JSON.stringify(value));

export const result = (value: unknown): Outcome => ({ kind: 'result', value: wire(value) });
export const refusedWith = (code: number, message: string): Outcome => ({
  kind: 'error',
  code,
  message,
});

export class ScriptedMarket {
  readonly clock = new VirtualClock(NOON);
  readonly asked: Asked[] = [];
  readonly faults: string[] = [];
  readonly tally = new WireTally(() => undefined);
  readonly own = new OwnOrders();
  /** Channels left out of the answer. */
  readonly refused = new Set<string>();
  readonly held = new Set<string>();
  /** Answers by method; a method without one is refused. */
  readonly answers = new Map<string, (params: Params) => Outcome | Promise<Outcome>>([
    ['public/get_instruments', () => result([])],
    ['public/get_combos', () => result([])],
    ['public/status', () => result({ locked: 'false' })],
    ['public/unsubscribe', (params) => this.#leave(params)],
    ['public/subscribe', (params) => this.#join(params)],
  ]);
  readonly market: DeribitMarket;

  constructor() {
    this.market = new DeribitMarket({
      clock: this.clock,
      rng: rng('scripted'),
      tally: this.tally,
      own: this.own,
      request: this.request,
      venueNow: () => this.clock.now(),
      onFault: (error) => this.faults.push(error instanceof Error ? error.message : String(error)),
    });
  }

  readonly request: SendRequest = async (method, params) => {
    this.asked.push({ method, params });
    await Promise.resolve();
    return (await this.answers.get(method)?.(params)) ?? refusedWith(-32601, 'Method not found');
  };

  /** A market that is greeted and up. */
  static async up(): Promise<ScriptedMarket> {
    const scripted = new ScriptedMarket();
    await scripted.connect();
    return scripted;
  }

  async connect(): Promise<void> {
    await this.market.greet(this.request);
    this.market.up();
    await this.pass(100);
  }

  /** The connection breaks: the venue forgets its subscriptions. */
  break(): void {
    this.held.clear();
    this.market.down();
  }

  pass(forMs: number): Promise<void> {
    return this.clock.run(later(this.clock.now(), forMs), settle);
  }

  /** Reaches the market only while the channel is held. */
  publish(channel: string, data: unknown): void {
    if (this.held.has(channel)) this.market.receive(channel, wire(data));
  }

  /** The channels of each call of a method. */
  calls(method: string): readonly (readonly string[])[] {
    return this.asked
      .filter((one) => one.method === method)
      .map(({ params }) => params['channels'] as readonly string[]);
  }

  #join({ channels }: Params): Outcome {
    const granted = (channels as readonly string[]).filter((one) => !this.refused.has(one));
    for (const channel of granted) this.held.add(channel);
    return result(granted);
  }

  #leave({ channels }: Params): Outcome {
    for (const channel of channels as readonly string[]) this.held.delete(channel);
    return result(channels);
  }
}

const NAME = 'BTC-PERPETUAL';

export const TICKER = `ticker.${NAME}.100ms`;
export const BOOK = `book.${NAME}.100ms`;
export const TRADES = `trades.${NAME}.100ms`;

/** Of a perpetual, with invented values. */
export const ticker = (changes: object = {}): object => ({
  instrument_name: NAME,
  timestamp: NOON,
  state: 'open',
  last_price: 64_010.5,
  best_bid_price: 64_000,
  best_bid_amount: 300,
  best_ask_price: 64_000.5,
  best_ask_amount: 900,
  mark_price: 64_001.13,
  index_price: 63_998.2,
  min_price: 63_000,
  max_price: 65_000,
  open_interest: 912_345_670,
  stats: { volume: 5_123.41, volume_usd: 1, high: 65_000, low: 60_000, price_change: 0.41 },
  funding_8h: 0.000_012,
  current_funding: 0,
  ...changes,
});

export type LevelText = readonly [string, number | string, number | string];

export const snapshot = (
  changeId: number | string,
  bids: readonly LevelText[] = [['new', 64_000, 300]],
  asks: readonly LevelText[] = [['new', 64_000.5, 900]],
): object => ({
  type: 'snapshot',
  timestamp: NOON,
  instrument_name: NAME,
  change_id: changeId,
  bids,
  asks,
});

export const change = (
  [prev, next]: readonly [number | string, number | string],
  bids: readonly LevelText[] = [],
  asks: readonly LevelText[] = [],
): object => ({ ...snapshot(next, bids, asks), type: 'change', prev_change_id: prev });
