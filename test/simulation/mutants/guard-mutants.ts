// Mutants of guards that are too tight: a slice waits, or orders less, although its limit would let it trade.
import { type Mutant, one } from './mutant.ts';

const PRICES = 'src/core/pricing/price-guards.ts';
const SHARE = 'src/core/portfolio/slices/participation.ts';

/** Limits that hold back no more than they were asked to. */
export const GUARDS: readonly Mutant[] = [
  one(
    'band-by-halves',
    'a child may have half of its distance from the mark',
    [PRICES, 'bps: guards.bandBps,', 'bps: guards.bandBps && guards.bandBps / 2,'],
    1_000,
  ),
  one(
    'slippage-by-halves',
    'a child may have half of its slippage',
    [
      PRICES,
      'bps: guards.slippageMaxBps,',
      'bps: guards.slippageMaxBps && guards.slippageMaxBps / 2,',
    ],
    1_000,
  ),
  one(
    'spread-by-halves',
    'a slice waits for half of its widest spread',
    [PRICES, 'basisPoints(spreadMaxBps);', 'basisPoints(spreadMaxBps / 2);'],
    200,
  ),
  one(
    'volatility-spread-by-halves',
    'an option slice waits for half of its widest volatility spread',
    [PRICES, 'points > spreadMaxVol ?', 'points > spreadMaxVol / 2 ?'],
    2_000,
  ),
  one(
    'worst-price-too-near',
    'the worst price of a leg is four ticks nearer',
    [
      PRICES,
      'const bound = passiveTick(instrument, side, worst);',
      "const bound = passiveTick(instrument, side, worst.plus(instrument.tickSize.mul(side === 'buy' ? -4 : 4)) as Price);",
    ],
    1_000,
  ),
  one(
    'end-cap-by-halves',
    'the end action is held to half of its cap',
    [
      'src/core/portfolio/slices/execution-style.ts',
      "endAction === 'sweep' ? endCapBps : undefined",
      "endAction === 'sweep' ? endCapBps && endCapBps / 2 : undefined",
    ],
    10_000,
  ),
  one(
    'participation-by-halves',
    'a leg takes half of its share of the traded volume',
    [
      SHARE,
      'share(traded, ratioOf(participationMax))',
      'share(traded, ratioOf(participationMax / 2))',
    ],
    1_000,
  ),
  one(
    'volume-forgotten-by-slices',
    'the traded volume counts from the slice, not the leg',
    [
      'src/core/schedule/tape.ts',
      'sum: before === undefined ? ZERO_QUANTITY : tradedBy(before, count)',
      'sum: before === undefined || count.gte(0) ? ZERO_QUANTITY : tradedBy(before, count)',
    ],
    1_000,
  ),
  one(
    'volume-unrecorded',
    'a slice records no traded volume, so participation blocks it',
    [SHARE, 'return traded === undefined ? {} : { traded: text(traded) };', 'return {};'],
    2_000,
  ),
];
