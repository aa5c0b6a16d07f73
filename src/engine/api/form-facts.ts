// What submit and plan read from a form alone.
import { type Rejection, reject } from '../../core/rejection.ts';
import type { PortfolioForm } from '../../core/terms/form.ts';
import { type InstrumentName, instrumentName } from '../../values/ids.ts';

export const namesOf = ({ legs }: PortfolioForm): readonly InstrumentName[] =>
  legs.map((leg) => instrumentName(leg.instrument));

interface RefusedForm {
  readonly kind: 'refused';
  readonly rejections: readonly Rejection[];
}

/** The refusal of a form whose account trades nowhere. */
export function noVenue({ accountId }: PortfolioForm): RefusedForm {
  const message = `${accountId} is not an account of this deployment`;
  return { kind: 'refused', rejections: [reject('invalid_parameter', 'accountId', message)] };
}
