// The seeded market: makers and takers around random-walk indexes. Everything is a function of the settings,
// the instant, and what users recently traded with the makers, so a pause costs nothing.
import { modelPrice, type Price, toNumber } from '../../values/amounts.ts';
import { assert, must } from '../../values/assert.ts';
import { type AccountId, accountId, type InstrumentName } from '../../values/ids.ts';
import { type Instant, instant } from '../../values/instant.ts';
import type { Instrument, Side } from '../../values/instrument.ts';
import { singleKindOf } from '../../values/instrument.ts';
import { hash32 } from '../../values/rng.ts';
import { Grid } from '../book/grid.ts';
import type {
  MakeQuotesCommand,
  MarketCommand,
  SetReferenceCommand,
  TakeCommand,
} from '../exchange-command.ts';
import { COINS, type Coin } from './coins.ts';
import type { Liquidity } from './liquidity/liquidity.ts';
import { liquidityOf } from './liquidity/liquidity-of.ts';
import { makerQuotes } from './liquidity/makers.ts';
import type { TakerTraits } from './liquidity/takers.ts';
import { PRESSURE_MS, type TakerFlow, takerFlow } from './liquidity/takers.ts';
import { type Catalogue, catalogue } from './listing/catalogue.ts';
import {
  COIN_MARKETS,
  ERA_ROUNDS,
  LONG_CLUSTERS,
  OPTION_BOOKS,
  PRICE_CHANGES,
  REGIME_VARIANCE,
  SIDE_MOOD,
  START_PRICES,
  SWAY,
  WIDE_MS,
} from './market-parameters.ts';
import type { MarketSource, UserTrade as NotedTrade } from './market-source.ts';
import { type PastMarket, pastMarket } from './past/past-market.ts';
import { type IndexProcess, type IndexSettings, indexProcess } from './prices/index-process.ts';
import { exposureOf, type LegOutlook } from './prices/leg-outlook.ts';
import { marketActivities } from './prices/market-activity.ts';
import { type Marks, marks, type Valuation } from './prices/marks.ts';
import { type Drift, drift, type NoiseSeed, normalAt, uniformAt } from './prices/noise.ts';
import { referenceCommand } from './reference-command.ts';
import { type Regime, USUAL_REGIME } from './regimes.ts';
import { type UpdateSchedule, updateSchedule } from './update-schedule.ts';

const MAKER: AccountId = accountId('market-maker');
const TAKER: AccountId = accountId('market-taker');

/** Books of options are traded so rarely that they are refilled in this many-th era only. */
const OPTION_REFILL_ERAS = 8;
const OPTION_REFERENCE_ROUNDS = 4;
const STEP_MS = 250;
/** The share of the depth of a book that takers may reach. */
const DEEPEST = 0.8;
/** Trades of users this close together count as one. */
const USERS_TOGETHER_MS = 1_000;

export type MarketSettings = Pick<IndexSettings, 'seed' | 'startAt' | 'correlation'> &
  Partial<Pick<IndexSettings, 'startPrices' | 'stepMs'>> & {
    /** Default {@link USUAL_REGIME}. */
    readonly regime?: Regime | undefined;
    /** Whether its spot pairs are matched on another exchange, as most of Deribit's. Default false. */
    readonly routedSpot?: boolean | undefined;
  };

/** The amount users bought from the bots; negative if they sold. */
interface UserTrade {
  readonly at: Instant;
  bought: number;
}

/** One quoted instrument. */
interface Stall {
  readonly instrument: Instrument;
  readonly coin: Coin;
  readonly grid: Grid;
  readonly tick: number;
  readonly lot: number;
  readonly seed: NoiseSeed;
  readonly takers: TakerFlow;
  /** Standard deviations by which its makers differ from the fair value, at an instant (epoch milliseconds). */
  readonly sway: Drift;
  users: UserTrade[];
  /** The latest look at the market, the one that the current quotes follow, and its reference data. */
  seen: Outlook | undefined;
  quoted: View | undefined;
  reference: { readonly view: View; readonly command: SetReferenceCommand } | undefined;
  bidTicks: number;
  askTicks: number;
  /** Rounds between two refills of the makers' levels while a user trades. */
  readonly eraRounds: number;
  /** Eras from one refill to the next while no user trades. */
  readonly refillEras: number;
  /** No taker arrives before this instant. */
  quietUntilMs: number;
  /** The era of the last quoted sizes. */
  era: number;
  /** It has nothing to say before this round while prices are those of `restBeat` and no user trades. */
  restUntil: number;
  restBeat: number;
}

export const seededMarket = (settings: MarketSettings): MarketSource => new SeededMarket(settings);

class SeededMarket implements MarketSource {
  readonly #seed: string;
  readonly #settings: IndexSettings;
  readonly #index: IndexProcess;
  readonly #listings: Catalogue;
  readonly #worth: Marks;
  readonly #moodOf: ReturnType<typeof marketActivities>;
  readonly #stalls = new Map<InstrumentName, Stall>();
  readonly #moves: UpdateSchedule<Stall>;
  #past: PastMarket | undefined;

  constructor(settings: MarketSettings) {
    const { seed, startAt, correlation, startPrices = START_PRICES, stepMs = STEP_MS } = settings;
    const variance = REGIME_VARIANCE[settings.regime ?? USUAL_REGIME];
    this.#seed = seed;
    this.#settings = { seed, startAt, startPrices, stepMs, correlation, variance };
    this.#index = indexProcess(this.#settings);
    this.#listings = catalogue(this.#index, settings.routedSpot);
    this.#worth = marks(seed, this.#index);
    this.#moodOf = marketActivities(this.#index);
    this.#moves = updateSchedule<Stall>(stepMs);
  }

  get past(): PastMarket {
    this.#past ??= pastMarket({
      seed: this.#seed,
      index: indexProcess(this.#settings),
      traitsOf: takerTraits,
    });
    return this.#past;
  }

  instruments(now: Instant): readonly Instrument[] {
    return this.#listings.listed(now);
  }

  instrument(name: InstrumentName, now: Instant): Instrument | undefined {
    return this.#listings.instrument(name, now);
  }

  start(name: InstrumentName, now: Instant): readonly MarketCommand[] {
    const instrument = must(this.#listings.instrument(name, now), () => `${name} is not listed`);
    assert(!this.#stalls.has(name), () => `${name} is quoted already`);
    const stall = open(instrument, this.#seed);
    this.#stalls.set(name, stall);
    const seen = this.#outlookOf(stall, now);
    return [
      { kind: 'list_instrument', now, instrument },
      referenceAt(stall, seen),
      ...requote(stall, seen),
    ];
  }

  step(now: Instant): readonly MarketCommand[] {
    const commands: MarketCommand[] = [];
    const round = this.#moves.at(now);
    const slowBeat = this.#index.slowBeatAt(now);
    for (const stall of this.#moves.next(now, () => this.#stalls.values())) {
      if (round < stall.restUntil && slowBeat === stall.restBeat) continue;
      const isQuiet = this.#isIdle(stall, now, round);
      if (isQuiet && !isReferenceDue(stall, round)) continue;
      const { expiresAt = Number.POSITIVE_INFINITY, name } = stall.instrument;
      if (this.#stalls.get(name) !== stall || expiresAt <= now) continue;
      if (isQuiet && stall.seen !== undefined) {
        const { view, at } = stall.seen;
        commands.push(referenceAt(stall, { view, at, now }));
        this.#rest(stall, round);
        continue;
      }
      const before = stall.seen?.view;
      const seen = this.#outlookOf(stall, now);
      const quotes = requote(stall, seen);
      if (isReferenceDue(stall, seen.round) || quotes.length > 0 || seen.view !== before) {
        commands.push(referenceAt(stall, seen));
      }
      commands.push(...quotes, ...takes(stall, seen));
      this.#rest(stall, round);
    }
    return commands;
  }

  readonly noteUserTrade = (name: InstrumentName, { side, quantity, at }: NotedTrade): void => {
    const bought = toNumber(quantity) * (side === 'buy' ? 1 : -1);
    const stall = this.#stalls.get(name);
    if (stall === undefined) return;
    stall.restUntil = 0;
    const last = stall.users.at(-1);
    // Trades close together fade together, so that many trades do not lengthen the list to be read.
    if (last !== undefined && at - last.at < USERS_TOGETHER_MS) last.bought += bought;
    else stall.users.push({ at, bought });
  };

  stop(name: InstrumentName, now: Instant): readonly MarketCommand[] {
    if (!this.#stalls.delete(name)) return [];
    return [{ kind: 'make_quotes', now, account: MAKER, instrument: name, bids: [], asks: [] }];
  }

  reference(name: InstrumentName, now: Instant): SetReferenceCommand | undefined {
    const instrument = this.#listings.instrument(name, now);
    if (instrument === undefined) return undefined;
    const grid = new Grid(instrument);
    const tick = toNumber(instrument.tickSize);
    return referenceCommand({ instrument, grid, tick }, this.#worth.value(instrument, now), now);
  }

  outlook(name: InstrumentName): LegOutlook | undefined {
    const stall = this.#stalls.get(name);
    return stall?.seen && legOutlook(stall.instrument, stall.seen);
  }

  nextStepAt(now: Instant): Instant | undefined {
    return this.#stalls.size === 0 ? undefined : this.#moves.nextAt(now);
  }

  deliveryPrice(instrument: Instrument): Price | undefined {
    const expiry = must(instrument.expiresAt, () => `${instrument.name} does not expire`);
    return modelPrice(this.#index.deliveryPrice(coinOf(instrument), expiry));
  }

  #viewOf(stall: Stall, beat: Instant): View {
    const at = this.#worth.value(stall.instrument, beat);
    const mood = this.#moodOf(stall.coin, beat);
    const usual = liquidityOf(stall.instrument, at, mood);
    const liquidity = varied(usual, stall.seed, beat);
    const usualHalfSpread = Math.min(usual.halfSpread, liquidity.halfSpread);
    const sold = liquidity.takerSize * stall.takers.pressure(beat, liquidity.liveliness);
    return { beat, at, liquidity, usualHalfSpread, sold };
  }

  #outlookOf(stall: Stall, now: Instant): Outlook {
    const beat = this.#worth.beatAt(stall.instrument, now);
    const known = stall.seen?.view;
    const view = known?.beat === beat ? known : this.#viewOf(stall, beat);
    const round = this.#moves.at(now);
    const [fromMs, untilMs] = [this.#moves.startOf(round), this.#moves.startOf(round + 1)];
    const { at, liquidity } = view;
    const sold = view.sold + boughtByUsers(stall, fromMs);
    // The makers of some books revise their prices between two changes of the index too.
    const opinion =
      liquidity.sway === 0 ? 0 : liquidity.sway * stall.sway(this.#opinedAt(stall, round));
    stall.seen = { view, at, liquidity, now, round, fromMs, untilMs, sold, opinion };
    return stall.seen;
  }

  /** Makers form their opinion when they refill their levels (epoch milliseconds). */
  #opinedAt(stall: Stall, round: number): number {
    return this.#moves.startOf(round - ((round + (stall.seed & 0xff)) % stall.eraRounds));
  }

  /** Nothing to say about an option but its reference: no change of prices, no taker, no user, no refill. */
  #isIdle(stall: Stall, now: Instant, round: number): boolean {
    if (stall.refillEras === 1 || stall.users.length > 0) return false;
    if (stall.seen?.view.beat !== this.#worth.beatAt(stall.instrument, now)) return false;
    if (isRefillDue(stall, eraOf(stall, round))) return false;
    const untilMs = this.#moves.startOf(round + 1);
    if (untilMs <= stall.quietUntilMs) return true;
    stall.quietUntilMs = stall.takers.quietUntil(this.#moves.startOf(round));
    return untilMs <= stall.quietUntilMs;
  }

  /**
   * Lets an option rest until its reference is due, which is when a refill may be due too, or a taker may come: asking hundreds
   * of options in each round costs more than all that they say.
   */
  #rest(stall: Stall, round: number): void {
    if (stall.refillEras === 1 || stall.users.length > 0) return;
    const until = nextReference(stall, round);
    if (this.#moves.startOf(until) > stall.quietUntilMs) {
      stall.quietUntilMs = stall.takers.quietUntil(this.#moves.startOf(round + 1));
    }
    stall.restUntil = Math.min(until, this.#moves.at(instant(Math.floor(stall.quietUntilMs))));
    stall.restBeat = stall.seen?.view.beat ?? Number.NaN;
  }
}

const coinOf = ({ base, name }: Instrument): Coin =>
  must(
    COINS.find((coin) => coin === (base as string)),
    () => `coin of ${name}`,
  );

function open(instrument: Instrument, marketSeed: string): Stall {
  const seed = hash32(`${marketSeed}/stall/${instrument.name}`);
  const coin = coinOf(instrument);
  return {
    instrument,
    coin,
    grid: new Grid(instrument),
    tick: toNumber(instrument.tickSize),
    lot: toNumber(instrument.amountStep),
    seed,
    takers: takerFlow(seed, takerTraits(instrument, coin)),
    sway: swayOf(seed),
    users: [],
    seen: undefined,
    quoted: undefined,
    reference: undefined,
    bidTicks: Number.NaN,
    askTicks: Number.NaN,
    eraRounds: ERA_ROUNDS[singleKindOf(instrument)],
    refillEras: instrument.kind === 'option' ? OPTION_REFILL_ERAS : 1,
    quietUntilMs: 0,
    era: Number.NaN,
    restUntil: 0,
    restBeat: Number.NaN,
  };
}

/** A book as of the last change of prices, apart from what users did. */
interface View {
  readonly beat: Instant;
  readonly at: Valuation;
  readonly liquidity: Liquidity;
  /** What makers of Block RFQs and takers go by, however wide the book is shown. */
  readonly usualHalfSpread: number;
  /** Net amount recently bought from the makers by takers. */
  readonly sold: number;
}

interface Outlook {
  readonly view: View;
  readonly at: Valuation;
  readonly liquidity: Liquidity;
  readonly now: Instant;
  readonly round: number;
  /** Start of the round, epoch milliseconds. */
  readonly fromMs: number;
  readonly untilMs: number;
  /** Net amount recently bought from the makers. */
  readonly sold: number;
  /** By how much the makers differ from the fair value, in the quote unit. */
  readonly opinion: number;
}

/** The mid price includes the lean of the book's makers, so that RFQs cannot be arbitraged against the book. */
function legOutlook(instrument: Instrument, { at, view, liquidity, sold }: Outlook): LegOutlook {
  const { index, mark, fair, option } = at;
  const { leanMax, capacity } = liquidity;
  const { delta = 1, vega = 0 } = option?.greeks ?? {};
  return {
    middle: fair + leanMax * Math.tanh(sold / capacity),
    halfSpread: Math.max(view.usualHalfSpread, toNumber(instrument.tickSize) / 2),
    ...exposureOf(instrument, { middle: mark, index, delta, vega }),
    index,
    isAlarmed: liquidity.pulled > 0,
  };
}

/**
 * The width of a book varies from one change of prices to the next, and in the money from one book to another, of which some
 * are wide for hours.
 */
function varied(liquidity: Liquidity, seed: NoiseSeed, beat: Instant): Liquidity {
  const { widthSpread, modeSpread, wide, halfSpread } = liquidity;
  if (widthSpread === 0 && modeSpread === 0) return liquidity;
  const hours = Math.floor(beat / WIDE_MS);
  const isWide = uniformAt(seed ^ 0x71374491, hours) < wide.share;
  const factor = Math.exp(
    widthSpread * normalAt(seed ^ 0x3c6ef372, beat) +
      modeSpread * normalAt(seed ^ 0x240ca1cc, hours),
  );
  return { ...liquidity, halfSpread: (isWide ? wide.halfSpread : halfSpread) * factor };
}

/** The net amount that users bought from the makers, fading with age. */
function boughtByUsers(stall: Stall, atMs: number): number {
  let net = 0;
  if (stall.users.length === 0) return net;
  stall.users = stall.users.filter(({ at }) => atMs - at < PRESSURE_MS);
  for (const { at, bought } of stall.users) {
    net += bought * Math.min(1, 1 - (atMs - at) / PRESSURE_MS);
  }
  return net;
}

/** Converted to decimals once per change of prices. */
function referenceAt(
  stall: Stall,
  { view, at, now }: Pick<Outlook, 'view' | 'at' | 'now'>,
): SetReferenceCommand {
  if (stall.reference?.view !== view) {
    stall.reference = { view, command: referenceCommand(stall, at, now) };
  }
  return { ...stall.reference.command, now };
}

/** Each stall has its own rounds for a refill, because a refill costs as much as ten evaluations. */
const eraOf = ({ seed, eraRounds }: Stall, round: number): number =>
  Math.floor((round + (seed & 0xff)) / eraRounds);

const isRefillDue = ({ era, refillEras, users }: Stall, now: number): boolean =>
  now !== era && (users.length > 0 || now % refillEras === 0);

/** References of options are repeated every second, the few others with every step. */
const isReferenceDue = ({ seed, instrument }: Stall, round: number): boolean =>
  instrument.kind !== 'option' || (round + seed) % OPTION_REFERENCE_ROUNDS === 0;

/** The next round in which the reference of an option is due, and a refill may be. */
const nextReference = ({ seed }: Stall, round: number): number =>
  round + OPTION_REFERENCE_ROUNDS - ((round + seed) % OPTION_REFERENCE_ROUNDS);

/** New quotes when the best prices have moved, and periodically to refill the levels. */
function requote(stall: Stall, seen: Outlook): readonly MakeQuotesCommand[] {
  const { at, liquidity, sold, now } = seen;
  const { grid, tick, lot } = stall;
  const modelPrice = at.option?.modelPrice;
  const era = eraOf(stall, seen.round);
  const isDue = isRefillDue(stall, era);
  const isStill = seen.view === stall.quoted && liquidity.sway === 0;
  if (isStill && stall.users.length === 0 && !isDue) return [];
  stall.quoted = seen.view;
  const fair = at.fair + seen.opinion;
  const view = { grid, tick, lot, fair, modelPrice, sold, liquidity };
  const { bids, asks } = makerQuotes(view, stall.seed, era);
  const [bidTicks, askTicks] = [bids[0]?.priceTicks ?? 0, asks[0]?.priceTicks ?? 0];
  const moved = bidTicks !== stall.bidTicks || askTicks !== stall.askTicks;
  if (!moved && !isDue) return [];
  stall.bidTicks = bidTicks;
  stall.askTicks = askTicks;
  stall.era = era;
  const instrument = stall.instrument.name;
  return [{ kind: 'make_quotes', now, account: MAKER, instrument, bids, asks }];
}

/**
 * How far from the fair value takers trade: never as far as the makers' last level, so that no cluster of takers empties
 * a side, however the makers lean.
 */
function reachOf(halfSpread: number, { leanMax, takerReach, depths }: Liquidity): number {
  const last = depths.at(-1) ?? 0;
  return Math.min(halfSpread + leanMax + takerReach, halfSpread - leanMax + DEEPEST * last);
}

/** The takers of this round that the market's activity admits. */
function takes(stall: Stall, seen: Outlook): readonly TakeCommand[] {
  const { at, liquidity, now, fromMs, untilMs } = seen;
  const { grid, tick, lot, instrument } = stall;
  const arriving = stall.takers
    .between(fromMs, untilMs)
    .filter(({ reserve }) => reserve < liquidity.liveliness);
  if (arriving.length === 0) return [];
  const reach = reachOf(seen.view.usualHalfSpread, liquidity);
  const limits: Readonly<Record<Side, number>> = {
    buy: grid.ceil(Math.ceil((at.fair + reach) / tick)),
    sell: Math.max(1, grid.floor(Math.floor((at.fair - reach) / tick))),
  };
  const of = { now, account: TAKER, instrument: instrument.name } as const;
  return arriving.map(({ sign, size }) => {
    const side = sign === 1 ? 'buy' : 'sell';
    const lots = Math.max(grid.minLots, Math.round((size * liquidity.takerSize) / lot));
    return { kind: 'take', ...of, side, lots, limitTicks: limits[side] } as const;
  });
}

// The opinion of a book's makers about the fair value, in standard deviations: where it differs from the market's.

/** A smooth signal whose swings are larger in some minutes than in others. */
function swayOf(seed: NoiseSeed): Drift {
  const swing = drift(seed ^ 0x510e527f, SWAY.periodMs);
  const swell = drift(seed ^ 0x1f83d9ab, PRICE_CHANGES.swellMs);
  return (atMs) => Math.exp(SWAY.swell * swell(atMs)) * swing(atMs);
}

/** How takers of an instrument arrive and trade, by its kind and coin. */
function takerTraits(instrument: Instrument, coin: Coin): TakerTraits {
  const kind = singleKindOf(instrument);
  if (kind === 'option') {
    return {
      perSecond: OPTION_BOOKS.takersPerSecondMax,
      sizeSpread: OPTION_BOOKS.takerSpread,
      sameSide: OPTION_BOOKS.sameSide,
      clusters: LONG_CLUSTERS,
      sideMood: SIDE_MOOD,
    };
  }
  const { takersPerSecondMax, takerSpread, ...rest } = COIN_MARKETS[kind][coin];
  const { sameSide, clusters, sideMood } = rest;
  return { perSecond: takersPerSecondMax, sizeSpread: takerSpread, sameSide, clusters, sideMood };
}
