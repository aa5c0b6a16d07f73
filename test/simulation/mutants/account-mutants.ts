// Mutants of sizes, schedules and prices that are detected only because too little is ordered, or by a second account of the
// portfolio: the reason for the referee's own books.
import { type Mutant, one } from './mutant.ts';

const CORE = 'src/core/portfolio';

/** Rules that hold slices, amendments and hedges to the request, from below as well. */
export const ACCOUNT: readonly Mutant[] = [
  one(
    'half-of-the-slice',
    'an order requests half of the remaining quantity of its slice',
    [
      'src/core/portfolio/slices/work-slice.ts',
      'const wanted = manner.take ?? sliceRest(draft, leg, current);',
      'const wanted = tradable(legInstrument(draft.state, leg), (manner.take ?? sliceRest(draft, leg, current)).div(2) as Quantity);',
    ],
    100,
  ),
  one(
    'never-caught-up',
    'a slice requests only its plan, whatever earlier slices left unfilled',
    [
      'src/core/schedule/catch-up.ts',
      '? plus(planned, proportionOnStep(behind, step, part))',
      '? plus(planned, proportionOnStep(minus(behind, behind), step, part))',
    ],
    100,
  ),
  one(
    'pending-planned-again',
    'an amendment plans the unplaced quantity of the current slice again',
    [`${CORE}/replan.ts`, 'done: keeps ? plus(committed, own) : committed,', 'done: committed,'],
    500,
  ),
  one(
    'amended-slice-skipped',
    'an amended schedule starts one slice late',
    [`${CORE}/replan.ts`, 'slice: nextSlice,\n', 'slice: nextSlice + 1,\n'],
    500,
  ),
  one(
    'amended-from-now',
    'an amended schedule starts at once, which accelerates the pace',
    [`${CORE}/replan.ts`, 'from: pending === undefined ? now : cut,', 'from: now,'],
    500,
  ),
  one(
    'amended-beyond-expiry',
    'a portfolio may trade after its option has expired',
    [
      'src/core/portfolio/admission/judge-terms.ts',
      'if (instrument.expiresAt === undefined || end <= instrument.expiresAt) continue;',
      'if (instrument.expiresAt === undefined || end <= instrument.expiresAt + 3_600_000) continue;',
    ],
    1_000,
  ),
  one(
    'late-fill-counts-twice',
    'a late fill of an earlier slice counts for the current slice',
    [
      'src/core/portfolio/aggregate/evolve.ts',
      'const own = current?.slice === child.slice;',
      'const own = current !== undefined;',
    ],
    1_000,
  ),
  one(
    'hedge-by-halves',
    'a hedge follows half of the fills of the other legs',
    [
      'src/core/schedule/catch-up.ts',
      'const exact = whole.mul(filled).div(total) as Quantity;',
      'const exact = whole.mul(filled).div(total).div(2) as Quantity;',
    ],
    200,
  ),
  one(
    'sweep-by-halves',
    'the end action trades half of the residual',
    [
      `${CORE}/wind-up.ts`,
      'const quantity = restOf(draft, leg);\n  if (isZero(quantity)) return;\n  beginSlice',
      'const quantity = tradable(legInstrument(draft.state, leg), restOf(draft, leg).div(2) as Quantity);\n  if (isZero(quantity)) return;\n  beginSlice',
    ],
    200,
  ),
  one(
    'limits-kept-when-amended',
    'an amendment of the limits changes nothing',
    [
      'src/core/terms/amend-terms.ts',
      'terms.limits ? withLimits(spec.execution, terms.limits) : spec.execution,',
      'spec.execution,',
    ],
    500,
  ),
  one(
    'slice-that-places-nothing',
    'every third slice starts and places nothing',
    [
      'src/core/portfolio/slices/work-slice.ts',
      'if (own.length === 0) placeChild(draft, leg, manner);',
      'if (own.length === 0 && current.slice % 3 !== 1) placeChild(draft, leg, manner);',
    ],
    100,
  ),
  one(
    'slice-left-out',
    'every second slice is skipped',
    [
      `${CORE}/advance.ts`,
      'if (due < nextSlice) return;',
      'if (due < nextSlice || due % 2 === 1) return;',
    ],
    100,
  ),
  one(
    'end-action-skipped',
    'the residual is left untraded, whatever end action was requested',
    [
      `${CORE}/wind-up.ts`,
      "if (endAction === 'cancel' || timeOverAt === undefined || paused !== undefined) return undefined;",
      'if (endAction !== undefined || timeOverAt === undefined || paused !== undefined) return undefined;',
    ],
    200,
  ),
  one(
    'hedge-lags-for-ever',
    'a hedge follows the first fills and then no more',
    [
      `${CORE}/advance.ts`,
      'if (isZero(quantity)) return;\n  emit',
      'if (isZero(quantity) || nextSlice > 0) return;\n  emit',
    ],
    2_000,
  ),
  one(
    'part-left-alone',
    'the second leg of a part is not worked',
    [
      `${CORE}/balance/work-parts.ts`,
      'leg < draft.state.legs.length; leg += 1) tendLeg(draft, leg);',
      'leg < 1; leg += 1) tendLeg(draft, leg);',
    ],
    1_000,
  ),
  one(
    'dollars-by-the-index',
    'a price in USD is converted by the index, not the forward',
    [
      'src/core/pricing/option-price.ts',
      'const forward = quote.underlying ?? quote.index;',
      'const forward = quote.index;',
    ],
    2_000,
  ),
  one(
    'volatility-spread-unminded',
    'an option is sent however wide its spread in volatility is',
    [
      'src/core/pricing/price-guards.ts',
      "return points === undefined || points > spreadMaxVol ? 'wide_spread' : undefined;",
      "return points === undefined ? 'wide_spread' : undefined;",
    ],
    2_000,
  ),
  one(
    'volatility-by-a-little-more',
    'a price in volatility is computed from a volatility a fiftieth higher',
    [
      'src/core/pricing/option-price.ts',
      'const usd = blackPrice(terms, volatility);',
      'const usd = blackPrice(terms, volatility * 1.02);',
    ],
    500,
  ),
  one(
    'arrival-at-the-offer',
    'slippage is measured from the best offer, not from the mid',
    [
      'src/core/pricing/price-guards.ts',
      'bid !== undefined && ask !== undefined ? midpoint(bid.price, ask.price) : mark;',
      'bid !== undefined && ask !== undefined ? ask.price : mark;',
    ],
    200,
  ),
  one(
    'unreached-slices-not-missed',
    'slices after an early end do not count as missed',
    [
      'src/core/portfolio/aggregate/slice-counts.ts',
      'if (isTerminal(state.status)) return { planned, placed, missed: planned - placed };',
      'if (isTerminal(state.status) && planned === 0) return { planned, placed, missed: 0 };',
    ],
    200,
  ),
  one(
    'attempts-counted-as-slices',
    'every attempt of a slice counts as a slice that placed',
    [
      'src/core/portfolio/aggregate/evolve.ts',
      'slice === undefined || slice === leg.lastPlaced',
      'slice === undefined',
    ],
    200,
  ),
  one(
    'auditor-passes-trades-over',
    'the auditor does not report trades that belong to no portfolio',
    [
      'src/engine/audit/audit-venue.ts',
      'findings.push(...(await this.#booked(unbooked)));',
      'await this.#booked(unbooked);',
    ],
    2_000,
  ),
  one(
    'auditor-adds-what-was-sold',
    'the auditor treats every trade of an account as a purchase',
    [
      'src/engine/audit/audit-positions.ts',
      "side === 'buy' ? size : minus(ZERO_QUANTITY, size);",
      "side === 'buy' ? size : plus(ZERO_QUANTITY, size);",
    ],
    2_000,
  ),
  one(
    'worst-price-unminded',
    'orders are priced beyond the worst price of their leg',
    [
      'src/core/pricing/price-guards.ts',
      'if (!isWorse(found.price, bound, side)) return found;',
      'if (isPositive(bound)) return found;',
    ],
    500,
  ),
  one(
    'firing-decided-before-it-is-submitted',
    'a strategy counts as fired before it is submitted',
    [
      'src/main/strategy/strategy-runner.ts',
      'const key = firingKey(strategy.name, due.fire);',
      'const key = firingKey(strategy.name, due.fire);\n      await ledger.setMetadata(cursorMark(strategy.name), String(due.fire));',
    ],
    1_000,
  ),
  one(
    'sales-never-trip',
    'net exposure of market-maker protection trips when long, and never when short',
    [
      'src/core/mmp/decide-mmp.ts',
      "if (deltaLimit && !isLess(absolute(window.delta), deltaLimit)) return 'delta';",
      "if (deltaLimit && !isLess(window.delta, deltaLimit)) return 'delta';",
    ],
    1_000,
  ),
  one(
    'vega-never-trips',
    'market-maker protection has no limit on vega',
    [
      'src/core/mmp/decide-mmp.ts',
      "if (vegaLimit && !isLess(absolute(window.vega), vegaLimit)) return 'vega';",
      '',
    ],
    1_000,
  ),
  one(
    'sold-vega-never-trips',
    'the limit on vega trips for bought options only',
    [
      'src/core/mmp/decide-mmp.ts',
      "if (vegaLimit && !isLess(absolute(window.vega), vegaLimit)) return 'vega';",
      "if (vegaLimit && !isLess(window.vega, vegaLimit)) return 'vega';",
    ],
    1_000,
  ),
  one(
    'vega-counted-gross',
    'the vega of sold options counts as bought',
    [
      'src/core/mmp/mmp-exposure.ts',
      'share(signed, ratioOf(vega)),',
      'share(quantity, ratioOf(vega)),',
    ],
    1_000,
  ),
  one(
    'option-delta-with-its-premium',
    'the delta of a coin-settled option counts without its premium',
    [
      'src/core/mmp/mmp-exposure.ts',
      'const perCoin = minus(ratioOf(delta), premiumOf(instrument, trade));',
      'const perCoin = ratioOf(delta);',
    ],
    1_000,
  ),
  one(
    'option-delta-of-a-forward',
    'an option counts as coins in the limit on delta',
    [
      'src/core/mmp/mmp-exposure.ts',
      'const perCoin = minus(ratioOf(delta), premiumOf(instrument, trade));',
      'const perCoin = minus(ratioOf(Math.sign(delta)), premiumOf(instrument, trade));',
    ],
    1_000,
  ),
  one(
    'partial-fill-is-enough',
    'a slice that was filled in part never tries again',
    [
      'src/core/portfolio/slices/work-slice.ts',
      'if (own.length === 0) placeChild(draft, leg, manner);',
      'if (own.length === 0 && !isPositive(current.filled)) placeChild(draft, leg, manner);',
    ],
    1_000,
  ),
  one(
    'two-attempts-at-most',
    'a slice gives up after its second attempt, whatever it may try',
    [
      'src/core/portfolio/slices/work-slice.ts',
      'if (triesOf(current) >= settings.attemptsMax) return',
      'if (triesOf(current) >= Math.min(2, settings.attemptsMax)) return',
    ],
    1_000,
  ),
  one(
    'divided-a-lot-below-the-limit',
    'a divided order is one lot smaller than allowed',
    [
      'src/core/portfolio/slices/work-slice.ts',
      'wanted: asked, most: cap.quantity }',
      'wanted: asked, most: minus(cap.quantity, instrument.amountStep) }',
    ],
    1_000,
  ),
];
