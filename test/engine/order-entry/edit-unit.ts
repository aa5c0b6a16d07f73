// Edits an option order from one price unit to another behind a narrow price collar, at the venue that the caller
// opens: the edit may do exactly what a new order with the same result may do.

import { expect } from 'vitest';
import type { OrderRecord } from '../../../src/core/order/order-record.ts';
import { optionTerms, volatilityOf } from '../../../src/core/pricing/option-price.ts';
import { DEFAULT_SETTINGS } from '../../../src/core/terms/settings.ts';
import { quoteOf } from '../../../src/engine/order-entry/look-up-quote.ts';
import { Gate } from '../../../src/engine/risk/gate.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { MarketReads, Ticker } from '../../../src/ports/market-reads.ts';
import type { NewOrder, OrderChange, Reply, TradingDesk } from '../../../src/ports/trading-desk.ts';
import type { Venue } from '../../../src/ports/venue.ts';
import {
  isMore,
  type Price,
  price,
  quantity,
  ratioOf,
  scaled,
  toNumber,
} from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { deploymentId } from '../../../src/values/ids.ts';
import type { Instant } from '../../../src/values/instant.ts';
import { type Instrument, onTick, type Side } from '../../../src/values/instrument.ts';
import type { AdvancedKind } from '../../../src/values/order-terms.ts';
import { ACCOUNT } from '../../adapters/paper/paper-stage.ts';
import { value } from '../../conformance/venue-act.ts';
import { openOrderDesk } from '../../support/engine/open-order-desk.ts';
import { witness } from '../../support/engine/quiet-observer.ts';

export const UNITS = [undefined, 'usd', 'implv'] as const;
export const SIDES = ['buy', 'sell'] as const;
export const PATHS = ['by id', 'by label'] as const;
export type Unit = AdvancedKind | undefined;

export interface EditCase {
  readonly before: Unit;
  readonly after: Unit;
  readonly side: Side;
  readonly path: (typeof PATHS)[number];
  /** The value of the edited order as a multiple of the mark price. */
  readonly factor: number;
}

/** An option order further than this share beyond the mark price is refused. */
export const COLLAR_SHARE = 0.2;
const LIMITS = {
  version: '1-edit',
  collar: {
    bps: 100,
    optionShare: COLLAR_SHARE,
    optionTicks: 1,
    referenceAgeMaxMs: 15_000,
    divergenceBps: 500,
  },
};

export interface Opened {
  readonly venue: Venue;
  readonly clock: Clock;
}

export class EditStage {
  readonly #desk: TradingDesk;
  readonly #market: MarketReads;
  readonly #clock: Opened['clock'];
  readonly #option: Instrument;
  #labels = 0;

  static async open({ venue, clock }: Opened): Promise<EditStage> {
    const index = must(await venue.market.index('btc_usd'), 'an index');
    const option = monthsAway(venue.market.listed({ expired: false }), clock.now(), index);
    return new EditStage({ venue, clock }, option);
  }

  private constructor({ venue, clock }: Opened, option: Instrument) {
    const observer = witness();
    const shared = { clock, observer, limits: () => ({ dummyAccounts: new Set<never>() }) };
    const desk = openOrderDesk({
      ...shared,
      settings: { ...DEFAULT_SETTINGS, deployment: deploymentId('test') },
      venues: { forAccount: () => venue, all: () => [venue], accounts: () => [ACCOUNT] },
      gate: new Gate({ clock, observer, limits: () => LIMITS }),
    });
    this.#desk = must(desk.forAccount(ACCOUNT), 'a desk');
    this.#market = venue.market;
    this.#clock = clock;
    this.#option = option;
  }

  /** Edits one order, and enters another one that is equivalent to the edited one. */
  async outcomes(
    one: EditCase,
  ): Promise<{ readonly edit: Reply<unknown>; readonly twin: Reply<unknown> }> {
    const ticker = await this.ticker();
    const order = await this.#resting(one, ticker);
    const asked = { price: this.worth(one.factor, one.after, ticker), advanced: one.after };
    const edit = await this.edit(order, one.path, asked);
    await this.#cancel(order);
    const twin = await this.#desk.place(this.#order({ ...asked, side: one.side }));
    if (twin.kind === 'done') await this.#cancel(twin.value.order);
    return { edit, twin };
  }

  edit(
    order: OrderRecord,
    path: EditCase['path'],
    asked: Pick<OrderChange, 'price' | 'advanced' | 'quantity'>,
  ): Promise<Reply<unknown>> {
    const { orderId, label, instrument } = order;
    const of = path === 'by id' ? { orderId } : { label, instrument };
    return this.#desk.edit({ account: ACCOUNT, of, ...asked });
  }

  async entered(asked: Pick<NewOrder, 'side' | 'price' | 'advanced'>): Promise<OrderRecord> {
    return value(await this.#desk.place(this.#order(asked))).order;
  }

  async ticker(): Promise<Ticker> {
    return must(await this.#market.ticker(this.#option.name), 'the option has a ticker');
  }

  /** The mark price times `factor`, in the unit. */
  worth(factor: number, unit: Unit, ticker: Ticker): Price {
    const mark = must(ticker.mark, 'a mark');
    const coins = onTick(this.#option, scaled(mark, ratioOf(factor)), 'up');
    if (unit === undefined) return coins;
    const quote = quoteOf(ticker);
    const index = must(quote.index, 'an index');
    if (unit === 'usd') return rounded(toNumber(coins) * toNumber(index));
    const terms = must(optionTerms(this.#option, quote, this.#clock.now()), 'option terms');
    const volatility = must(volatilityOf(this.#option, terms, coins), 'a volatility');
    return rounded(volatility * 100);
  }

  /** An order on the passive side of the market, so that it rests. */
  async #resting({ before, side }: EditCase, ticker: Ticker): Promise<OrderRecord> {
    const factor = side === 'buy' ? 0.7 : 1.5;
    const entered = await this.entered({
      side,
      advanced: before,
      price: this.worth(factor, before, ticker),
    });
    expect(entered.state).toBe('open');
    return entered;
  }

  #order(asked: Pick<NewOrder, 'side' | 'price' | 'advanced'>): NewOrder {
    this.#labels += 1;
    return {
      account: ACCOUNT,
      instrument: this.#option.name,
      type: 'limit',
      quantity: quantity('0.1'),
      timeInForce: 'good_til_cancelled',
      postOnly: false,
      rejectPostOnly: false,
      reduceOnly: false,
      label: `edit-unit-${this.#labels}`,
      mmp: false,
      ...asked,
    };
  }

  async #cancel({ orderId }: OrderRecord): Promise<void> {
    const reply = await this.#desk.cancel({ account: ACCOUNT, of: { orderId } });
    // An order may have traded with the market meanwhile.
    expect(reply.kind).not.toBe('unknown');
  }
}

const rounded = (worth: number): Price => price(worth.toFixed(2));

/** A BTC call without intrinsic value, far from expiry: every price corresponds to some volatility. */
function monthsAway(listed: readonly Instrument[], now: Instant, index: Price): Instrument {
  const found = listed.find(
    ({ kind, base, marginKind, expiresAt = now, option }) =>
      kind === 'option' &&
      base === 'BTC' &&
      marginKind === 'inverse' &&
      option?.type === 'call' &&
      isMore(option.strike, scaled(index, ratioOf(1.1))) &&
      expiresAt - now > 40 * 86_400_000,
  );
  return must(found, 'such an option is listed');
}

/** The transitions that the venue accepts: only an order priced in a unit may change to another one. */
export const isPossible = ({ before, after }: Pick<EditCase, 'before' | 'after'>): boolean =>
  (before === undefined) === (after === undefined);

export function judge(one: EditCase, edit: Reply<unknown>, twin: Reply<unknown>): void {
  const told = JSON.stringify({ one, edit, twin });
  if (isPossible(one)) {
    expect([edit.kind, 'code' in edit && edit.code], told).toEqual([
      twin.kind,
      'code' in twin && twin.code,
    ]);
    return;
  }
  expect(edit, told).toMatchObject({
    kind: 'refused',
    code: one.before === undefined ? 11041 : 11047,
    details: { param: 'advanced' },
  });
}
