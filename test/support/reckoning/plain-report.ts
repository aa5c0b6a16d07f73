// A second, plain reckoning of what a report says about the costs of a leg, from its fills, the recorded rows and the definitions in
// docs/report.md alone, in the arithmetic of another library; it imports nothing of the program.
import { BigNumber } from 'bignumber.js';

export interface PlainRow {
  /** Milliseconds. */
  readonly at: number;
  readonly bid?: string | undefined;
  readonly ask?: string | undefined;
  readonly mark?: string | undefined;
  readonly last?: string | undefined;
  readonly underlying?: string | undefined;
  readonly delta?: number | undefined;
  readonly vega?: number | undefined;
  /** Perpetuals: a fraction of the position's value in eight hours. */
  readonly funding?: string | undefined;
  /** Traded since the second before. */
  readonly volume?: string | undefined;
  /** Seen at this event of the portfolio; absent: at a second. */
  readonly version?: number | undefined;
}

export interface PlainFill {
  readonly at: number;
  readonly version: number;
  readonly quantity: string;
  readonly price: string;
  readonly liquidity: 'maker' | 'taker';
  readonly fee: string;
  readonly feeCurrency: string;
  /** The best price of the other side when its order was decided. */
  readonly farTouch: BigNumber | undefined;
  /** A leg of a Block RFQ: its price is allocated. */
  readonly isBlock: boolean;
}

export interface PlainLeg {
  readonly kind: 'inverse' | 'linear' | 'coin_option' | 'dollar_option' | 'spot';
  readonly side: 'buy' | 'sell';
  readonly asked: string;
  /** What it costs in. */
  readonly currency: string;
  /** Spot: the coin. */
  readonly base: string;
  readonly submittedMid: string;
  readonly startAt: number;
  readonly endAt: number;
  readonly activeTo: number;
  readonly fills: readonly PlainFill[];
  readonly rows: readonly PlainRow[];
}

const ROW_HOLDS_MS = 10_000;
const COUNTED_MS = 500;
const BPS = 10_000;
const FUNDING_PERIOD_MS = 8 * 3_600_000;
const big = (value: BigNumber.Value): BigNumber => new BigNumber(value);
const ZERO = big(0);
const sum = (values: readonly BigNumber[]): BigNumber =>
  values.reduce((all, one) => all.plus(one), ZERO);

export type Known = BigNumber | undefined;

export class PlainReport {
  readonly leg: PlainLeg;
  readonly sign: 1 | -1;
  readonly isInverse: boolean;
  readonly isOption: boolean;

  constructor(leg: PlainLeg) {
    this.leg = { ...leg, rows: leg.rows.toSorted(earlier) };
    this.sign = leg.side === 'buy' ? 1 : -1;
    this.isInverse = leg.kind === 'inverse';
    this.isOption = leg.kind.endsWith('option');
  }

  get filled(): BigNumber {
    return sum(this.leg.fills.map(({ quantity }) => big(quantity)));
  }

  /** Harmonic for contracts sized in USD. */
  get average(): BigNumber {
    const { fills } = this.leg;
    return this.isInverse
      ? this.filled.div(sum(fills.map(({ quantity, price }) => big(quantity).div(price))))
      : sum(fills.map(({ quantity, price }) => big(quantity).times(price))).div(this.filled);
  }

  get decision(): BigNumber {
    return big(this.leg.submittedMid);
  }

  get #arrivalRow(): PlainRow {
    const { rows, startAt } = this.leg;
    const found = rows.find((row) => row.at >= startAt && midOf(row) !== undefined);
    if (found === undefined) throw new Error('the script has a mid after the start');
    return found;
  }

  get arrival(): BigNumber {
    return must(midOf(this.#arrivalRow));
  }

  get final(): BigNumber {
    return must(this.#midAt(this.leg.activeTo));
  }

  /** The mean of the mid, by time. */
  twap(to: number): BigNumber {
    const { rows, startAt } = this.leg;
    let [covered, area] = [0, ZERO];
    for (const [index, row] of rows.entries()) {
      const mid = midOf(row);
      const begin = Math.max(row.at, startAt);
      const end = Math.min(rows[index + 1]?.at ?? to, row.at + ROW_HOLDS_MS, to);
      if (mid === undefined || end <= begin) continue;
      covered += end - begin;
      area = area.plus(mid.times(end - begin));
    }
    return area.div(covered);
  }

  /** The seconds that begin after the start, up to the first by which the end is counted. */
  #counted(to: number): readonly PlainRow[] {
    const rows = this.leg.rows.filter((row) => row.volume !== undefined);
    const last = rows.find(({ at }) => at >= to + COUNTED_MS)?.at ?? Number.POSITIVE_INFINITY;
    return rows.filter(({ at }) => at > this.leg.startAt && at <= last);
  }

  get vwap(): BigNumber {
    const rows = this.#counted(this.leg.endAt);
    const value = rows.map(({ volume = '0', last = '0' }) => big(volume).times(last));
    return sum(value).div(sum(rows.map(({ volume = '0' }) => big(volume))));
  }

  get participation(): BigNumber {
    const volume = sum(this.#counted(this.leg.activeTo).map((row) => big(row.volume ?? '0')));
    const booked = this.leg.fills.filter(({ isBlock }) => !isBlock);
    return sum(booked.map(({ quantity }) => big(quantity))).div(volume);
  }

  slippageBps(benchmark: BigNumber): BigNumber {
    return this.average
      .minus(benchmark)
      .div(benchmark)
      .times(BPS * this.sign);
  }

  /** Implementation shortfall, in the currency in which the leg costs. */
  get shortfall() {
    const { asked, fills } = this.leg;
    const worth = (at: BigNumber): BigNumber => (this.isInverse ? big(-1).div(at) : at);
    const [decision, arrival] = [worth(this.decision), worth(this.arrival)];
    const mean = worth(this.twap(this.leg.activeTo));
    const measured = fills.map((fill) => {
      const mid = this.midBefore(fill);
      return { quantity: big(fill.quantity), paid: worth(big(fill.price)), mid: mid && worth(mid) };
    });
    const withMid = measured.filter((one) => one.mid !== undefined);
    const over = (
      of: readonly (typeof measured)[number][],
      each: (one: (typeof measured)[number]) => BigNumber,
    ): BigNumber => sum(of.map((one) => each(one).times(one.quantity))).times(this.sign);
    const parts = {
      delay: arrival.minus(decision).times(asked).times(this.sign),
      market: over(withMid, () => mean.minus(arrival)),
      schedule: over(withMid, (one) => must(one.mid).minus(mean)),
      spread: over(withMid, (one) => one.paid.minus(must(one.mid))),
      unsplit: over(
        measured.filter((one) => one.mid === undefined),
        (one) => one.paid.minus(arrival),
      ),
      residual: worth(this.final)
        .minus(arrival)
        .times(big(asked).minus(this.filled))
        .times(this.sign),
      fees: this.#fees,
    };
    const total = sum(Object.values(parts));
    const order = decision.abs().times(asked);
    return { ...parts, total, order };
  }

  get #fees(): BigNumber {
    const { fills, currency, kind, base } = this.leg;
    return sum(
      fills.map(({ fee, feeCurrency, price }) => {
        if (feeCurrency === currency) return big(fee);
        return kind === 'spot' && feeCurrency === base ? big(fee).times(price) : ZERO;
      }),
    );
  }

  /** USD of one unit of the currency, at the start. */
  get rate(): BigNumber {
    return this.leg.currency === 'BTC' ? big(must(this.#arrivalRow.underlying)) : big(1);
  }

  get underlyingBps(): BigNumber {
    const each = this.leg.kind === 'coin_option' ? big(1) : big(must(this.#arrivalRow.underlying));
    return this.shortfall.total.div(each.times(this.leg.asked)).times(BPS);
  }

  /** s (average − benchmark), in USD, reciprocal for contracts sized in USD. */
  slippageUsd(benchmark: BigNumber): BigNumber {
    const each = this.isInverse
      ? big(1).div(benchmark).minus(big(1).div(this.average))
      : this.average.minus(benchmark);
    return each.times(this.filled).times(this.sign).times(this.rate);
  }

  /** The last row recorded before the fill, without what the portfolio saw at that event or later. */
  rowBefore({ at, version }: PlainFill): PlainRow | undefined {
    const row = this.leg.rows.findLast(
      (one) => one.at <= at && (one.version === undefined || one.version < version),
    );
    return row !== undefined && at - row.at <= ROW_HOLDS_MS ? row : undefined;
  }

  midBefore(fill: PlainFill): Known {
    const row = this.rowBefore(fill);
    return fill.isBlock || row === undefined ? undefined : midOf(row);
  }

  #midAt(at: number): Known {
    const row = this.leg.rows.findLast((one) => one.at <= at);
    return row !== undefined && at - row.at <= ROW_HOLDS_MS ? midOf(row) : undefined;
  }

  /** Twice the distance of fills from the mid before them, of that mid. */
  get effectiveBps(): Known {
    return this.#weighted((fill) => {
      const mid = this.midBefore(fill);
      return mid && big(fill.price).minus(mid).times(this.sign);
    })?.times(2);
  }

  get quotedBps(): Known {
    return this.#weighted((fill) => {
      const { bid, ask } = must(this.rowBefore(fill));
      return bid === undefined || ask === undefined ? undefined : big(ask).minus(bid);
    });
  }

  get improvementBps(): Known {
    return this.#weighted(({ farTouch, price }) => farTouch?.minus(price).times(this.sign));
  }

  /** Of the mid before each fill; of options of the underlying. */
  markoutBps(ms: number, liquidity?: PlainFill['liquidity']): Known {
    return this.#weighted(
      (fill) =>
        liquidity === undefined || fill.liquidity === liquidity
          ? this.#markout(fill, ms)
          : undefined,
      this.#underlyingOf,
    );
  }

  #markout(fill: PlainFill, ms: number): Known {
    const mid = ms === 0 ? this.midBefore(fill) : this.#midAt(fill.at + ms);
    return mid && big(fill.price).minus(mid).times(this.sign);
  }

  /** Twice the distance of fills from the mid a minute later, of the mid before them. */
  get realisedBps(): Known {
    return this.#weighted((fill) => this.#markout(fill, 60_000))?.times(2);
  }

  /** Effective over quoted spread, of the fills that have both. */
  get spreadRatio(): Known {
    let [effective, quoted] = [ZERO, ZERO];
    for (const fill of this.leg.fills) {
      const { bid, ask } = this.rowBefore(fill) ?? {};
      const mid = this.midBefore(fill);
      if (mid === undefined || bid === undefined || ask === undefined) continue;
      const paid = big(fill.price).minus(mid).times(this.sign);
      effective = effective.plus(paid.times(2).times(fill.quantity));
      quoted = quoted.plus(big(ask).minus(bid).times(fill.quantity));
    }
    return quoted.isZero() ? undefined : effective.div(quoted);
  }

  /** By currency. */
  get feesPaid(): ReadonlyMap<string, BigNumber> {
    const paid = new Map<string, BigNumber>();
    for (const { fee, feeCurrency } of this.leg.fills) {
      paid.set(feeCurrency, (paid.get(feeCurrency) ?? ZERO).plus(fee));
    }
    return paid;
  }

  /** What the filled position paid until the end of the interval, and the share of its time with a known rate. */
  get fundingPaid() {
    const { rows, fills, activeTo } = this.leg;
    let [paid, known, held] = [ZERO, 0, 0];
    for (let at = Math.min(...fills.map((fill) => fill.at)); at < activeTo; ) {
      const size = sum(fills.filter((fill) => fill.at <= at).map(({ quantity }) => big(quantity)));
      const row = rows.findLast((one) => one.at <= at);
      const changes = [...rows.map((one) => one.at), ...fills.map((fill) => fill.at), activeTo];
      if (row !== undefined) changes.push(row.at + ROW_HOLDS_MS);
      const next = Math.min(...changes.filter((one) => one > at));
      held += next - at;
      if (row?.funding !== undefined && at < row.at + ROW_HOLDS_MS) {
        const mark = must(row.mark);
        const value = this.isInverse ? size.div(mark) : size.times(mark);
        const share = big(next - at).div(FUNDING_PERIOD_MS);
        paid = paid.plus(value.times(row.funding).times(share).times(this.sign));
        known += next - at;
      }
      at = next;
    }
    return { paid, coverage: big(known).div(held) };
  }

  readonly #baseOf = (fill: PlainFill): Known => this.midBefore(fill);

  readonly #underlyingOf = (fill: PlainFill): Known => {
    if (!this.isOption) return this.midBefore(fill);
    return this.leg.kind === 'coin_option' ? big(1) : big(must(this.rowBefore(fill)?.underlying));
  };

  /** A mean by quantity in basis points; unknown if one that is measured has no base. Blocks are not measured. */
  #weighted(measure: (fill: PlainFill) => Known, baseOf = this.#baseOf): Known {
    let [units, total] = [ZERO, ZERO];
    for (const fill of this.leg.fills) {
      const value = fill.isBlock ? undefined : measure(fill);
      if (value === undefined) continue;
      const base = baseOf(fill);
      if (base === undefined) return undefined;
      units = units.plus(fill.quantity);
      total = total.plus(value.div(base).times(fill.quantity));
    }
    return units.isZero() ? undefined : total.div(units).times(BPS);
  }

  get makerShare(): BigNumber {
    const made = this.leg.fills.filter(({ liquidity }) => liquidity === 'maker');
    return sum(made.map(({ quantity }) => big(quantity))).div(this.filled);
  }

  /** What an option cost against the mid or the mark: USD, basis points of the underlying, volatility points. */
  option(reference: 'mid' | 'mark') {
    let [premium, usd, worth, vega] = [ZERO, ZERO, ZERO, ZERO];
    for (const fill of this.leg.fills) {
      const row = this.rowBefore(fill);
      const at = reference === 'mid' ? this.midBefore(fill) : row?.mark;
      if (at === undefined || row?.underlying === undefined) continue;
      const over = big(fill.price).minus(at).times(fill.quantity).times(this.sign);
      const coins = this.leg.kind === 'coin_option' ? row.underlying : 1;
      premium = premium.plus(over);
      usd = usd.plus(over.times(coins));
      worth = worth.plus(big(row.underlying).times(fill.quantity));
      vega = vega.plus(big(row.vega ?? 0).times(fill.quantity));
    }
    return { premium, usd, vega, volPoints: usd.div(vega), worth };
  }
}

const earlier = (one: PlainRow, other: PlainRow): number =>
  one.at - other.at || (one.version ?? 0) - (other.version ?? 0);

function midOf({ bid, ask }: PlainRow): Known {
  return bid === undefined || ask === undefined ? undefined : big(bid).plus(ask).div(2);
}

function must<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the script has it');
  return value;
}
