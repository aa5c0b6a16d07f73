// Recalculates the controls on portfolios: what a strategy may submit, what an account
// has lost, and that a portfolio stops when its orders are refused or its fills drift away.
import type { PortfolioEvent } from '../../../src/core/portfolio/aggregate/portfolio-event.ts';
import type { ExchangeTrade } from '../../../src/exchange/order.ts';
import { toNumber } from '../../../src/values/amounts.ts';
import { parseChildLabel } from '../../../src/values/ids.ts';
import type { ReportBreach } from '../checks/breach.ts';
import { usdOf } from '../checks/checked-order.ts';
import type { SimulationPlan } from '../plan/plan.ts';
import { instrumentOf } from '../world/simulated-market.ts';
import type { ControlsInForce } from './controls-in-force.ts';
import type { PortfolioBook } from './portfolio-book.ts';

export interface PortfolioLimitsOracleOptions {
  readonly plan: SimulationPlan;
  readonly inForce: ControlsInForce;
  readonly books: ReadonlyMap<string, PortfolioBook>;
  readonly nowMs: () => number;
  /** Since when the only daemon is up. */
  readonly upSinceMs: () => number;
  /** Nothing keeps the one daemon from knowing and acting at once. */
  readonly isPrompt: boolean;
  readonly reportBreach: ReportBreach;
}

interface LegTruth {
  readonly arrival: number;
  readonly trades: { readonly atMs: number; readonly price: number; readonly quantity: number }[];
}

/** What was done or said so lately may not be known where it is decided. */
const LATELY_MS = 3_000;
const ACTED_MS = 400;
const BPS = 10_000;

export class PortfolioLimitsOracle {
  readonly #parts: PortfolioLimitsOracleOptions;
  readonly #legs = new Map<string, LegTruth>();
  /** By account: what executing cost, each trade with its instant. */
  readonly #costs = new Map<string, { readonly atMs: number; readonly usd: number }[]>();
  /** Refusals in a row of each portfolio, whichever daemon had them and however often it was started. */
  readonly #refusals = new Map<string, number>();
  /** They still send the covers of their hedges, and cannot be paused once more. */
  readonly #paused = new Set<string>();
  readonly #mustRestSince = new Map<string, { readonly atMs: number; readonly why: string }>();
  readonly #begunAt = new Map<string, number>();

  constructor(parts: PortfolioLimitsOracleOptions) {
    this.#parts = parts;
  }

  /** PT-6, PT-12 and PT-20: the portfolio has just become durable. */
  begun({ id, state: { spec } }: PortfolioBook): void {
    if (spec.mirrorOf !== undefined) return;
    const { inForce, reportBreach, nowMs, isPrompt } = this.#parts;
    const now = nowMs();
    this.#begunAt.set(id, now);
    if (!inForce.isSince(LATELY_MS)) return;
    const { slippageUsdMax } = inForce.numbers;
    const costs = this.#costs.get(spec.accountId) ?? [];
    const lost = costs.reduce((sum, { atMs, usd }) => sum + (atMs < now - ACTED_MS ? usd : 0), 0);
    const last = costs.at(-1)?.atMs ?? 0;
    if (
      slippageUsdMax !== undefined &&
      isPrompt &&
      last < now - ACTED_MS &&
      lost > slippageUsdMax + 1e-6
    ) {
      reportBreach(
        'I10',
        `slippage: ${id} begins after a loss of ${lost} of ${slippageUsdMax} USD`,
      );
    }
    if (spec.strategy === undefined) return;
    this.#judgeStrategy(id, now);
  }

  #judgeStrategy(id: string, now: number): void {
    const { inForce, reportBreach, books } = this.#parts;
    const { strategy, repeats } = inForce.numbers;
    const { spec } = books.get(id)?.state ?? {};
    if (spec === undefined) return;
    const before = [...books.values()].filter(
      (one) =>
        one.id !== id &&
        one.state.spec.accountId === spec.accountId &&
        one.state.spec.strategy === spec.strategy &&
        (this.#begunAt.get(one.id) ?? now) < now - LATELY_MS,
    );
    if (repeats !== undefined && before.length >= repeats.executionsMax) {
      reportBreach(
        'I10',
        `repeated_execution: ${id} follows ${before.length} of ${repeats.executionsMax}`,
      );
    }
    if (strategy === undefined) return;
    const names = new Set(spec.legs.map(({ instrument }) => instrument));
    const perLeg = spec.balance?.parts ?? Math.ceil(spec.durationMs / spec.frequencyMs);
    const usd = spec.legs.reduce((sum, { instrument: name, quantity }) => {
      const instrument = instrumentOf(name);
      return sum + (instrument.kind === 'perpetual' ? usdOf(instrument, toNumber(quantity), 0) : 0);
    }, 0);
    const isOver =
      names.size > strategy.instrumentsMax ||
      perLeg * spec.legs.length > strategy.slicesMax ||
      usd > strategy.usdMax;
    if (isOver) reportBreach('I10', `strategy_limits: ${id} has ${names.size}, ${perLeg}, ${usd}`);
  }

  /** PT-2 and PT-20: the exchange has made a trade. */
  traded(trade: ExchangeTrade): void {
    const address = parseChildLabel(trade.label);
    if (address === undefined) return;
    const now = this.#parts.nowMs();
    const key = `${address.portfolio}/${address.leg}`;
    const price = toNumber(trade.price);
    const arrival = trade.markPrice === undefined ? price : toNumber(trade.markPrice);
    const leg = this.#legs.get(key) ?? { arrival, trades: [] };
    this.#legs.set(key, leg);
    const quantity = toNumber(trade.quantity);
    leg.trades.push({ atMs: now, price, quantity });
    const worse = trade.side === 'buy' ? price - leg.arrival : leg.arrival - price;
    const { amountUnit, kind } = instrumentOf(trade.instrument);
    const usd = amountUnit === 'usd' ? (worse * quantity) / leg.arrival : worse * quantity;
    const costs = this.#costs.get(trade.account) ?? [];
    // As the gate keeps its sums: in cents.
    const rounded =
      kind === 'option' ? Number.NEGATIVE_INFINITY : Math.round(usd * 100 - 1e-6) / 100;
    costs.push({ atMs: now, usd: rounded });
    this.#costs.set(trade.account, costs);
    this.#judgeDrift(address.portfolio, leg, { now, kind });
  }

  #judgeDrift(
    portfolio: string,
    { arrival, trades }: LegTruth,
    { now, kind }: { readonly now: number; readonly kind: string },
  ): void {
    const { drift } = this.#parts.inForce.numbers;
    if (drift === undefined || kind === 'option') return;
    const within = trades.filter(({ atMs }) => atMs > now - drift.windowMs);
    // A trade at the edge of the window counts or not, by whose clock it is.
    const isEdge = trades.some(({ atMs }) => Math.abs(atMs - (now - drift.windowMs)) < ACTED_MS);
    const size = within.reduce((sum, one) => sum + one.quantity, 0);
    const average = within.reduce((sum, one) => sum + one.price * one.quantity, 0) / size;
    const awayBps = (Math.abs(average - arrival) / arrival) * BPS;
    if (isEdge || awayBps <= drift.bps * 1.0001) return;
    this.#mustRest(portfolio, `its fills are ${awayBps} bps from where it began`);
  }

  /** A durable event of a portfolio. */
  happened(portfolio: string, event: PortfolioEvent): void {
    const { inForce, reportBreach, nowMs, isPrompt, upSinceMs } = this.#parts;
    switch (event.kind) {
      case 'child_live':
        this.#refusals.delete(portfolio);
        return;
      case 'child_rejected': {
        if (event.code === 0 || this.#paused.has(portfolio)) return;
        this.#refusals.set(portfolio, (this.#refusals.get(portfolio) ?? 0) + 1);
        return;
      }
      case 'paused':
      case 'resumed':
        if (event.kind === 'paused') this.#paused.add(portfolio);
        else this.#paused.delete(portfolio);
        this.#refusals.delete(portfolio);
        this.#mustRestSince.delete(portfolio);
        return;
      case 'child_intended': {
        if (!inForce.isSince(LATELY_MS)) return;
        const refused = this.#refusals.get(portfolio) ?? 0;
        if (refused >= (inForce.numbers.repeats?.rejectsMax ?? Number.POSITIVE_INFINITY)) {
          reportBreach('I10', `${event.label} intended after ${refused} refusals in a row`);
        }
        const since = this.#mustRestSince.get(portfolio);
        // A start looks at the trades of the day before it sends anything.
        if (since === undefined || !isPrompt || upSinceMs() > nowMs() - ACTED_MS) return;
        if (nowMs() < since.atMs + ACTED_MS) return;
        return reportBreach('I10', `${event.label} intended although ${since.why}`);
      }
      default:
    }
  }

  #mustRest(portfolio: string, why: string): void {
    if (this.#paused.has(portfolio) || this.#mustRestSince.has(portfolio)) return;
    this.#mustRestSince.set(portfolio, { atMs: this.#parts.nowMs(), why });
  }
}
