// A test harness that drives combos: an exchange with mark prices of their legs, short forms of the commands.
import type { Exchange } from '../../../src/exchange/exchange.ts';
import type {
  ExchangeAnswer,
  OrderAnswer,
  RefusedAnswer,
} from '../../../src/exchange/exchange-command.ts';
import type { ExchangeEvent } from '../../../src/exchange/exchange-event.ts';
import type { ComboRecord } from '../../../src/exchange/model/combo-registry.ts';
import type { ExchangeTrade } from '../../../src/exchange/order.ts';
import { quantity, text } from '../../../src/values/amounts.ts';
import type { AccountId } from '../../../src/values/ids.ts';
import type { Instrument, Side } from '../../../src/values/instrument.ts';
import { Desk, type PlaceTerms } from '../exchange-desk.ts';
import { btcCall, btcPerpetual } from '../instruments.ts';
import { btcFuture, highCall, lowPut, MAKER1, RfqDesk, TAKER } from '../rfq/rfq-desk.ts';

export const BUYER = TAKER;
export const SELLER = MAKER1;

export interface Traded {
  readonly of: Instrument;
  readonly side?: Side;
  readonly size?: string;
}

export const CALL_SPREAD: readonly Traded[] = [{ of: btcCall }, { of: highCall, side: 'sell' }];
export const STRADDLE: readonly Traded[] = [{ of: btcCall }, { of: lowPut }];
export const FUTURE_SPREAD: readonly Traded[] = [
  { of: btcFuture },
  { of: btcPerpetual, side: 'sell' },
];

export class ComboDesk {
  readonly rfqs = RfqDesk.marked();

  get exchange(): Exchange {
    return this.rfqs.exchange;
  }

  request(trades: readonly Traded[], account: AccountId = BUYER): ExchangeAnswer {
    return this.exchange.handle({
      kind: 'create_combo',
      now: this.rfqs.now,
      account,
      trades: trades.map(({ of, side = 'buy', size }) => ({
        instrument: of.name,
        side,
        ...(size !== undefined && { quantity: quantity(size) }),
      })),
    });
  }

  create(trades: readonly Traded[]): ComboRecord {
    const answer = this.request(trades);
    if (answer.kind !== 'combo') throw new Error(`no combo: ${JSON.stringify(answer)}`);
    return answer.combo;
  }

  /** Orders and quotes of one instrument. */
  at(instrument: Instrument): Desk {
    const desk = new Desk(instrument, this.exchange);
    desk.now = this.rfqs.now;
    return desk;
  }

  /** The book of a new combo. */
  book(trades: readonly Traded[]): Desk {
    return this.at(this.create(trades).instrument);
  }

  position(account: AccountId, of: Instrument): string {
    return this.rfqs.position(account, of);
  }

  drained(): readonly ExchangeEvent[] {
    return this.exchange.drainEvents();
  }
}

export const ordered = (answer: ExchangeAnswer): OrderAnswer => {
  if (answer.kind !== 'order') throw new Error(`no order: ${JSON.stringify(answer)}`);
  return answer;
};

export const denied = (answer: ExchangeAnswer): RefusedAnswer => {
  if (answer.kind !== 'refused') throw new Error(`not refused: ${JSON.stringify(answer)}`);
  return answer;
};

/** The seller rests at the price, the buyer takes it; returns the buyer's trade of the combo. */
export function tradedAt(desk: Desk, price: string, size = '1'): ExchangeTrade {
  const terms: PlaceTerms = { price, quantity: size };
  ordered(desk.place(SELLER, 'sell', terms));
  const [trade] = ordered(desk.place(BUYER, 'buy', terms)).trades;
  if (trade === undefined) throw new Error('the orders do not meet');
  return trade;
}

/** Leg, side, quantity and price of each leg. */
export const legsOf = ({ legs = [] }: ExchangeTrade): readonly string[] =>
  legs.map(
    ({ instrument, side, quantity: size, price }) =>
      `${side} ${text(size)} ${instrument} at ${text(price)}`,
  );
