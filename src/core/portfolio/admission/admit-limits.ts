// The rules of limits that are to hold from now on: each in its range, each where it can have an effect.
import { type Rejection, reject } from '../../rejection.ts';
import type { LimitName, LimitTerms } from '../../terms/amend-limits.ts';
import type { Execution } from '../../terms/execution.ts';
import type { PortfolioState } from '../aggregate/portfolio-state.ts';
import { checkRanges } from './admit-execution.ts';

/** What is absent stays as it is; `lift` names those that go back to their default. */
export type AmendLimitsForm = { readonly [N in LimitName]?: Execution[N] | undefined } & {
  readonly lift?: readonly LimitName[] | undefined;
};

/** Limits of a schedule by the clock. */
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
    if (lift.includes(name)) complain('lift', `names ${name}, which is given beside it`);
    if (spec.balance !== undefined && NOT_OF_PARTS.includes(name)) {
      complain(name, 'does not go with BALANCE: no clock says when to trade');
    }
  }
  const kinds = [...instruments.values()].map(({ kind }) => kind);
  if (limits.spreadMaxVol !== undefined && !kinds.includes('option')) {
    complain('spreadMaxVol', 'goes with option legs only; accepted here: spreadMaxBps');
  }
  return { limits, lifted: lift };
}
