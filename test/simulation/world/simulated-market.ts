// A market for simulated runs: three instruments, each a seeded random walk shown as a book of two levels per
// side. It records what it showed, so that the prices of orders can be checked afterwards.

import type {
  MarketCommand,
  QuoteLevel,
  SetReferenceCommand,
} from '../../../src/exchange/exchange-command.ts';
import type { MarketSource } from '../../../src/exchange/market/market-source.ts';
import { impliedVolatility } from '../../../src/quant/implied-volatility.ts';
import { yearFraction } from '../../../src/quant/year-fraction.ts';
import {
  type Price,
  price,
  quantity,
  ratio,
  steps,
  toNumber,
} from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import {
  accountId,
  currency,
  type InstrumentName,
  instrumentName,
} from '../../../src/values/ids.ts';
import { type Instant, later } from '../../../src/values/instant.ts';
import type { Instrument } from '../../../src/values/instrument.ts';
import type { Greeks } from '../../../src/values/quote.ts';
import { type Rng, rng } from '../../../src/values/rng.ts';
import { OPTION_EXPIRES_AT } from '../checks/bounds.ts';
import { ownGreeks } from '../own-books/own-greeks.ts';
import { optionCase } from '../own-books/unit-price.ts';
import type { InstrumentPick, SimulationPlan } from '../plan/plan.ts';
import type { ShownTouch } from './shown-touch.ts';
import type { Trouble } from './trouble.ts';

const PERPETUAL: Instrument = {
  name: instrumentName('BTC-PERPETUAL'),
  kind: 'perpetual',
  base: currency('BTC'),
  quote: currency('USD'),
  settlement: currency('BTC'),
  marginKind: 'inverse',
  amountUnit: 'usd',
  contractSize: quantity('10'),
  amountStep: quantity('10'),
  minAmount: quantity('10'),
  tickSize: price('0.5'),
  tickSteps: [],
  indexName: 'btc_usd',
  makerFee: ratio('0'),
  takerFee: ratio('0.0005'),
};

const SPOT: Instrument = {
  ...PERPETUAL,
  name: instrumentName('BTC_USDC'),
  kind: 'spot',
  quote: currency('USDC'),
  settlement: currency('USDC'),
  marginKind: 'linear',
  amountUnit: 'base',
  contractSize: quantity('0.0001'),
  amountStep: quantity('0.0001'),
  minAmount: quantity('0.0002'),
  tickSize: price('1'),
  indexName: 'btc_usdc',
};

const OPTION: Instrument = {
  ...PERPETUAL,
  name: instrumentName('BTC-25DEC26-100000-C'),
  kind: 'option',
  quote: currency('BTC'),
  amountUnit: 'base',
  contractSize: quantity('1'),
  amountStep: quantity('0.1'),
  minAmount: quantity('0.1'),
  tickSize: price('0.0001'),
  tickSteps: [{ above: price('0.005'), tickSize: price('0.0005') }],
  expiresAt: OPTION_EXPIRES_AT,
  option: { strike: price('100000'), type: 'call' },
};

/** It is never traded: the option settles into it if it ends in the money. */
const FUTURE: Instrument = {
  ...PERPETUAL,
  name: instrumentName('BTC-25DEC26'),
  kind: 'future',
  expiresAt: OPTION_EXPIRES_AT,
};

export const INSTRUMENTS: Readonly<Record<InstrumentPick, Instrument>> = {
  perpetual: PERPETUAL,
  spot: SPOT,
  option: OPTION,
};

export const instrumentOf = (name: string): Instrument =>
  must(
    ALL.find((one) => one.name === name),
    () => `${name} is not simulated`,
  );

const ALL: readonly Instrument[] = [PERPETUAL, SPOT, OPTION, FUTURE];
const LASTING: readonly Instrument[] = [PERPETUAL, SPOT];

const isExpired = ({ expiresAt }: Instrument, now: Instant): boolean =>
  expiresAt !== undefined && expiresAt <= now;
/** Where each walk begins, in ticks, and the tick its prices must be a multiple of. */
const BEGINS = { perpetual: 200_000, spot: 100_000, option: 500, future: 202_000 } as const;
const COARSE = { perpetual: 1, spot: 1, option: 5, future: 1 } as const;
/** Where the walk of an instrument begins, in ticks. */
export const mid = (instrument: InstrumentPick): number => BEGINS[instrument];

const DEEP_LOTS = 1_000_000;
/** Differs from the index, so that confusing the two is detected. */
export const FORWARD = price('101000');
const OUT_OF_MONEY = price('99000');
const MAKER = accountId('simulated-maker');
const TAKER = accountId('simulated-taker');

interface Walk {
  readonly instrument: Instrument;
  readonly draw: Rng;
  /** Of what others take. */
  readonly takes: Rng;
  readonly unit: number;
  mid: number;
  isStarted: boolean;
  readonly shown: ShownTouch[];
  /** The volatility of the mark at an instant, which is requested more than once. */
  valued: { readonly at: Instant; readonly mid: number; readonly markIv: number } | undefined;
}

export class SimulatedMarket implements MarketSource {
  readonly #trouble: Trouble;
  readonly #stepMs: number;
  readonly #takerShare: number;
  readonly #hasGreeks: boolean;
  readonly #deliveryPrice: Price;
  readonly #walks = new Map<InstrumentName, Walk>();
  #steppedAt: Instant;
  #silentUntil: Instant;

  constructor(plan: SimulationPlan, startAt: Instant, trouble: Trouble) {
    this.#trouble = trouble;
    this.#stepMs = plan.marketStepMs;
    this.#takerShare = plan.takerShare;
    this.#hasGreeks = plan.mmp?.hasGreeks ?? false;
    const isInMoney = rng(`${plan.seed}/delivery`).below(3) > 0;
    this.#deliveryPrice = isInMoney ? FORWARD : OUT_OF_MONEY;
    this.#steppedAt = startAt;
    this.#silentUntil = startAt;
    for (const instrument of ALL) {
      const { name, kind } = instrument;
      const unit = COARSE[kind as keyof typeof COARSE];
      const mid = BEGINS[kind as keyof typeof BEGINS];
      const draw = rng(`${plan.seed}/market/${kind}`);
      const takes = draw.split('takes');
      this.#walks.set(name, {
        instrument,
        draw,
        takes,
        unit,
        mid,
        isStarted: false,
        shown: [],
        valued: undefined,
      });
    }
  }

  instruments(now: Instant): readonly Instrument[] {
    return isExpired(OPTION, now) ? LASTING : ALL;
  }

  instrument(name: InstrumentName, now: Instant): Instrument | undefined {
    const instrument = this.#walks.get(name)?.instrument;
    return instrument && !isExpired(instrument, now) ? instrument : undefined;
  }

  /** Everything the instrument was shown at, oldest first. */
  shown(name: InstrumentName): readonly ShownTouch[] {
    return this.#walks.get(name)?.shown ?? [];
  }

  /** Notes the thin books whose shown sides are no longer there, by what the exchange says of them. */
  noteDrained(isWhole: (name: InstrumentName) => boolean): void {
    for (const [name, { isStarted, shown }] of this.#walks) {
      const touch = shown.at(-1);
      if (!isStarted || touch === undefined || touch.isDeep || touch.isDrained) continue;
      touch.isDrained = !isWhole(name);
    }
  }

  start(name: InstrumentName, now: Instant): readonly MarketCommand[] {
    const walk = this.#walk(name);
    walk.isStarted = true;
    const listed: MarketCommand = { kind: 'list_instrument', now, instrument: walk.instrument };
    return [listed, ...this.#show(walk, now)];
  }

  step(now: Instant): readonly MarketCommand[] {
    this.#steppedAt = now;
    const silentMs = this.#trouble.spellMs('market_silent');
    if (silentMs !== undefined) this.#silentUntil = later(now, silentMs);
    if (now < this.#silentUntil) return [];
    const commands: MarketCommand[] = [];
    for (const walk of this.#walks.values()) {
      if (!walk.isStarted || isExpired(walk.instrument, now)) continue;
      this.#move(walk);
      commands.push(...this.#show(walk, now), ...this.#take(walk, now));
    }
    return commands;
  }

  stop(name: InstrumentName, now: Instant): readonly MarketCommand[] {
    const walk = this.#walks.get(name);
    // A combo has no prices of its own.
    if (walk?.isStarted !== true) return [];
    walk.isStarted = false;
    return [{ kind: 'withdraw_book', now, instrument: name }];
  }

  reference(name: InstrumentName, now: Instant): SetReferenceCommand {
    const walk = this.#walk(name);
    const { instrument, mid } = walk;
    const at = steps(instrument.tickSize, mid);
    const index = price('100000');
    const isOption = instrument.kind === 'option';
    const markIv = this.#markIv(walk, now);
    const greeks = this.#hasGreeks && isOption ? greeksOf(instrument, markIv, now) : undefined;
    const mark = isOption ? { markIv, underlying: FORWARD, greeks } : {};
    return { kind: 'set_reference', now, instrument: name, index, mark: at, ...mark };
  }

  nextStepAt(now: Instant): Instant | undefined {
    for (const { isStarted } of this.#walks.values()) {
      if (isStarted) return later(this.#steppedAt, this.#stepMs);
    }
    this.#steppedAt = now;
    return undefined;
  }

  deliveryPrice(): Price {
    return this.#deliveryPrice;
  }

  #walk(name: InstrumentName): Walk {
    return must(this.#walks.get(name), () => `${name} is not simulated`);
  }

  #markIv(walk: Walk, now: Instant): number {
    const { instrument, mid, valued } = walk;
    if (valued?.at === now && valued.mid === mid) return valued.markIv;
    const markIv = markIvOf(instrument, mid, now);
    walk.valued = { at: now, mid, markIv };
    return markIv;
  }

  #move(walk: Walk): void {
    const reach = this.#trouble.strikes('market_fast') ? 200 : 8;
    walk.mid += walk.unit * Math.round((walk.draw.next() - 0.5) * reach);
    walk.mid = Math.max(walk.mid, 20 * walk.unit);
  }

  /** Another participant trades at most a few lots at the best price. */
  #take({ instrument, takes, shown }: Walk, now: Instant): MarketCommand[] {
    const best = shown.at(-1);
    if (this.#takerShare === 0 || takes.next() >= this.#takerShare) return [];
    const side = takes.below(2) === 0 ? 'buy' : 'sell';
    const limitTicks = side === 'buy' ? best?.ask : best?.bid;
    if (limitTicks === undefined) return [];
    const lots = 1 + takes.below(8);
    return [
      { kind: 'take', now, account: TAKER, instrument: instrument.name, side, lots, limitTicks },
    ];
  }

  #show(walk: Walk, now: Instant): MarketCommand[] {
    const { instrument, unit, mid } = walk;
    const gap = unit * (1 + walk.draw.below(4));
    const depth = 1 + walk.draw.below(12);
    const lots = this.#trouble.strikes('market_thin') ? depth : DEEP_LOTS;
    const empty = this.#trouble.strikes('market_one_sided')
      ? this.#trouble.pick('market_one_sided', 2)
      : undefined;
    const bids = empty === 0 ? [] : levels(mid - gap, -unit, lots);
    const asks = empty === 1 ? [] : levels(mid + gap, unit, lots);
    walk.shown.push({
      at: now,
      bid: bids[0]?.priceTicks,
      ask: asks[0]?.priceTicks,
      mark: mid,
      unit,
      isDeep: lots === DEEP_LOTS,
      isDrained: false,
      forward: toNumber(FORWARD),
      markIv: this.#markIv(walk, now),
    });
    return [
      this.reference(instrument.name, now),
      {
        kind: 'show_book',
        now,
        account: MAKER,
        instrument: instrument.name,
        bids,
        asks,
        seenAt: now,
        renewsSizes: false,
      },
    ];
  }
}

/** The volatility at which an option is worth its mark. */
function markIvOf({ option, expiresAt, tickSize }: Instrument, mid: number, now: Instant): number {
  if (option === undefined || expiresAt === undefined) return 0;
  const [forward, strike] = [toNumber(FORWARD), toNumber(option.strike)];
  const terms = { type: option.type, forward, strike, years: yearFraction(expiresAt - now) };
  const implied = impliedVolatility(terms, mid * toNumber(tickSize) * forward);
  return implied.kind === 'found' ? implied.volatility : 0;
}

/** Those that market-maker protection goes by; the others are of no use to anybody of a run. */
const greeksOf = (instrument: Instrument, markIv: number, now: Instant): Greeks => ({
  ...ownGreeks(optionCase(instrument, toNumber(FORWARD), now), markIv),
  gamma: 0,
  theta: 0,
  rho: 0,
});

const levels = (best: number, away: number, lots: number): readonly QuoteLevel[] => [
  { priceTicks: best, lots },
  { priceTicks: best + away, lots },
];
