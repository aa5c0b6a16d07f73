// The seeded market: makers and takers around random-walk indexes. Everything is a function of the settings,
// the instant, and what users recently traded with the makers, so a pause costs nothing.
import { modelPrice, toNumber } from '../../values/amounts.ts';
import { assert, must } from '../../values/assert.ts';
import { type AccountId, accountId, type InstrumentName } from '../../values/ids.ts';
import type { Instant } from '../../values/instant.ts';
import { type Instrument, type Side, singleKindOf } from '../../values/instrument.ts';
import { hash32 } from '../../values/rng.ts';
import { Grid } from '../book/grid.ts';
import type { MakeQuotesCommand, MarketCommand, TakeCommand } from '../exchange-command.ts';
import { COIN_MARKETS } from './coin-markets.ts';
import { COINS, type Coin, START_PRICES } from './coins.ts';
import type { Liquidity } from './liquidity/liquidity.ts';
import { liquidityOf } from './liquidity/liquidity-of.ts';
import { makerQuotes } from './liquidity/makers.ts';
import { OPTION_TAKER_SPREAD, OPTION_TAKERS_PER_SECOND_MAX } from './liquidity/option-liquidity.ts';
import { PRESSURE_MS, type TakerFlow, type TakerTraits, takerFlow } from './liquidity/takers.ts';
import { catalogue } from './listing/catalogue.ts';
import type { MarketSource } from './market-source.ts';
import { type PastMarket, pastMarket } from './past/past-market.ts';
import { type IndexSettings, indexProcess } from './prices/index-process.ts';
import { exposureOf, type LegOutlook } from './prices/leg-outlook.ts';
import { marks, type Valuation } from './prices/marks.ts';
import { moods } from './prices/mood.ts';
import type { NoiseSeed } from './prices/noise.ts';
import { referenceCommand } from './reference-command.ts';
import { rounds } from './rounds.ts';

const MAKER: AccountId = accountId('market-maker');
const TAKER: AccountId = accountId('market-taker');

/** Rounds between two refills of the makers' levels. */
const REFILL_ROUNDS = 4;
const STEP_MS = 250;
/** Trades of users this close together count as one. */
const USERS_TOGETHER_MS = 1_000;

export type MarketSettings = Pick<IndexSettings, 'seed' | 'startAt' | 'correlation'> &
  Partial<Pick<IndexSettings, 'startPrices' | 'stepMs'>>;

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
  users: UserTrade[];
  /** The basis of the current quotes. */
  seen: Outlook | undefined;
  bidTicks: number;
  askTicks: number;
  /** The era of the last quoted sizes. */
  era: number;
}

export function seededMarket(settings: MarketSettings): MarketSource {
  const { seed, startAt, correlation, startPrices = START_PRICES, stepMs = STEP_MS } = settings;
  const index = indexProcess({ seed, startAt, startPrices, stepMs, correlation });
  const listings = catalogue(index);
  const worth = marks(seed, index);
  const stalls = new Map<InstrumentName, Stall>();
  const moves = rounds<Stall>(stepMs);

  const moodOf = moods(index);
  const outlookOf = (stall: Stall, now: Instant): Outlook => {
    const at = worth.value(stall.instrument, now);
    const liquidity = liquidityOf(stall.instrument, at, moodOf(stall.coin, now));
    const round = moves.at(now);
    const [fromMs, untilMs] = [moves.startOf(round), moves.startOf(round + 1)];
    const sold = soldOf(stall, liquidity, fromMs);
    stall.seen = { at, liquidity, now, round, fromMs, untilMs, sold };
    return stall.seen;
  };

  let past: PastMarket | undefined;

  return {
    get past() {
      past ??= pastMarket({
        seed,
        index: indexProcess({ seed, startAt, startPrices, stepMs, correlation }),
        traitsOf: takerTraits,
      });
      return past;
    },
    instruments: (now) => listings.listed(now),
    instrument: (name, now) => listings.instrument(name, now),
    start(name, now) {
      const instrument = must(listings.instrument(name, now), () => `${name} is not listed`);
      assert(!stalls.has(name), () => `${name} is quoted already`);
      const stall = open(instrument, seed);
      stalls.set(name, stall);
      const seen = outlookOf(stall, now);
      return [
        { kind: 'list_instrument', now, instrument },
        referenceCommand(stall, seen.at, now),
        ...requote(stall, seen),
      ];
    },
    step(now) {
      const commands: MarketCommand[] = [];
      for (const stall of moves.next(now, () => stalls.values())) {
        const { expiresAt, name } = stall.instrument;
        if (stalls.get(name) !== stall) continue;
        if (expiresAt !== undefined && expiresAt <= now) continue;
        const seen = outlookOf(stall, now);
        commands.push(
          referenceCommand(stall, seen.at, now),
          ...requote(stall, seen),
          ...takes(stall, seen),
        );
      }
      return commands;
    },
    noteUserTrade(name, { side, quantity, at }) {
      const bought = toNumber(quantity) * (side === 'buy' ? 1 : -1);
      const users = stalls.get(name)?.users;
      const last = users?.at(-1);
      // Trades close together fade together, so that many trades do not lengthen the list to be read.
      if (last !== undefined && at - last.at < USERS_TOGETHER_MS) last.bought += bought;
      else users?.push({ at, bought });
    },
    stop(name, now) {
      if (!stalls.delete(name)) return [];
      return [{ kind: 'make_quotes', now, account: MAKER, instrument: name, bids: [], asks: [] }];
    },
    reference(name, now) {
      const instrument = listings.instrument(name, now);
      if (instrument === undefined) return undefined;
      const grid = new Grid(instrument);
      const tick = toNumber(instrument.tickSize);
      return referenceCommand({ instrument, grid, tick }, worth.value(instrument, now), now);
    },
    outlook(name) {
      const stall = stalls.get(name);
      return stall?.seen && legOutlook(stall.instrument, stall.seen);
    },
    nextStepAt: (now) => (stalls.size === 0 ? undefined : moves.nextAt(now)),
    deliveryPrice(instrument) {
      const expiry = must(instrument.expiresAt, () => `${instrument.name} does not expire`);
      return modelPrice(index.deliveryPrice(coinOf(instrument), expiry));
    },
  };
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
    users: [],
    seen: undefined,
    bidTicks: Number.NaN,
    askTicks: Number.NaN,
    era: Number.NaN,
  };
}

function takerTraits(instrument: Instrument, coin: Coin): TakerTraits {
  const kind = singleKindOf(instrument);
  if (kind === 'option') {
    return { perSecond: OPTION_TAKERS_PER_SECOND_MAX, sizeSpread: OPTION_TAKER_SPREAD };
  }
  const { takersPerSecondMax, takerSpread } = COIN_MARKETS[kind][coin];
  return { perSecond: takersPerSecondMax, sizeSpread: takerSpread };
}

interface Outlook {
  readonly at: Valuation;
  readonly liquidity: Liquidity;
  readonly now: Instant;
  readonly round: number;
  /** Start of the round, epoch milliseconds. */
  readonly fromMs: number;
  readonly untilMs: number;
  /** Net amount recently bought from the makers. */
  readonly sold: number;
}

/** The mid price includes the lean of the book's makers, so that RFQs cannot be arbitraged against the book. */
function legOutlook(instrument: Instrument, { at, liquidity, sold }: Outlook): LegOutlook {
  const { index, mark, fair, option } = at;
  const { halfSpread, leanMax, capacity } = liquidity;
  const { delta = 1, vega = 0 } = option?.greeks ?? {};
  return {
    middle: fair + leanMax * Math.tanh(sold / capacity),
    halfSpread: Math.max(halfSpread, toNumber(instrument.tickSize) / 2),
    ...exposureOf(instrument, { middle: mark, index, delta, vega }),
    index,
    isAlarmed: liquidity.pulled > 0,
  };
}

/** The net amount that takers and users bought from the makers, fading with age. */
function soldOf(stall: Stall, { takerSize, liveliness }: Liquidity, atMs: number): number {
  let sold = takerSize * stall.takers.pressure(atMs, liveliness);
  if (stall.users.length === 0) return sold;
  stall.users = stall.users.filter(({ at }) => atMs - at < PRESSURE_MS);
  for (const { at, bought } of stall.users) {
    sold += bought * Math.min(1, 1 - (atMs - at) / PRESSURE_MS);
  }
  return sold;
}

/** New quotes when the best prices have moved, and periodically to refill the levels. */
function requote(stall: Stall, seen: Outlook): readonly MakeQuotesCommand[] {
  const { at, liquidity, sold, now } = seen;
  const { grid, tick, lot } = stall;
  const modelPrice = at.option?.modelPrice;
  // A refill costs as much as ten evaluations, so each stall has its own round for it.
  const era = Math.floor((seen.round + (stall.seed & 0xff)) / REFILL_ROUNDS);
  const view = { grid, tick, lot, fair: at.fair, modelPrice, sold, liquidity };
  const { bids, asks } = makerQuotes(view, stall.seed, era);
  const [bidTicks, askTicks] = [bids[0]?.priceTicks ?? 0, asks[0]?.priceTicks ?? 0];
  const moved = bidTicks !== stall.bidTicks || askTicks !== stall.askTicks;
  if (!moved && era === stall.era) return [];
  stall.bidTicks = bidTicks;
  stall.askTicks = askTicks;
  stall.era = era;
  const instrument = stall.instrument.name;
  return [{ kind: 'make_quotes', now, account: MAKER, instrument, bids, asks }];
}

/** The takers of this round that the market's activity admits. */
function takes(stall: Stall, seen: Outlook): readonly TakeCommand[] {
  const { at, liquidity, now, fromMs, untilMs } = seen;
  const { grid, tick, lot, instrument } = stall;
  const reach = liquidity.halfSpread + liquidity.leanMax + liquidity.takerReach;
  const limits: Readonly<Record<Side, number>> = {
    buy: grid.ceil(Math.ceil((at.fair + reach) / tick)),
    sell: Math.max(1, grid.floor(Math.floor((at.fair - reach) / tick))),
  };
  return stall.takers
    .between(fromMs, untilMs)
    .filter(({ reserve }) => reserve < liquidity.liveliness)
    .map(({ sign, size }) => {
      const side = sign === 1 ? 'buy' : 'sell';
      const lots = Math.max(grid.minLots, Math.round((size * liquidity.takerSize) / lot));
      const limitTicks = limits[side];
      return {
        kind: 'take',
        now,
        account: TAKER,
        instrument: instrument.name,
        side,
        lots,
        limitTicks,
      } as const;
    });
}
