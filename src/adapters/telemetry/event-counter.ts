// What each event of a portfolio adds to the metrics.
import type { PortfolioEvent } from '../../core/portfolio/event.ts';
import { planOf } from '../../core/portfolio/positions.ts';
import type { PortfolioState } from '../../core/portfolio/state.ts';
import { parseChildLabel } from '../../values/ids.ts';
import type { Metrics } from './metrics.ts';
import { OpenSlices } from './open-slices.ts';

type Fate = 'live' | 'filled' | 'cancelled' | 'rejected' | 'unsent';
type FillBooked = Extract<PortfolioEvent, { kind: 'fill_booked' }>;
type SliceEnded = Extract<PortfolioEvent, { kind: 'slice_ended' }>;

/** Lost children whose fate another process learns stay here until pushed out. */
const LOST_MAX = 10_000;

export class EventCounter {
  readonly #metrics: Metrics;
  readonly #openSlices = new OpenSlices();
  /** When sight of a child was lost, by label. */
  readonly #lostAt = new Map<string, number>();

  constructor(metrics: Metrics) {
    this.#metrics = metrics;
  }

  /** `state` is the portfolio after the turn the event belongs to. */
  count(event: PortfolioEvent, state: PortfolioState): void {
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
      case 'cancelled':
        return this.#ended(state, event.reason);
      case 'filled':
        return this.#ended(state, 'filled');
      case 'time_over':
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
        metrics.childrenIntended.inc();
        if (event.attempt === 1) metrics.slicesPlaced.inc();
        return this.#openSlices.placed(state.id, event.leg);
      case 'child_live':
        return this.#reached(event, 'live');
      case 'child_rejected':
        return this.#reached(event, 'rejected');
      case 'child_unsent':
        return this.#reached(event, 'unsent');
      case 'child_closed':
        return this.#reached(event, event.state);
      case 'child_unknown':
        metrics.childOutcomes.inc({ outcome: 'unknown' });
        return this.#lost(event);
      case 'edit_intended':
        return metrics.repricesIntended.inc();
      case 'edit_done':
        return metrics.reprices.inc({ result: 'done' });
      case 'edit_refused':
        return metrics.reprices.inc({ result: 'refused' });
      case 'edit_unknown':
        return metrics.reprices.inc({ result: 'unknown' });
      case 'cancel_intended':
        return metrics.cancelsIntended.inc();
      case 'fill_booked':
        return this.#filled(event, state);
      case 'child_absent':
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
    const reason = this.#openSlices.ended(state.id, event.leg, event.slice);
    if (reason !== undefined) this.#metrics.slicesSkipped.inc({ reason });
  }

  #ended(state: PortfolioState, reason: Extract<PortfolioEvent, { kind: 'cancelled' }>['reason']) {
    this.#metrics.portfoliosEnded.inc({ reason });
    this.#openSlices.forget(state.id, state.legs.length);
  }

  #lost({ label, at }: { readonly label: string; readonly at: number }): void {
    if (this.#lostAt.has(label)) return;
    if (this.#lostAt.size >= LOST_MAX) this.#lostAt.clear();
    this.#lostAt.set(label, at);
  }

  #reached({ label, at }: { readonly label: string; readonly at: number }, fate: Fate): void {
    this.#metrics.childOutcomes.inc({ outcome: fate });
    const lostAt = this.#lostAt.get(label);
    if (lostAt === undefined) return;
    this.#lostAt.delete(label);
    this.#metrics.unknownSettle.observe({ fate }, Math.max(0, at - lostAt) / 1_000);
  }

  #filled(event: FillBooked, state: PortfolioState): void {
    this.#metrics.fills.inc({ liquidity: event.liquidity });
    const leg = state.spec.legs[parseChildLabel(event.label)?.leg ?? -1];
    const instrument = leg && state.instruments.get(leg.instrument);
    if (leg === undefined || instrument === undefined) return;
    const { side } = leg;
    const quantity = Number(event.quantity);
    if (instrument.amountUnit === 'usd') {
      this.#metrics.filledNotional.inc({ currency: 'USD', side }, quantity);
    } else {
      const notional = Number(event.price) * quantity;
      this.#metrics.filledNotional.inc({ currency: instrument.quote, side }, notional);
    }
  }
}
