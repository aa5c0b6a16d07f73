// Reads the combos of all venues, and selects those of a settlement currency and a state.

import type { Combo } from '../../../ports/combo-desk.ts';
import type { Reply } from '../../../ports/trading-desk.ts';
import { throwProgrammingError } from '../../../values/errors/programming-error.ts';
import type { Currency } from '../../../values/ids.ts';
import type { Desks } from '../../desks/desks.ts';
import { choiceField } from '../../wire/field-kinds.ts';
import { optional } from '../../wire/fields.ts';
import { tryAgain } from '../refusals.ts';

export const COMBO_LEGS_MAX = 20;

export const comboStateField = optional(
  choiceField(
    { active: 'active', inactive: 'inactive' } as const,
    'Only combos in this state; all when absent',
  ),
);

/** A market that does not answer has already reported why to the operator. */
export async function readCombos(
  { orders }: { readonly orders: Desks },
  then: (combos: readonly Combo[]) => Reply<unknown>,
): Promise<Reply<unknown>> {
  let combos: readonly Combo[];
  try {
    combos = await orders.combos();
  } catch (error) {
    throwProgrammingError(error);
    return tryAgain('the market does not answer; nothing was done, try again');
  }
  return then(combos);
}

export interface ComboFilter {
  /** Default: settled in any. */
  readonly code?: Currency | undefined;
  readonly state?: Combo['state'] | undefined;
}

export const combosWithin = (
  combos: readonly Combo[],
  { code, state }: ComboFilter,
): readonly Combo[] =>
  combos.filter(
    (one) =>
      (code === undefined || one.instrument.settlement === code) &&
      (state === undefined || one.state === state),
  );
