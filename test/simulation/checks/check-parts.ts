// I21 by the exchange's own record: the filled and open quantity of a leg of a BALANCE portfolio never exceeds
// its current part, and a following leg never has more than its leader has filled.

import type { PortfolioState } from '../../../src/core/portfolio/aggregate/portfolio-state.ts';
import { legInstrument, legSpec } from '../../../src/core/portfolio/aggregate/positions.ts';
import type { BalanceSpec } from '../../../src/core/terms/spec.ts';
import { stepsIn } from '../../../src/values/amounts.ts';
import type { TrueOrder } from '../oracles/exchange.oracle.ts';
import type { ReportBreach } from './breach.ts';

/** A portfolio, and what the exchange has of its legs. */
export interface PartsBook {
  readonly state: PortfolioState;
  ordersOf(leg: number): Iterable<Pick<TrueOrder, 'order'>>;
}

/** One leg in whole lots, as the exchange has it. */
interface LegLots {
  readonly total: number;
  readonly filled: number;
  readonly committed: number;
  /** Less than this cannot be ordered, so a part may end without it. */
  readonly least: number;
  readonly hedge: boolean;
}

export function checkParts(book: PartsBook, reportBreach: ReportBreach): void {
  const { balance, legs: specs } = book.state.spec;
  if (balance === undefined || book.state.broken) return;
  const legs = specs.map((_spec, leg) => lotsOf(book, leg));
  const done = partsDone(legs, balance);
  const leader = specs.findIndex(({ priority }) => priority === true);
  for (const [index, leg] of legs.entries()) {
    const most = leg.hedge
      ? hedgeMost(leg, legs)
      : Math.min(
          targetOf(leg, balance, done + 1),
          leader < 0 || leader === index
            ? leg.total
            : followerMost(leg, legs[leader] ?? leg, { balance, done }),
        );
    if (leg.committed > most + 1e-9) {
      const at = `${done} of ${balance.parts} parts done`;
      reportBreach('I21', `leg ${index} has ${leg.committed} lots with ${at}, at most ${most}`);
    }
  }
}

function lotsOf(book: PartsBook, index: number): LegLots {
  const { quantity, hedge } = legSpec(book.state, index);
  const { amountStep, minAmount } = legInstrument(book.state, index);
  let [filled, committed] = [0, 0];
  for (const { order } of book.ordersOf(index)) {
    const done = stepsIn(order.filledQuantity, amountStep);
    filled += done;
    committed += order.state === 'open' ? stepsIn(order.quantity, amountStep) : done;
  }
  const least = Math.max(1, Math.ceil(stepsIn(minAmount, amountStep)));
  return { total: stepsIn(quantity, amountStep), filled, committed, least, hedge };
}

/** Target of a leg after this many completed parts. */
const targetOf = ({ total }: LegLots, { parts }: BalanceSpec, done: number): number =>
  done >= parts ? total : Math.floor((total * done) / parts + 1e-9);

const hasPart = (leg: LegLots, balance: BalanceSpec, done: number): boolean =>
  leg.hedge || targetOf(leg, balance, done) - leg.filled < leg.least;

/** Parts that every leg has, as far as it could be ordered. */
function partsDone(legs: readonly LegLots[], balance: BalanceSpec): number {
  let done = 0;
  while (done < balance.parts && legs.every((leg) => hasPart(leg, balance, done + 1))) done += 1;
  return done;
}

/** In the proportion of the least filled of the others. */
function hedgeMost(leg: LegLots, legs: readonly LegLots[]): number {
  const shares = legs.flatMap((other) => (other.hedge ? [] : [other.filled / other.total]));
  return Math.floor(leg.total * Math.min(1, ...shares) + 1e-9);
}

/** As far in the part as the leading leg; all of it once that one has what it could order. */
function followerMost(
  leg: LegLots,
  leader: LegLots,
  { balance, done }: { readonly balance: BalanceSpec; readonly done: number },
): number {
  if (hasPart(leader, balance, done + 1)) return leg.total;
  const [from, to] = [targetOf(leg, balance, done), targetOf(leg, balance, done + 1)];
  const [first, last] = [targetOf(leader, balance, done), targetOf(leader, balance, done + 1)];
  const share = last > first ? Math.max(0, leader.filled - first) / (last - first) : 1;
  return from + Math.floor((to - from) * share + 1e-9);
}
