// The rules of amended limits: each must be in its range and able to have an effect.
import { type Rejection, reject } from '../../rejection.ts';
import type { LimitName, LimitTerms } from '../../terms/amend-limits.ts';
import type { Execution } from '../../terms/execution.ts';
import type { PortfolioState } from '../aggregate/portfolio-state.ts';
import { checkRanges } from './admit-execution.ts';

/** Only given limits change; `lift` names those that return to their default. */
export type AmendLimitsForm = { readonly [N in LimitName]?: Execution[N] | undefined } & {
  readonly lift?: readonly LimitName[] | undefined;
};

/** Limits that require a clock schedule. */
const NOT_OF_PARTS: readonly LimitName[] = ['maxCatchUp', 'participationMax'];

export function admitLimits(
  { lift = [], ...given }: AmendLimitsForm,
  { spec, instruments }: PortfolioState,
  faults: Rejection[],
): LimitTerms {
  const complain = (field: string, message: string): void => {
    faults.push(reject('invalid_parameter', `execution.${field}`, message));
  };
  const limits = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  ) as LimitTerms['limits'];
  checkRanges(limits, complain);
  for (const name of Object.keys(limits) as LimitName[]) {
    if (lift.includes(name)) complain('lift', `names ${name}, for which a value is given as well`);
    if (spec.balance !== undefined && NOT_OF_PARTS.includes(name)) {
      complain(name, 'has no effect with BALANCE, which has no clock schedule');
    }
  }
  const kinds = [...instruments.values()].map(({ kind }) => kind);
  if (limits.spreadMaxVol !== undefined && !kinds.includes('option')) {
    complain('spreadMaxVol', 'is accepted only with option legs; accepted here: spreadMaxBps');
  }
  return { limits, lifted: lift };
}
