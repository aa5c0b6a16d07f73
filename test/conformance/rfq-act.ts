// A test stage of Block RFQs with helpers for most cases: structures, quotes at the mark price, accepts.

import { expect } from 'vitest';
import type {
  Accepted,
  NewQuote,
  NewRfq,
  RfqAccept,
  RfqDesk,
  RfqNews,
} from '../../src/ports/block-rfq.ts';
import type { Reply } from '../../src/ports/trading-desk.ts';
import type { Venue } from '../../src/ports/venue.ts';
import { type Price, price, type Quantity, quantity } from '../../src/values/amounts.ts';
import { must } from '../../src/values/assert.ts';
import type { PricedRfqLeg, RfqQuoteRecord, RfqRecord } from '../../src/values/block-rfq-record.ts';
import type { AccountId, InstrumentName } from '../../src/values/ids.ts';
import { type Instrument, opposite, type Side } from '../../src/values/instrument.ts';

export interface RfqStage {
  readonly rfqs: RfqDesk;
  readonly venue: Pick<Venue, 'market' | 'positions'>;
  readonly taker: AccountId;
  readonly makers: readonly [
    { readonly account: AccountId; readonly alias: string },
    { readonly account: AccountId; readonly alias: string },
  ];
  /** A liquid inverse perpetual of BTC. */
  readonly perpetual: InstrumentName;
  /** Lets `forMs` of the venue's time pass, until everything in progress has completed. */
  pass(forMs: number): Promise<void>;
  close(): Promise<void>;
}

/** The perpetual's minimum block size. */
export const BLOCK = '200000';
const GRACE_MS = 5_000;

export class RfqAct {
  readonly stage: RfqStage;
  readonly news: RfqNews[] = [];

  constructor(stage: RfqStage) {
    this.stage = stage;
    stage.rfqs.listen((one) => this.news.push(one));
  }

  get rfqs(): RfqDesk {
    return this.stage.rfqs;
  }

  async mark(name: InstrumentName): Promise<Price> {
    const ticker = must(await this.stage.venue.market.ticker(name), 'a ticker');
    return must(ticker.mark, 'a mark');
  }

  /** Calls of one expiry on the perpetual's coin, near the money, lower strike first. */
  async calls(): Promise<readonly [Instrument, Instrument]> {
    const { perpetual } = this.stage;
    const { market } = this.stage.venue;
    const spot = (await this.mark(perpetual)).toNumber();
    const base = must(market.instrument(perpetual), 'listed').base;
    const options = market
      .listed({ expired: false })
      .filter((one) => one.base === base && one.settlement === base && one.option?.type === 'call')
      .sort((a, b) => (b.expiresAt ?? 0) - (a.expiresAt ?? 0));
    const [last] = options;
    const strikes = options
      .filter(({ expiresAt }) => expiresAt === last?.expiresAt)
      .sort((a, b) => strikeOf(a) - strikeOf(b))
      .filter((one) => strikeOf(one) >= spot);
    return [must(strikes[0], 'a call'), must(strikes[1], 'a higher call')];
  }

  newRfq(changes: Partial<NewRfq> = {}): NewRfq {
    const { taker, makers, perpetual } = this.stage;
    return {
      account: taker,
      legs: [{ instrument: perpetual, quantity: quantity(BLOCK), side: 'buy' }],
      makers: makers.map(({ alias }) => alias),
      disclosed: true,
      allocations: [],
      ...changes,
    };
  }

  async created(changes: Partial<NewRfq> = {}): Promise<RfqRecord> {
    return value(await this.rfqs.create(this.newRfq(changes)));
  }

  /** An RFQ that has been created and is past the grace period. */
  async opened(changes: Partial<NewRfq> = {}): Promise<RfqRecord> {
    const rfq = await this.created(changes);
    await this.stage.pass(GRACE_MS);
    return await this.seen(rfq.id);
  }

  async seen(id: string, account = this.stage.taker): Promise<RfqRecord> {
    const { rfqs } = value(await this.rfqs.rfqs({ account, id, count: 1 }));
    return must(rfqs[0], `${account} knows the RFQ ${id}`);
  }

  /** The newest RFQ as the maker knows it. */
  async asked(maker: 0 | 1 = 0): Promise<RfqRecord> {
    const { account } = this.stage.makers[maker];
    const { rfqs } = value(await this.rfqs.rfqs({ account, role: 'maker', count: 1 }));
    return must(rfqs[0], 'the maker was asked');
  }

  /** The legs of an RFQ at their mark prices, moved by `per1000` times 0.1 percent. */
  async priced({ legs }: RfqRecord, per1000 = 0): Promise<readonly PricedRfqLeg[]> {
    return await Promise.all(
      legs.map(async (leg) => {
        const instrument = must(this.stage.venue.market.instrument(leg.instrument), 'listed');
        const at = (await this.mark(leg.instrument)).toNumber() * (1 + per1000 / 1_000);
        const tick = instrument.tickSize.toNumber();
        const text = (Math.round(at / tick) * tick).toFixed(6);
        return { ...leg, price: price(text.replace(/\.?0+$/, '')) };
      }),
    );
  }

  async newQuote(side: Side, changes: Partial<NewQuote> = {}, maker: 0 | 1 = 0): Promise<NewQuote> {
    const asked = await this.asked(maker);
    return {
      account: this.stage.makers[maker].account,
      rfqId: asked.id,
      side,
      quantity: asked.quantity,
      legs: await this.priced(asked, side === 'sell' ? 1 : -1),
      hedge: asked.hedge,
      executionInstruction: 'any_part_of',
      ...changes,
    };
  }

  async quoted(
    side: Side,
    changes: Partial<NewQuote> = {},
    maker: 0 | 1 = 0,
  ): Promise<RfqQuoteRecord> {
    return value(await this.rfqs.quote(await this.newQuote(side, changes, maker)));
  }

  acceptOf(rfq: RfqRecord, quote: RfqQuoteRecord, changes: Partial<RfqAccept> = {}): RfqAccept {
    return {
      account: this.stage.taker,
      rfqId: rfq.id,
      quantity: rfq.quantity,
      side: opposite(quote.side),
      price: quote.price,
      timeInForce: 'fill_or_kill',
      ...changes,
    };
  }

  async accepted(rfq: RfqRecord, quote: RfqQuoteRecord): Promise<Accepted> {
    return value(await this.rfqs.accept(this.acceptOf(rfq, quote)));
  }

  /** Waits until matching news arrives. */
  async heard(is: (news: RfqNews) => boolean): Promise<RfqNews> {
    for (let round = 0; round < 400; round += 1) {
      const found = this.news.find(is);
      if (found !== undefined) return found;
      await this.stage.pass(5);
    }
    throw new Error(`not heard among ${this.news.map(({ kind }) => kind).join(', ')}`);
  }
}

const strikeOf = ({ option }: Instrument): number => option?.strike.toNumber() ?? 0;

/** The value of a successful reply; any other reply fails the test with its reason. */
export function value<T>(reply: Reply<T>): T {
  if (reply.kind === 'done') return reply.value;
  throw new Error(JSON.stringify(reply));
}

export function expectRefused(reply: Reply<unknown>, code: number, param?: string): void {
  expect(reply).toMatchObject({ kind: 'refused', code });
  if (param === undefined || reply.kind !== 'refused') return;
  expect(reply.details?.param).toBe(param);
}

export const sizes = (quantities: readonly Quantity[]): Quantity =>
  quantities.reduce((sum, one) => sum.plus(one) as Quantity, quantity('0'));
