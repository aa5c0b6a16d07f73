// Options for trading the residual as a Block RFQ, in the execution block of a submit.
import type { ExecutionForm } from '../../../core/terms/execution.ts';
import {
  choiceField,
  priceField,
  switchField,
  textField,
  wholeField,
} from '../../wire/field-kinds.ts';
import { list, mapped, optional, record } from '../../wire/fields.ts';
import { numberField, same } from '../../wire/option-fields.ts';

const MAKERS_MAX = 50;
const ALIAS_LENGTH_MAX = 64;
const SECOND_MS = 1_000;

const DESCRIPTION =
  'With rfq: quotes are requested for the residual of all legs in one Block RFQ, and the best quote within the limit is accepted; required there, with limitBps or limitPrice';

const options = record(
  {
    limitBps: optional(
      numberField({
        description:
          'Worst price: basis points of the combined value of the legs by which it may be worse than the reference; this or limitPrice',
        from: 0,
        to: 10_000,
      }),
    ),
    reference: optional(choiceField(same('mark', 'model'), 'Reference of limitBps (default mark)')),
    limitPrice: optional(
      priceField({
        description:
          'Worst price of the only leg in its currency: at most this for a buy, at least this for a sell; several legs need limitBps',
      }),
    ),
    collectSec: optional(
      wholeField({
        min: 0,
        max: 289,
        description:
          'Seconds to collect quotes before the best is accepted; they are shown after 5 (default 10)',
      }),
    ),
    waitSec: optional(
      wholeField({
        min: 6,
        max: 290,
        description: 'Seconds from the end of the schedule until the RFQ is cancelled (default 30)',
      }),
    ),
    allOrNone: optional(
      switchField(
        'Accept only a quote for the whole quantity, not combined quotes of several makers (default false)',
      ),
    ),
    makers: optional(
      list(textField({ max: ALIAS_LENGTH_MAX, description: 'Alias of a maker' }), {
        max: MAKERS_MAX,
        description: 'Makers to address (default all)',
        of: 'aliases',
      }),
    ),
    disclosed: optional(
      switchField(
        'Whether makers see the taker; false needs at least five makers, or none named (default true)',
      ),
    ),
    fallback: optional(
      choiceField(
        same('cancel', 'market', 'sweep'),
        'Treatment of what remains after the RFQ: as the endAction of that name (default cancel)',
      ),
    ),
  },
  DESCRIPTION,
);

export const endRfq = mapped(
  options,
  ({ collectSec, waitSec, allOrNone, ...same }): NonNullable<ExecutionForm['rfq']> => ({
    ...same,
    ...(collectSec !== undefined && { collectMs: collectSec * SECOND_MS }),
    ...(waitSec !== undefined && { waitMs: waitSec * SECOND_MS }),
    ...(allOrNone !== undefined && { wholeOnly: allOrNone }),
  }),
);
