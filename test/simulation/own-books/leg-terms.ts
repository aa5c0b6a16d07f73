// The requested terms of one portfolio, in whole lots: from the form its client submitted and the amendments
// requested since. The engine's specification is checked against them.
import type { PortfolioForm } from '../../../src/core/terms/form.ts';
import type { PortfolioSpec } from '../../../src/core/terms/spec.ts';
import { toNumber } from '../../../src/values/amounts.ts';
import type { Instrument } from '../../../src/values/instrument.ts';
import { instrumentOf } from '../world/simulated-market.ts';
import type { AmendWish } from './asked.ts';
import { hedgeLots } from './sizes.ts';

export interface LegTerms {
  readonly instrument: Instrument;
  /** Size of a lot, and the smallest order in lots. */
  readonly step: number;
  readonly least: number;
  readonly side: 'buy' | 'sell';
  readonly lots: number;
  /** As submitted: the people of the simulation never name the total of a hedge, so this is its proportion for good. */
  readonly submittedLots: number;
  readonly hedge: boolean;
  readonly leads: boolean;
}

/** The limits that can be amended; what is absent is off. */
export interface Limits {
  readonly maxCatchUp: number;
  readonly slippageMaxBps?: number | undefined;
  readonly bandBps?: number | undefined;
  readonly spreadMaxBps?: number | undefined;
  readonly spreadMaxVol?: number | undefined;
  readonly participationMax?: number | undefined;
}

export interface Terms {
  readonly durationMs: number;
  readonly legs: readonly LegTerms[];
  readonly limits: Limits;
}

const LIMITS = [
  'slippageMaxBps',
  'bandBps',
  'spreadMaxBps',
  'spreadMaxVol',
  'participationMax',
] as const;
const CATCH_UP_DEFAULT = 3;

/** A quantity in whole lots. */
export const lotsOf = (quantity: number, step: number): number => Math.round(quantity / step);

export function termsOfForm(form: PortfolioForm): Terms {
  const { twapTrade, balanceTrade } = form;
  return {
    durationMs: balanceTrade?.totalLimitMs ?? (twapTrade?.durationSec ?? 0) * 1_000,
    legs: form.legs.map((leg) => {
      const instrument = instrumentOf(leg.instrument);
      const step = toNumber(instrument.amountStep);
      const lots = lotsOf(toNumber(leg.quantity), step);
      return {
        instrument,
        step,
        least: Math.max(1, Math.ceil(toNumber(instrument.minAmount) / step - 1e-9)),
        side: leg.side,
        lots,
        submittedLots: lots,
        hedge: leg.hedge,
        leads: leg.priority === true,
      };
    }),
    limits: limitsOf(form.execution, { maxCatchUp: CATCH_UP_DEFAULT }),
  };
}

/** The terms with a wish fulfilled; a hedge keeps its proportion. */
export function amendedTerms(terms: Terms, wish: AmendWish): Terms {
  const legs = amendedLegs(terms, wish);
  const followed = legs.flatMap(({ hedge, lots: filled, submittedLots: total }) =>
    hedge ? [] : [{ filled, total }],
  );
  const isResized = legs.some(({ lots }, index) => lots !== terms.legs[index]?.lots);
  const { lift = [], ...given } = wish.limits ?? {};
  const kept: Record<string, unknown> = { ...terms.limits };
  for (const name of lift) delete kept[name];
  if (lift.includes('maxCatchUp')) kept['maxCatchUp'] = CATCH_UP_DEFAULT;
  return {
    durationMs: wish.durationSec === undefined ? terms.durationMs : wish.durationSec * 1_000,
    legs: legs.map((leg) =>
      leg.hedge && isResized ? { ...leg, lots: hedgeLots(leg.submittedLots, followed) } : leg,
    ),
    limits: limitsOf(given, kept as unknown as Limits),
  };
}

const amendedLegs = (terms: Terms, wish: AmendWish): readonly LegTerms[] =>
  terms.legs.map((leg, index) => {
    const asked = wish.legs.find((one) => one.leg === index);
    return asked === undefined ? leg : { ...leg, lots: lotsOf(toNumber(asked.quantity), leg.step) };
  });

function limitsOf(
  form: { readonly [N in keyof Limits]?: Limits[N] | undefined },
  before: Limits,
): Limits {
  const limits: Record<string, number | undefined> = { ...before };
  for (const name of ['maxCatchUp', ...LIMITS] as const) {
    if (form[name] !== undefined) limits[name] = form[name];
  }
  return limits as unknown as Limits;
}

/** What the specification says otherwise than the terms; `undefined` where it says the same. */
export function differenceOf(terms: Terms, spec: PortfolioSpec): string | undefined {
  if (spec.durationMs !== terms.durationMs) {
    return `lasts ${spec.durationMs} ms where ${terms.durationMs} were asked for`;
  }
  for (const [index, leg] of terms.legs.entries()) {
    const said = spec.legs[index];
    const lots = said && lotsOf(toNumber(said.quantity), leg.step);
    const isSame =
      lots === leg.lots && said?.side === leg.side && said.instrument === leg.instrument.name;
    if (!isSame) return `leg ${index} is ${lots} lots where ${leg.lots} were asked for`;
  }
  for (const name of ['maxCatchUp', ...LIMITS] as const) {
    const [said, asked] = [spec.execution[name], terms.limits[name]];
    if (said !== asked) return `${name} is ${said} where ${asked} was asked for`;
  }
  return undefined;
}
