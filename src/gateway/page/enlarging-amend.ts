// Whether an amendment from the page trades more than before. Each field that can be amended has its rule: a new one does not
// compile without.
import type { AmendForm, LegAmendForm } from '../../core/portfolio/admission/admit-amend.ts';
import type { Amended } from '../../engine/interface/change-operations.ts';
import { isPositive, minus, quantity } from '../../values/amounts.ts';

type Limits = Amended['limits'];
type Rule<T> = (value: T, preview: Amended) => boolean;
type Rules<T> = { readonly [K in keyof Required<T>]: Rule<T> };

const never = (): boolean => false;

/** The same quantity in less time trades faster, at worse prices. */
const isShorter: Rule<AmendForm> = (_form, { endAt, endBefore }) => endAt < endBefore;

/** Of every leg, because a total can follow that of another leg. */
const isLarger: Rule<LegAmendForm> = (_leg, { legs }) =>
  legs.some((leg) => isPositive(minus(quantity(leg.quantity), quantity(leg.quantityBefore))));

const LEG_RULES: Rules<LegAmendForm> = {
  leg: never,
  quantity: isLarger,
  // Of other prices none can be said to be stricter without a market.
  priceOptions: ({ priceOptions }) => priceOptions !== undefined,
  filledSeen: never,
};

/** A larger value of each is looser, and an absent one is off. */
const LIMITS: { readonly [K in keyof Required<Limits>]: (limits: Limits) => number } = {
  maxCatchUp: ({ maxCatchUp }) => maxCatchUp,
  collar: ({ collar }) => Number(collar),
  slippageMaxBps: ({ slippageMaxBps = Infinity }) => slippageMaxBps,
  bandBps: ({ bandBps = Infinity }) => bandBps,
  spreadMaxBps: ({ spreadMaxBps = Infinity }) => spreadMaxBps,
  spreadMaxVol: ({ spreadMaxVol = Infinity }) => spreadMaxVol,
  participationMax: ({ participationMax = Infinity }) => participationMax,
};

const RULES: Rules<AmendForm> = {
  durationSec: isShorter,
  endAt: isShorter,
  legs: ({ legs }, preview) =>
    legs.some((leg) => Object.values(LEG_RULES).some((rule) => rule(leg, preview))),
  execution: (_form, { limits, limitsBefore }) =>
    Object.values(LIMITS).some((read) => read(limits) > read(limitsBefore)),
  amendmentsSeen: never,
};

/** `preview` is that of `form`. */
export const enlarges = (form: AmendForm, preview: Amended): boolean =>
  Object.values(RULES).some((rule) => rule(form, preview));
