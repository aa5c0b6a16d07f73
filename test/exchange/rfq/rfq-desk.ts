// A test harness that drives Block RFQs: short forms of the commands with default values, on an exchange with
// mark prices.

import { Exchange, type ExchangeOptions } from '../../../src/exchange/exchange.ts';
import type {
  ExchangeAnswer,
  ExchangeCommand,
  RefusedAnswer,
} from '../../../src/exchange/exchange-command.ts';
import type {
  AcceptRfqCommand,
  CreateRfqCommand,
  QuoteName,
  QuoteRfqCommand,
  RfqAcceptedAnswer,
} from '../../../src/exchange/rfq/rfq-command.ts';
import { price, quantity, text } from '../../../src/values/amounts.ts';
import type { RfqQuoteRecord, RfqRecord } from '../../../src/values/block-rfq-record.ts';
import { type AccountId, accountId, instrumentName } from '../../../src/values/ids.ts';
import { type Instant, later, SECOND_MS } from '../../../src/values/instant.ts';
import type { Instrument, Side } from '../../../src/values/instrument.ts';
import { RICH, START } from '../exchange-desk.ts';
import {
  btcCall,
  btcPerpetual,
  btcSpot,
  btcUsdcPerpetual,
  EXPIRY,
  everyKind,
} from '../instruments.ts';

export const TAKER = accountId('10001');
export const MAKER1 = accountId('10002');
export const MAKER2 = accountId('10003');
export const MAKER3 = accountId('10004');
export const MAKERS = [MAKER1, MAKER2, MAKER3] as const;

export const highCall: Instrument = {
  ...btcCall,
  name: instrumentName('BTC-25DEC26-110000-C'),
  option: { strike: price('110000'), type: 'call' },
};
export const lowPut: Instrument = {
  ...btcCall,
  name: instrumentName('BTC-25DEC26-100000-P'),
  option: { strike: price('100000'), type: 'put' },
};
export const btcFuture: Instrument = {
  ...btcPerpetual,
  name: instrumentName('BTC-25DEC26'),
  kind: 'future',
  tickSize: price('2.5'),
  expiresAt: EXPIRY,
};

const listed = [...everyKind, highCall, lowPut, btcFuture];
const MARKS: readonly (readonly [Instrument, string, string, string])[] = [
  [btcCall, '0.05', '0.02', '0.08'],
  [highCall, '0.02', '0.001', '0.05'],
  [lowPut, '0.04', '0.01', '0.07'],
  [btcPerpetual, '100000', '98500', '101500'],
  [btcFuture, '101000', '99500', '102500'],
  [btcUsdcPerpetual, '100000', '98500', '101500'],
  [btcSpot, '100000', '98500', '101500'],
];

export const rfqOptions = (): ExchangeOptions => ({
  instruments: listed,
  accounts: [
    { account: TAKER, balances: RICH },
    { account: MAKER1, balances: RICH, makerAlias: 'MAKER1' },
    { account: MAKER2, balances: RICH, makerAlias: 'MAKER2' },
    { account: MAKER3, balances: RICH, makerAlias: 'MAKER3' },
  ],
});

export interface LegSpec {
  readonly of: Instrument;
  readonly size: string;
  readonly side?: Side;
}

export interface RfqShape extends Partial<Omit<CreateRfqCommand, 'legs' | 'kind'>> {
  readonly legs: readonly LegSpec[];
}

type Given<T extends 'quantity' | 'price'> = { readonly [K in T]?: string };
export interface Quote
  extends Partial<Omit<QuoteRfqCommand, 'legs' | 'quantity' | 'price'>>,
    Given<'quantity' | 'price'> {
  /** Prices of the legs of the RFQ. */
  readonly legs: readonly string[];
}

export class RfqDesk {
  readonly exchange: Exchange;
  now: Instant = START;

  constructor(exchange = new Exchange(rfqOptions())) {
    this.exchange = exchange;
  }

  /** An exchange in which every instrument has a mark price and a band. */
  static marked(exchange?: Exchange): RfqDesk {
    const desk = new RfqDesk(exchange);
    for (const [instrument, mark, min, max] of MARKS) {
      desk.reference(instrument, { mark, min, max });
    }
    return desk;
  }

  reference(
    { name: instrument }: Instrument,
    { mark, min, max }: { readonly mark: string; readonly min: string; readonly max: string },
  ): void {
    const [minPrice, maxPrice] = [price(min), price(max)];
    const index = price('100000');
    const { now } = this;
    this.do({
      kind: 'set_reference',
      now,
      instrument,
      index,
      mark: price(mark),
      minPrice,
      maxPrice,
    });
  }

  do(command: ExchangeCommand): ExchangeAnswer {
    return this.exchange.handle(command);
  }

  pass(byMs: number): void {
    this.now = later(this.now, byMs);
    this.do({ kind: 'advance_rfqs', now: this.now });
  }

  /** Advances past the grace period. */
  open(): void {
    this.pass(5 * SECOND_MS);
  }

  createRfq({ legs, ...more }: RfqShape): ExchangeAnswer {
    return this.do({
      kind: 'create_rfq',
      now: this.now,
      account: TAKER,
      legs: legs.map(({ of, size, side = 'buy' }) => ({
        instrument: of.name,
        quantity: quantity(size),
        side,
      })),
      makers: [],
      disclosed: true,
      label: '',
      allocations: [],
      ...more,
    });
  }

  /** The id by which `account` knows the newest RFQ. */
  idOf(account: AccountId): string {
    const [newest] = this.exchange.rfqs.page({ account, count: 1 }).rfqs;
    if (newest === undefined) throw new Error(`${account} takes part in no RFQ`);
    return newest.id;
  }

  seen(account: AccountId, id = this.idOf(account)): RfqRecord {
    const view = this.exchange.rfqs.rfq(account, id);
    if (view === undefined) throw new Error(`${account} knows no RFQ ${id}`);
    return view;
  }

  /** A partial quote for the newest RFQ, with its full quantity and hedge unless the terms say otherwise. */
  quote(account: AccountId, side: Side, terms: Quote): ExchangeAnswer {
    const { legs, quantity: size, price: whole, ...more } = terms;
    const rfqId = more.rfqId ?? this.idOf(account);
    const seen = this.seen(account, rfqId);
    return this.do({
      kind: 'quote_rfq',
      now: this.now,
      account,
      rfqId,
      side,
      label: '',
      executionInstruction: 'any_part_of',
      quantity: size === undefined ? seen.quantity : quantity(size),
      legs: seen.legs.map((leg, at) => ({ ...leg, price: price(legs[at] ?? '0') })),
      hedge: seen.hedge,
      ...(whole !== undefined && { price: price(whole) }),
      ...more,
    });
  }

  cancelQuote(account: AccountId, of: QuoteName): ExchangeAnswer {
    return this.do({ kind: 'cancel_rfq_quote', now: this.now, account, of });
  }

  /** Accepts the newest RFQ in full, fill or kill, unless the terms say otherwise. */
  accept(
    side: Side,
    at: string,
    more: Partial<Omit<AcceptRfqCommand, 'price'>> = {},
  ): ExchangeAnswer {
    const rfqId = more.rfqId ?? this.idOf(TAKER);
    return this.do({
      kind: 'accept_rfq',
      now: this.now,
      account: TAKER,
      rfqId,
      quantity: this.seen(TAKER, rfqId).quantity,
      side,
      price: price(at),
      timeInForce: 'fill_or_kill',
      ...more,
    });
  }

  quotesOf(account: AccountId): readonly RfqQuoteRecord[] {
    return this.exchange.rfqs.quotes({ account });
  }

  position(account: AccountId, { name }: Instrument): string {
    const own = this.exchange.positions(account).find((p) => p.instrument === name);
    return own === undefined ? '0' : text(own.quantity);
  }

  balance(account: AccountId, of: string): string {
    const own = this.exchange.balances(account).find((b) => b.currency === of);
    return own === undefined ? '0' : text(own.amount);
  }
}

export const oneCall = (size = '100'): RfqShape => ({ legs: [{ of: btcCall, size }] });
export const callSpread = (size = '50'): RfqShape => ({
  legs: [
    { of: btcCall, size },
    { of: highCall, size, side: 'sell' },
  ],
});

function answered<K extends ExchangeAnswer['kind']>(kind: K) {
  return (answer: ExchangeAnswer): Extract<ExchangeAnswer, { kind: K }> => {
    if (answer.kind !== kind) throw new Error(`no ${kind}: ${JSON.stringify(answer)}`);
    return answer as Extract<ExchangeAnswer, { kind: K }>;
  };
}

export const asked = (answer: ExchangeAnswer): RfqRecord => answered('rfq')(answer).rfq;
export const quoted = (answer: ExchangeAnswer): RfqQuoteRecord =>
  answered('rfq_quote')(answer).quote;
export const traded = (answer: ExchangeAnswer): RfqAcceptedAnswer =>
  answered('rfq_accepted')(answer);
export const refused = (answer: ExchangeAnswer): RefusedAnswer => answered('refused')(answer);
