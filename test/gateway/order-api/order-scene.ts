// Two accounts alone on a paper exchange in virtual time, used through the order methods: without a network and
// other makers, so that every field of every answer is known in advance.

import type { z } from 'zod';
import type { JournalStore } from '../../../src/adapters/paper/journal/journal-store.ts';
import type { PaperVenue } from '../../../src/adapters/paper/paper-venue.ts';
import { methodApi } from '../../../src/engine/api/method-api.ts';
import { MmpDesk } from '../../../src/engine/mmp/mmp-desk.ts';
import type { MmpGuard } from '../../../src/engine/mmp/mmp-guard.ts';
import type { OrderOperations } from '../../../src/engine/order-entry/order-operations.ts';
import type { ExchangeRules } from '../../../src/exchange/model/exchange-rules.ts';
import type { ApiKey } from '../../../src/gateway/auth/key-store.ts';
import { Desks } from '../../../src/gateway/desks/desks.ts';
import { answerCall } from '../../../src/gateway/order-api/answer-call.ts';
import type { Call } from '../../../src/gateway/order-api/method.ts';
import { METHODS } from '../../../src/gateway/order-api/method-table.ts';
import { must } from '../../../src/values/assert.ts';
import { deploymentId } from '../../../src/values/ids.ts';
import type { Instant } from '../../../src/values/instant.ts';
import type { Instrument } from '../../../src/values/instrument.ts';
import { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import { NOON, paperStage } from '../../adapters/paper/paper-stage.ts';
import { RFQ_ACCOUNTS } from '../../adapters/paper/rfq-accounts.ts';
import { btcCall, btcPerpetual, btcSpot, btcUsdcPerpetual } from '../../exchange/instruments.ts';
import { highCall } from '../../exchange/rfq/rfq-desk.ts';
import { loneMmpGuard } from '../../support/engine/lone-mmp-guard.ts';
import { witness } from '../../support/engine/quiet-observer.ts';
import { ungated } from '../../support/engine/venue-records.ts';
import { STRANGER, TAKER } from '../gateway-under-test.ts';
import { StillMarket, type Worth } from './still-market.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
export type Fields = any;

const COIN: Worth = { index: '100000', mark: '100100', min: '90000', max: '110000' };
const INSTRUMENTS = [btcPerpetual, btcUsdcPerpetual, btcSpot, btcCall, highCall];

const CALL: Worth = {
  index: '100000',
  mark: '0.1',
  min: '0.0001',
  max: '0.5',
  underlying: '104000',
  markIv: 0.55,
};
const WORTH: Readonly<Record<string, Worth>> = {
  [btcPerpetual.name]: COIN,
  [btcUsdcPerpetual.name]: COIN,
  [btcSpot.name]: COIN,
  [btcCall.name]: CALL,
  [highCall.name]: { ...CALL, mark: '0.07' },
};

/** Names of the params of a method. */
export const paramsOf = (method: string): string[] =>
  Object.keys((must(METHODS.get(method), method).params as z.ZodObject).shape);

const ORDER = { instrumentName: btcPerpetual.name, quantity: '1000', price: '99000' };

export class OrderScene {
  readonly clock: VirtualClock;
  readonly venue: PaperVenue;
  readonly market = new StillMarket(INSTRUMENTS, WORTH);
  /** Not started: until it is, nothing triggers it. */
  readonly guard: MmpGuard;
  readonly pass: (forMs: number) => Promise<void>;
  /** Names of the params sent with each method; those of nested orders follow a dot. */
  readonly sent = new Map<string, Set<string>>();
  readonly desks: Desks;
  readonly #call: Omit<Call, 'key'>;

  /** `store`: the journal of the exchange, which an earlier scene may have written. */
  constructor(at: Instant = NOON, rules: ExchangeRules = {}, store?: JournalStore) {
    const journal = store && { store };
    const options = { accounts: RFQ_ACCOUNTS, market: () => this.market, rules, journal };
    const stage = paperStage(options, new VirtualClock(at));
    this.clock = stage.clock;
    this.venue = stage.venue;
    this.pass = stage.pass;
    const { clock, venue } = stage;
    this.guard = loneMmpGuard({
      clock,
      observer: witness(),
      venues: { forAccount: () => venue, all: () => [venue] },
      deployment: deploymentId('test'),
    });
    const desk = ungated(venue);
    const accounts = RFQ_ACCOUNTS.map(({ account }) => [account, venue.name] as const);
    const orders: OrderOperations = {
      mmp: new MmpDesk(this.guard, clock),
      accounts: () => accounts,
      venues: () => [venue],
      forAccount: () => desk,
      rfqsFor: () => venue.rfqs,
      combosFor: () => venue.combos,
      marginsFor: () => venue.margins,
    };
    this.desks = new Desks(methodApi({ orders, clock, notReady: () => [] }));
    this.#call = {
      now: () => clock.now(),
      version: 'test',
      orders: this.desks,
    };
  }

  /** The answer as a client reads it; by default for the key `TAKER`. */
  async request(method: string, params: object = {}, key: ApiKey = TAKER): Promise<Fields> {
    this.#note(method, params);
    const request = { rid: '1', method, params };
    const answering = {
      take: () => undefined,
      report: (error: unknown) => {
        throw error;
      },
    };
    const answer = await answerCall({ ...this.#call, key }, request, answering);
    return JSON.parse(JSON.stringify(answer));
  }

  /** Returns the result; throws a refusal. */
  async get(method: string, params: object = {}, key: ApiKey = TAKER): Promise<Fields> {
    const answer = await this.request(method, params, key);
    if (answer.kind === 'done') return answer.value;
    throw new Error(`${method} ${JSON.stringify(params)}: ${JSON.stringify(answer)}`);
  }

  /** The trade, and its order, that reduced a position of an account whose margin a fall of the mark price took. */
  async liquidated(): Promise<{ readonly trade: Fields; readonly order: Fields }> {
    const instrumentName = btcPerpetual.name;
    const quantity = '100000000';
    await this.other('sell', quantity, '100500');
    await this.get('private/buy', { instrumentName, quantity, price: '100500' });
    await this.other('buy', quantity, '94000');
    await this.pass(2_000);
    await this.worth(btcPerpetual, { mark: '95000' });
    const page = { instrumentName, count: 20 };
    const { trades } = await this.get('private/get_user_trades_by_instrument', page);
    const trade = trades.find((one: Fields) => one.orderId !== trades.at(-1).orderId) ?? trades[0];
    return { trade, order: await this.order(trade.orderId) };
  }

  async refusal(method: string, params: object): Promise<Fields> {
    const answer = await this.request(method, params);
    if (answer.kind === 'refused') return answer;
    throw new Error(`${method} was not refused: ${JSON.stringify(answer)}`);
  }

  /** A resting limit order, unless `params` override it. */
  async buy(params: object): Promise<Fields> {
    return (await this.get('private/buy', { ...ORDER, ...params })).order;
  }

  async sell(params: object): Promise<Fields> {
    return (await this.get('private/sell', { ...ORDER, price: '101000', ...params })).order;
  }

  refusedBuy(params: object): Promise<Fields> {
    return this.refusal('private/buy', { ...ORDER, ...params });
  }

  /** A limit order of the other account. */
  async other(side: 'buy' | 'sell', quantity: string, price: string, of = btcPerpetual) {
    const params = { instrumentName: of.name, quantity, price };
    return (await this.get(`private/${side}`, params, STRANGER)).order;
  }

  order(orderId: string): Promise<Fields> {
    return this.get('private/get_order_state', { orderId });
  }

  /** Sets the reference prices of the instrument from now on. */
  async worth(instrument: Instrument, to: Partial<Worth>): Promise<void> {
    this.market.move(instrument, to);
    await this.pass(1_500);
  }

  async close(): Promise<void> {
    this.desks.close();
    await this.venue.close();
  }

  #note(method: string, params: object): void {
    const names = this.sent.get(method) ?? new Set();
    this.sent.set(method, names);
    for (const [name, value] of Object.entries(params)) {
      names.add(name);
      if (!Array.isArray(value)) continue;
      for (const one of value) {
        for (const inner of Object.keys(Object(one))) names.add(`${name}.${inner}`);
      }
    }
  }
}
