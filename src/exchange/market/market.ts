// The seeded market: makers and takers around walking indexes. It keeps nothing but what it last
// quoted; everything else is a function of the settings and the instant, so a pause costs nothing.
import { modelPrice, toNumber } from '../../values/amounts.ts';
import { assert, must } from '../../values/assert.ts';
import { type AccountId, accountId, type InstrumentName } from '../../values/ids.ts';
import { type Instant, instant } from '../../values/instant.ts';
import type { Instrument } from '../../values/instrument.ts';
import { hash32 } from '../../values/rng.ts';
import type { MakeQuotesCommand, MarketCommand, TakeCommand } from '../command.ts';
import { Grid } from '../grid.ts';
import { catalogue } from './catalogue.ts';
import { COINS, START_PRICES } from './coins.ts';
import { type IndexSettings, indexProcess } from './index-process.ts';
import { type Liquidity, liquidityOf } from './liquidity.ts';
import { makerQuotes } from './makers.ts';
import type { MarketSource } from './market-source.ts';
import { marks, type Valuation } from './marks.ts';
import type { NoiseSeed } from './noise.ts';
import { referenceCommand } from './reference-command.ts';
import { takersIn } from './takers.ts';

const MAKER: AccountId = accountId('market-maker');
const TAKER: AccountId = accountId('market-taker');

/** Steps between two refills of what was taken from the makers. */
const REFILL_STEPS = 4;
const STEP_MS = 250;

export type MarketSettings = Pick<IndexSettings, 'seed' | 'startAt'> &
  Partial<Pick<IndexSettings, 'startPrices' | 'stepMs'>>;

/** One instrument that is being quoted. */
interface Stall {
  readonly instrument: Instrument;
  readonly grid: Grid;
  readonly tick: number;
  readonly lot: number;
  readonly seed: NoiseSeed;
  bidTicks: number;
  askTicks: number;
  quotedStep: number;
}

export function seededMarket(settings: MarketSettings): MarketSource {
  const { seed, startAt, startPrices = START_PRICES, stepMs = STEP_MS } = settings;
  const index = indexProcess({ seed, startAt, startPrices, stepMs });
  const listings = catalogue(index);
  const worth = marks(seed, index);
  const stalls = new Map<InstrumentName, Stall>();
  let lastStep = Number.NaN;

  const open = (instrument: Instrument): Stall => ({
    instrument,
    grid: new Grid(instrument),
    tick: toNumber(instrument.tickSize),
    lot: toNumber(instrument.amountStep),
    seed: hash32(`${seed}/stall/${instrument.name}`),
    bidTicks: Number.NaN,
    askTicks: Number.NaN,
    quotedStep: Number.NaN,
  });

  return {
    instruments: (now) => listings.listed(now),
    instrument: (name, now) => listings.instrument(name, now),
    start(name, now) {
      const instrument = must(listings.instrument(name, now), `${name} is not listed`);
      assert(!stalls.has(name), `${name} is quoted already`);
      const stall = open(instrument);
      stalls.set(name, stall);
      const at = worth.value(instrument, now);
      const liquidity = liquidityOf(instrument, at);
      return [
        { kind: 'list_instrument', now, instrument },
        referenceCommand(stall, at, now),
        ...requote(stall, { at, liquidity }, { now, step: index.stepAt(now) }),
      ];
    },
    step(now) {
      const step = index.stepAt(now);
      if (step === lastStep) return [];
      lastStep = step;
      const commands: MarketCommand[] = [];
      for (const stall of stalls.values()) {
        const { instrument } = stall;
        if (instrument.expiresAt !== undefined && instrument.expiresAt <= now) continue;
        const at = worth.value(instrument, now);
        const liquidity = liquidityOf(instrument, at);
        commands.push(
          referenceCommand(stall, at, now),
          ...requote(stall, { at, liquidity }, { now, step }),
          ...takes(stall, { at, liquidity }, { now, step, stepMs }),
        );
      }
      return commands;
    },
    stop(name, now) {
      if (!stalls.delete(name)) return [];
      return [{ kind: 'make_quotes', now, account: MAKER, instrument: name, bids: [], asks: [] }];
    },
    nextStepAt: (now) =>
      stalls.size === 0 ? undefined : instant((index.stepAt(now) + 1) * stepMs),
    deliveryPrice(instrument) {
      const expiry = must(instrument.expiresAt, `${instrument.name} does not expire`);
      const coin = COINS.find((each) => each === (instrument.base as string));
      return modelPrice(index.deliveryPrice(must(coin, instrument.base), expiry));
    },
  };
}

interface Moment {
  readonly now: Instant;
  readonly step: number;
}

interface Outlook {
  readonly at: Valuation;
  readonly liquidity: Liquidity;
}

/** New quotes when the best prices moved, and now and then to refill what was taken. */
function requote(
  stall: Stall,
  { at, liquidity }: Outlook,
  { now, step }: Moment,
): readonly MakeQuotesCommand[] {
  const view = { ...stall, fair: at.fair, liquidity };
  const era = Math.floor(step / REFILL_STEPS);
  const { bids, asks } = makerQuotes(view, stall.seed, era);
  const [bidTicks, askTicks] = [bids[0]?.priceTicks ?? 0, asks[0]?.priceTicks ?? 0];
  const moved = bidTicks !== stall.bidTicks || askTicks !== stall.askTicks;
  if (!moved && step - stall.quotedStep < REFILL_STEPS) return [];
  stall.bidTicks = bidTicks;
  stall.askTicks = askTicks;
  stall.quotedStep = step;
  const instrument = stall.instrument.name;
  return [{ kind: 'make_quotes', now, account: MAKER, instrument, bids, asks }];
}

function takes(
  stall: Stall,
  { at, liquidity }: Outlook,
  { now, step, stepMs }: Moment & { readonly stepMs: number },
): readonly TakeCommand[] {
  const { grid, tick, lot, instrument, seed } = stall;
  const reach = liquidity.halfSpread + liquidity.takerReach;
  return takersIn(step, { seed, stepMs }, liquidity).map(({ side, size }) => ({
    kind: 'take',
    now,
    account: TAKER,
    instrument: instrument.name,
    side,
    lots: Math.max(grid.minLots, Math.round(size / lot)),
    limitTicks:
      side === 'buy'
        ? grid.ceil(Math.ceil((at.fair + reach) / tick))
        : Math.max(1, grid.floor(Math.floor((at.fair - reach) / tick))),
  }));
}
