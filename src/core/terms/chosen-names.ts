// Replaces the choices of a form by the instruments that meet them, for a daemon, a rehearsal and a backtest alike.
import { type Rejection, reject } from '../rejection.ts';
import type { LegForm, PortfolioForm } from './form.ts';
import {
  CHOICE_ACCEPTED,
  choose,
  isChoice,
  type Market,
  parseChoice,
} from './instrument-choice.ts';

type NamedForm =
  | { readonly kind: 'done'; readonly value: PortfolioForm }
  | { readonly kind: 'refused'; readonly rejections: readonly Rejection[] };

export const hasChoices = ({ legs }: Pick<PortfolioForm, 'legs'>): boolean =>
  legs.some(({ instrument }) => isChoice(instrument));

/** Returns the form with real instrument names, or a refusal for each leg without one. */
export function withNames(form: PortfolioForm, market: Market): NamedForm {
  const rejections: Rejection[] = [];
  const legs = form.legs.map((leg, index): LegForm => {
    if (!isChoice(leg.instrument)) return leg;
    const choice = parseChoice(leg.instrument);
    const chosen = choice === undefined ? undefined : choose(choice, market);
    if (chosen?.kind === 'chosen') return { ...leg, instrument: chosen.name };
    if (chosen?.kind === 'undecided') {
      const message = `is ${JSON.stringify(leg.instrument)}, and ${chosen.why}; accepted: the same request in a moment`;
      rejections.push(reject('unavailable', `legs[${index}].instrument`, message));
      return leg;
    }
    const message =
      chosen === undefined
        ? `is ${JSON.stringify(leg.instrument)}; ${CHOICE_ACCEPTED}`
        : `is ${JSON.stringify(leg.instrument)}, and ${chosen.why}; accepted: a choice that an instrument meets`;
    rejections.push(reject('invalid_parameter', `legs[${index}].instrument`, message));
    return leg;
  });
  return rejections.length > 0
    ? { kind: 'refused', rejections }
    : { kind: 'done', value: { ...form, legs } };
}
