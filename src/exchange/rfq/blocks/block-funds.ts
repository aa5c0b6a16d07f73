// Whether an account can afford a whole block at once: all premiums, spot payments and fees from its
// available balance, and the margins of the resulting positions. Uses the same conservative rules as for
// orders.
import {
  isLess,
  type Money,
  minus,
  negated,
  type Price,
  plus,
  steps,
  ZERO_MONEY,
} from '../../../values/amounts.ts';
import type { Currency } from '../../../values/ids.ts';
import { opposite, type Side, signOf } from '../../../values/instrument.ts';
import { addedMargin, availableFunds } from '../../accounting/margin.ts';
import type { ExchangeState } from '../../exchange-state.ts';
import type { Account } from '../../model/account.ts';
import type { Listing } from '../../model/instruments/listing.ts';
import { lotMarksOf } from '../../model/lot-marks.ts';
import { costOf, gainOf } from '../../model/position.ts';
import type { Refusal } from '../../model/refusal.ts';
import type { RfqQuote } from '../maker-quote.ts';
import type { Rfq } from '../rfq.ts';
import * as refusal from '../rfq-refusal.ts';
import { type PlannedRow, plannedBlocks } from './block-plan.ts';

/** One leg from the side of one account. */
interface OwnRow {
  readonly listing: Listing;
  readonly side: Side;
  readonly lots: number;
  readonly price: Price;
  readonly fee: Money;
  readonly feeCurrency: Currency;
}

export const takersRows = (rows: readonly PlannedRow[]): readonly OwnRow[] =>
  rows.map((row) => ({ ...row, fee: row.takerFee }));

export const makersRows = (rows: readonly PlannedRow[]): readonly OwnRow[] =>
  rows.map((row) => ({ ...row, side: opposite(row.side), fee: row.makerFee }));

class Sums {
  readonly #by = new Map<Currency, Money>();

  add(currency: Currency, amount: Money): void {
    this.#by.set(currency, plus(this.of(currency), amount));
  }

  of(currency: Currency): Money {
    return this.#by.get(currency) ?? ZERO_MONEY;
  }

  currencies(): Currency[] {
    return [...this.#by.keys()];
  }
}

/** Bots have no limits; the market simulation keeps their positions small. */
export function canCarry(account: Account | undefined, rows: readonly OwnRow[]): boolean {
  if (account === undefined) return true;
  const cash = new Sums();
  const worth = new Sums();
  const lots = new Map<Listing, number>();
  for (const row of rows) {
    addCash(cash, row);
    worth.add(row.listing.instrument.settlement, gainAtMark(row));
    lots.set(row.listing, (lots.get(row.listing) ?? 0) + signOf(row.side) * row.lots);
  }
  for (const [listing, signedLots] of lots) {
    const exposure = account.exposure(listing);
    worth.add(listing.instrument.settlement, negated(addedMargin(exposure, signedLots)));
  }
  const currencies = new Set([...cash.currencies(), ...worth.currencies()]);
  return [...currencies].every((currency) => {
    const paid = cash.of(currency);
    const total = plus(paid, worth.of(currency));
    return (
      staysAboveZero(account.unreserved(currency), paid) &&
      staysAboveZero(availableFunds(account, currency), total)
    );
  });
}

/** A change that does not worsen the balance is always allowed. */
const staysAboveZero = (before: Money, change: Money): boolean =>
  !isLess(change, ZERO_MONEY) || !isLess(plus(before, change), ZERO_MONEY);

function addCash(cash: Sums, row: OwnRow): void {
  const { listing, side, price, fee, feeCurrency } = row;
  const { instrument, grid } = listing;
  const quantity = grid.quantityOf(row.lots);
  cash.add(feeCurrency, negated(fee));
  const isPaid = instrument.kind === 'option' || instrument.kind === 'spot';
  if (!isPaid) return;
  const value = costOf(instrument, price, quantity);
  const sign = <T extends Money>(amount: T): T => (side === 'buy' ? negated(amount) : amount);
  if (instrument.kind === 'option') {
    cash.add(instrument.settlement, sign(value));
  } else {
    cash.add(instrument.quote, sign(value));
    cash.add(instrument.base, negated(sign(quantity as unknown as Money)));
  }
}

/** Blocks of futures trade away from the mark price: the immediate gain or loss of that. */
function gainAtMark({ listing, side, lots, price }: OwnRow): Money {
  const { instrument, grid, reference } = listing;
  const isFuture = instrument.kind === 'perpetual' || instrument.kind === 'future';
  if (!isFuture || reference === undefined) return ZERO_MONEY;
  const atMark = steps(lotMarksOf(listing, reference.mark).value, lots);
  const atPrice = costOf(instrument, price, grid.quantityOf(lots));
  return gainOf(instrument, signOf(side), minus(atMark, atPrice));
}

/** Checks the funds for the quote, if it were filled in full at its own price. */
export function affordsQuote(state: ExchangeState, rfq: Rfq, quote: RfqQuote): Refusal | undefined {
  const taken = [{ quote, units: quote.units }];
  const best = { ticks: quote.ticks, instruction: quote.instruction, taken };
  const [block] = plannedBlocks(state, rfq, { side: opposite(quote.side), best }) ?? [];
  const isFine =
    block !== undefined && canCarry(state.accounts.get(quote.maker), makersRows(block.rows));
  return isFine
    ? undefined
    : refusal.notEnoughFunds('quantity', 'accepted: what the account can carry if it is filled');
}
