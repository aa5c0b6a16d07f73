// The cost of fills against the mid price: at the arrival of the portfolio (when its leg's first slice
// started), and against the mean while the slice was open, sampled every second. Basis points; positive is
// worse than the benchmark. Floats, for display only. Knows nothing that happened before the process started.
import type { PortfolioState } from '../../../core/portfolio/aggregate/portfolio-state.ts';
import { toNumber } from '../../../values/amounts.ts';
import type { AccountId, InstrumentName, PortfolioId } from '../../../values/ids.ts';
import { isCombo } from '../../../values/instrument.ts';
import type { HistogramSeries } from '../metrics/histogram.ts';
import type { Metrics } from '../metrics/metrics.ts';

/** The mid price, or its substitute; `undefined` while there is none. */
export type Middle = (account: AccountId, instrument: InstrumentName) => number | undefined;

interface OpenSlice {
  readonly slice: number;
  /** Sum of the sampled mid prices. */
  middles: number;
  samples: number;
  quantity: number;
  /** Σ price × quantity, or Σ quantity ÷ price for contracts sized in USD. */
  value: number;
}

/** Where a leg trades. Slices that start together share one read of it. */
interface Market {
  readonly account: AccountId;
  readonly instrument: InstrumentName;
  middle: number | undefined;
  seenAtMs: number;
}

interface LegTrack {
  readonly market: Market;
  /** Buying at a higher price costs, selling at a higher price gains. */
  readonly sign: 1 | -1;
  readonly isInverse: boolean;
  readonly arrival: number;
  open: OpenSlice | undefined;
}

interface Fill {
  readonly leg: number;
  readonly slice: number;
  readonly price: number;
  readonly quantity: number;
}

/** Portfolios beyond this number are not tracked. */
const PORTFOLIOS_MAX = 20_000;
const BPS = 10_000;
/** A mid price is reused for this long. */
const FRESH_MS = 100;
const NEVER = Number.NEGATIVE_INFINITY;
const MARKETS_MAX = 10_000;

export class Slippage {
  readonly #middle: Middle;
  readonly #nowMs: () => number;
  readonly #markets = new Map<string, Market>();
  readonly #arrival: HistogramSeries;
  readonly #interval: HistogramSeries;
  readonly #tracks = new Map<PortfolioId, (LegTrack | undefined)[]>();
  /** Legs with an open slice: few, as most portfolios wait for their next one. */
  readonly #open = new Set<LegTrack>();

  constructor(metrics: Metrics, middle: Middle, nowMs: () => number = () => performance.now()) {
    this.#arrival = metrics.slippage.at({ benchmark: 'arrival' });
    this.#interval = metrics.slippage.at({ benchmark: 'interval_twap' });
    this.#middle = middle;
    this.#nowMs = nowMs;
  }

  /** The mid price at which a leg would trade now; `undefined` while there is none. */
  middle(state: PortfolioState, leg: number): number | undefined {
    const known = this.#tracks.get(state.id)?.[leg]?.market;
    if (known !== undefined) return this.#middleNow(known);
    const spec = state.spec.legs[leg];
    return spec && this.#middleNow(this.#marketOf(state.spec.accountId, spec.instrument));
  }

  /** `middle` is the mid price at the moment the slice started. */
  sliceStarted(
    state: PortfolioState,
    { leg, slice }: { readonly leg: number; readonly slice: number },
    middle: number | undefined,
  ): void {
    const track = this.#track(state, { leg, slice }, middle);
    if (track === undefined) return;
    const open = { slice, middles: 0, samples: 0, quantity: 0, value: 0 };
    track.open = open;
    this.#open.add(track);
    if (middle !== undefined) addSample(open, middle);
  }

  filled(portfolio: PortfolioId, { leg, slice, price, quantity }: Fill): void {
    const track = this.#tracks.get(portfolio)?.[leg];
    if (track?.open?.slice !== slice) return;
    track.open.quantity += quantity;
    track.open.value += track.isInverse ? quantity / price : quantity * price;
  }

  sliceEnded(portfolio: PortfolioId, leg: number, slice: number): void {
    const track = this.#tracks.get(portfolio)?.[leg];
    const open = track?.open;
    if (track === undefined || open?.slice !== slice) return;
    track.open = undefined;
    this.#open.delete(track);
    if (open.quantity <= 0) return;
    const average = track.isInverse ? open.quantity / open.value : open.value / open.quantity;
    this.#arrival.observe(costBps(track, average, track.arrival));
    if (open.samples === 0) return;
    const mean = open.middles / open.samples;
    this.#interval.observe(costBps(track, average, mean));
  }

  /** Samples every open slice; to be called about every second. */
  sample(): void {
    for (const market of this.#markets.values()) market.seenAtMs = NEVER;
    for (const { open, market } of this.#open) {
      const middle = this.#middleNow(market);
      if (open !== undefined && middle !== undefined) addSample(open, middle);
    }
  }

  #middleNow(market: Market): number | undefined {
    const nowMs = this.#nowMs();
    if (nowMs - market.seenAtMs < FRESH_MS) return market.middle;
    market.middle = this.#middle(market.account, market.instrument);
    market.seenAtMs = nowMs;
    return market.middle;
  }

  #marketOf(account: AccountId, instrument: InstrumentName): Market {
    const key = `${account}/${instrument}`;
    const known = this.#markets.get(key);
    if (known !== undefined) return known;
    // Active legs keep theirs; markets no longer traded are dropped with the rest.
    if (this.#markets.size >= MARKETS_MAX) this.#markets.clear();
    const market = { account, instrument, middle: undefined, seenAtMs: NEVER };
    this.#markets.set(key, market);
    return market;
  }

  forget(portfolio: PortfolioId): void {
    for (const track of this.#tracks.get(portfolio) ?? []) if (track) this.#open.delete(track);
    this.#tracks.delete(portfolio);
  }

  /** Mean cost of all fills so far against arrival, over the legs with fills; `undefined` if unknown. */
  ofPortfolio(state: PortfolioState): number | undefined {
    const tracks = this.#tracks.get(state.id);
    if (tracks === undefined) return undefined;
    let sum = 0;
    let count = 0;
    for (const [index, { filled, value }] of state.legs.entries()) {
      const track = tracks[index];
      const quantity = toNumber(filled);
      if (track === undefined || quantity === 0) continue;
      const average = track.isInverse ? quantity / toNumber(value) : toNumber(value) / quantity;
      sum += costBps(track, average, track.arrival);
      count += 1;
    }
    return count === 0 ? undefined : sum / count;
  }

  #track(
    state: PortfolioState,
    { leg, slice }: { readonly leg: number; readonly slice: number },
    arrival: number | undefined,
  ): LegTrack | undefined {
    const known = this.#tracks.get(state.id);
    if (known?.[leg] !== undefined) return known[leg];
    const spec = state.spec.legs[leg];
    const began = slice > 0 && known === undefined;
    if (spec === undefined || began || this.#tracks.size >= PORTFOLIOS_MAX) return undefined;
    const market = this.#marketOf(state.spec.accountId, spec.instrument);
    // Basis points of a combo's price, which is a difference, would be no measure.
    if (arrival === undefined || arrival <= 0 || isCombo(spec)) return undefined;
    const track: LegTrack = {
      market,
      sign: spec.side === 'buy' ? 1 : -1,
      isInverse: state.instruments.get(spec.instrument)?.amountUnit === 'usd',
      arrival,
      open: undefined,
    };
    const tracks = known ?? [];
    tracks[leg] = track;
    this.#tracks.set(state.id, tracks);
    return track;
  }
}

function addSample(open: OpenSlice, middle: number): void {
  open.middles += middle;
  open.samples += 1;
}

const costBps = ({ sign }: LegTrack, average: number, benchmark: number): number =>
  (sign * (average - benchmark) * BPS) / benchmark;
