// What a venue has of this deployment and the ledger does not: orders and trades whose labels are of children that no
// stored portfolio ever intended. Nothing is sent before it is durable, so this happens to a ledger that is older than what
// was traded with it: one that was restored from a backup, or recovered to an earlier point in time.
import type { VenueOrder, VenueTrade } from '../../core/order/venue-report.ts';
import { minus, plus, quantity, text, ZERO_QUANTITY } from '../../values/amounts.ts';
import {
  type AccountId,
  type PortfolioId,
  parseChildLabel,
  parseRfqLabel,
} from '../../values/ids.ts';
import type {
  OrdersChoice,
  UnaccountedAccount,
  UnaccountedLeg,
} from '../interface/unaccounted-api.ts';

/** What was found for an account when the daemon started; stored as JSON in the ledger. */
export interface Unaccounted extends UnaccountedAccount {
  /** Every label that belongs to it, whose later trades belong to it too. */
  readonly labels: readonly string[];
}

export interface ChosenOrders {
  readonly orders: OrdersChoice;
  /** Epoch milliseconds. */
  readonly at: number;
}

export interface RestoredMark {
  /** ISO 8601: the instant of the backup. */
  readonly takenAt: string;
}

/** Names of the metadata of the ledger that hold them. */
export const RESTORED_MARK = 'restored';
export const CHOICE_MARK = 'unaccounted orders';
export const unaccountedMark = (account: AccountId): string => `unaccounted ${account}`;

export const portfolioOfLabel = (label: string): PortfolioId | undefined =>
  (parseRfqLabel(label) ?? parseChildLabel(label))?.portfolio;

/** Sums orders and trades by leg, in order of portfolio and leg. */
export function sumByLeg(
  orders: readonly VenueOrder[],
  trades: readonly VenueTrade[],
  isInLedger: (portfolio: PortfolioId) => boolean,
): readonly UnaccountedLeg[] {
  const legs = new Map<string, UnaccountedLeg>();
  for (const order of orders) {
    const open = minus(order.quantity, order.filledQuantity);
    change(legs, { of: order, isInLedger }, (leg) => ({
      open: text(plus(quantity(leg.open), open)),
      orders: leg.orders + 1,
    }));
  }
  for (const trade of trades) {
    change(legs, { of: trade, isInLedger }, (leg) => ({
      filled: text(plus(quantity(leg.filled), trade.quantity)),
      trades: leg.trades + 1,
      firstAt: Math.min(leg.firstAt ?? trade.at, trade.at),
      lastAt: Math.max(leg.lastAt ?? trade.at, trade.at),
    }));
  }
  return [...legs.values()].sort(
    (a, b) => Number(a.portfolio) - Number(b.portfolio) || (a.leg ?? 0) - (b.leg ?? 0),
  );
}

interface Named {
  readonly of: Pick<VenueTrade, 'label' | 'instrument' | 'side'>;
  readonly isInLedger: (portfolio: PortfolioId) => boolean;
}

function change(
  legs: Map<string, UnaccountedLeg>,
  { of: { label, instrument, side }, isInLedger }: Named,
  changed: (leg: UnaccountedLeg) => Partial<UnaccountedLeg>,
): void {
  const portfolio = portfolioOfLabel(label);
  if (portfolio === undefined) return;
  const leg = parseChildLabel(label)?.leg;
  const key = [portfolio, leg, instrument, side].join(' ');
  const zero = text(ZERO_QUANTITY);
  const before = legs.get(key) ?? {
    portfolio,
    isInLedger: isInLedger(portfolio),
    leg,
    instrument,
    side,
    open: zero,
    orders: 0,
    filled: zero,
    trades: 0,
  };
  legs.set(key, { ...before, ...changed(before) });
}

/** The later finding with what was found before: a label once unaccounted for stays so. */
export function merged(before: Unaccounted | undefined, found: Unaccounted): Unaccounted {
  const known = new Set(before?.labels);
  const labels = [...known, ...found.labels.filter((label) => !known.has(label))];
  const legs = found.legs.length === 0 ? (before?.legs ?? []) : found.legs;
  return { ...found, legs, labels };
}

/** The value of a metadata of the ledger; `undefined` if there is none. */
export const parsedMark = <T>(stored: string | undefined): T | undefined =>
  stored === undefined ? undefined : (JSON.parse(stored) as T);
