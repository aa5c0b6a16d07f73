// Updates the metrics for each portfolio event.
import type { PortfolioEvent } from '../../../core/portfolio/aggregate/portfolio-event.ts';
import type { PortfolioState } from '../../../core/portfolio/aggregate/portfolio-state.ts';
import { planOf } from '../../../core/portfolio/aggregate/positions.ts';
import type { LegSpec } from '../../../core/terms/spec.ts';
import { toNumber } from '../../../values/amounts.ts';
import { type ChildAddress, parseChildLabel } from '../../../values/ids.ts';
import type { BoundedNames } from '../metrics/bounded-names.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { FactsOfLegs } from './leg-facts.ts';
import { OpenSlices } from './open-slices.ts';
import type { Slippage } from './slippage.ts';

type Fate = 'live' | 'filled' | 'cancelled' | 'rejected' | 'unsent';
type FillBooked = Extract<PortfolioEvent, { kind: 'fill_booked' }>;
interface LabelAt {
  readonly label: string;
  readonly at: number;
}

type SliceEnded = Extract<PortfolioEvent, { kind: 'slice_ended' }>;

/** Lost children that another process resolves stay here until they are evicted. */
const LOST_MAX = 10_000;

export class EventCounter {
  readonly #metrics: Metrics;
  readonly #openSlices = new OpenSlices();
  readonly #legs: FactsOfLegs;
  /** When each lost child became unknown, by label. */
  readonly #lostAt = new Map<string, number>();
  /** Events of one child tend to arrive together. */
  #label: string | undefined;
  #address: ChildAddress | undefined;

  readonly #names: BoundedNames;
  readonly #slippage: Slippage | undefined;

  constructor(metrics: Metrics, names: BoundedNames, slippage: Slippage | undefined) {
    this.#metrics = metrics;
    this.#legs = new FactsOfLegs(metrics);
    this.#names = names;
    this.#slippage = slippage;
  }

  /**
   * `state` is the portfolio after the event's turn, `middle` the mid price when a slice started; `undefined`
   * if there was none.
   */
  count(event: PortfolioEvent, state: PortfolioState, middle?: number): void {
    const metrics = this.#metrics;
    switch (event.kind) {
      case 'submitted':
        return this.#submitted(state);
      case 'started':
        return metrics.portfoliosStarted.inc();
      case 'slices_missed':
        return metrics.slicesMissed.inc(event.to - event.from + 1);
      case 'slice_started':
        metrics.slicesStarted.inc();
        this.#slippage?.sliceStarted(state, event, middle);
        return this.#openSlices.started(state.id, event.leg, event.slice);
      case 'slice_waiting':
        metrics.sliceWaits.inc({ reason: event.reason });
        return this.#openSlices.waiting(state.id, event.leg, event.reason);
      case 'slice_ended':
        return this.#sliceEnded(event, state);
      case 'fill_mirrored':
        return metrics.fillsMirrored.inc();
      case 'assumption_broken':
        return metrics.assumptionsBroken.inc();
      case 'hedge_left_open':
        return metrics.hedgesLeftOpen.inc();
      case 'cancelled':
        return this.#ended(state, event.reason);
      case 'filled':
        return this.#ended(state, 'filled');
      case 'slice_arrived':
      case 'amended':
      case 'paused':
      case 'resumed':
      case 'part_started':
      case 'part_waiting':
      case 'part_chased':
      case 'ticks_changed':
      case 'part_ended':
      case 'time_over':
      case 'rfq_skipped':
      case 'rfq_intended':
      case 'rfq_refused':
      case 'rfq_unknown':
      case 'rfq_absent':
      case 'rfq_opened':
      case 'rfq_quoted':
      case 'rfq_accept_intended':
      case 'rfq_accept_refused':
      case 'rfq_accept_unknown':
      case 'rfq_cancel_intended':
      case 'rfq_over':
      case 'cancelling':
        return;
      default:
        return this.#countChild(event, state);
    }
  }

  #countChild(
    event: Extract<PortfolioEvent, { readonly label: string }>,
    state: PortfolioState,
  ): void {
    const metrics = this.#metrics;
    switch (event.kind) {
      case 'child_intended':
        metrics.childrenIntended.inc({
          pricing: state.spec.legs[event.leg]?.pricing.type ?? 'limit',
        });
        if (event.attempt === 1) metrics.slicesPlaced.inc();
        return this.#openSlices.placed(state.id, event.leg);
      case 'child_live':
        return this.#reached(event, state, 'live');
      case 'child_rejected':
        return this.#reached(event, state, 'rejected');
      case 'child_unsent':
        return this.#reached(event, state, 'unsent');
      case 'child_closed':
        return this.#reached(event, state, event.state);
      case 'child_unknown':
        return this.#lost(event, state);
      case 'edit_intended':
        return metrics.repricesIntended.inc({ reason: event.reason ?? 'reference' });
      case 'edit_done':
        return metrics.reprices.inc({ result: 'done' });
      case 'edit_refused':
        return metrics.reprices.inc({ result: 'refused' });
      case 'edit_unknown':
        return metrics.reprices.inc({ result: 'unknown' });
      case 'cancel_intended':
        return metrics.cancelsIntended.inc({ reason: this.#names.of('cancel', event.reason) });
      case 'fill_booked':
        return this.#filled(event, state);
      case 'child_absent':
      case 'child_recalled':
      case 'assumption_broken':
        return;
    }
  }

  #submitted(state: PortfolioState): void {
    const isMirror = state.spec.mirrorOf !== undefined;
    this.#metrics.portfoliosSubmitted.inc({ role: isMirror ? 'mirror' : 'original' });
    if (isMirror) return;
    const planned = state.spec.legs.reduce(
      (sum, leg, index) => (leg.hedge ? sum : sum + planOf(state, index).slices),
      0,
    );
    this.#metrics.slicesPlanned.inc(planned);
  }

  #sliceEnded(event: SliceEnded, state: PortfolioState): void {
    const filled = Number(event.filled);
    const asked = filled + Number(event.returned);
    if (asked > 0) this.#metrics.sliceFillRatio.observe(filled / asked);
    this.#deviated(event, state);
    this.#slippage?.sliceEnded(state.id, event.leg, event.slice);
    const reason = this.#openSlices.ended(state.id, event.leg, event.slice);
    if (reason !== undefined) this.#metrics.slicesSkipped.inc({ reason });
  }

  #ended(state: PortfolioState, reason: Extract<PortfolioEvent, { kind: 'cancelled' }>['reason']) {
    this.#metrics.portfoliosEnded.inc({ reason });
    this.#openSlices.forget(state.id);
    this.#slippage?.forget(state.id);
  }

  #deviated({ leg, slice }: SliceEnded, state: PortfolioState): void {
    const spec = state.spec.legs[leg];
    const now = state.legs[leg];
    if (spec === undefined || now === undefined || spec.hedge) return;
    // Both are the nearest floats of their decimals, so they are equal exactly if the decimals are.
    const ahead = toNumber(now.filled) - toNumber(planOf(state, leg).targetAfter(slice));
    this.#metrics.scheduleDeviation.observe(ahead / this.#legs.of(state, spec).quantity);
  }

  #lost({ label, at }: LabelAt, state: PortfolioState): void {
    this.#metrics.childOutcomes.inc({ outcome: 'unknown', pricing: this.#pricingOf(label, state) });
    if (this.#lostAt.has(label)) return;
    if (this.#lostAt.size >= LOST_MAX) this.#lostAt.clear();
    this.#lostAt.set(label, at);
  }

  #reached({ label, at }: LabelAt, state: PortfolioState, fate: Fate): void {
    this.#metrics.childOutcomes.inc({ outcome: fate, pricing: this.#pricingOf(label, state) });
    if (this.#lostAt.size === 0) return;
    const lostAt = this.#lostAt.get(label);
    if (lostAt === undefined) return;
    this.#lostAt.delete(label);
    this.#metrics.unknownSettle.observe({ fate }, Math.max(0, at - lostAt) / 1_000);
  }

  #filled(event: FillBooked, state: PortfolioState): void {
    this.#metrics.fills.inc({ liquidity: event.liquidity });
    const address = this.#addressOf(event.label);
    const leg = state.spec.legs[address?.leg ?? -1];
    if (address === undefined || leg === undefined) return;
    const [price, quantity] = [Number(event.price), Number(event.quantity)];
    this.#slippage?.filled(state.id, { ...address, price, quantity });
    const { notional, isUsd } = this.#legs.of(state, leg);
    notional?.inc(isUsd ? quantity : Math.abs(price) * quantity);
  }

  /** How the leg of the child is priced; `limit` if the label does not belong to its portfolio. */
  #pricingOf(label: string, { spec }: PortfolioState): LegSpec['pricing']['type'] {
    return spec.legs[this.#addressOf(label)?.leg ?? -1]?.pricing.type ?? 'limit';
  }

  #addressOf(label: string): ChildAddress | undefined {
    if (label !== this.#label) {
      this.#address = parseChildLabel(label);
      this.#label = label;
    }
    return this.#address;
  }
}
