// How the residual is asked for as a Block RFQ, in the execution block of a submit.
import type { ExecutionForm } from '../../core/terms/execution.ts';
import {
  choiceField,
  priceField,
  switchField,
  textField,
  wholeField,
} from '../wire/field-kinds.ts';
import { list, mapped, optional, record } from '../wire/fields.ts';
import { numberField, same } from '../wire/option-fields.ts';

const MAKERS_MAX = 50;
const ALIAS_LENGTH_MAX = 64;
const SECOND_MS = 1_000;

const DESCRIPTION =
  'With rfq: the residual of all legs is asked for as one Block RFQ and the best quote inside the limit is taken; required there, with limitBps or limitPrice';

const options = record(
  {
    limitBps: optional(
      numberField({
        description:
          'Worst price: so many basis points of what the legs are worth together worse than the reference; this or limitPrice',
        from: 0,
        to: 10_000,
      }),
    ),
    reference: optional(
      choiceField(same('mark', 'model'), 'What limitBps counts from (default mark)'),
    ),
    limitPrice: optional(
      priceField({
        description:
          'Worst price of the one leg in its currency: at most this for a buy, at least this for a sell; several legs take limitBps',
      }),
    ),
    collectSec: optional(
      wholeField({
        min: 0,
        max: 289,
        description:
          'Seconds for which quotes are gathered before the best is taken; they are shown after 5 (default 10)',
      }),
    ),
    waitSec: optional(
      wholeField({
        min: 6,
        max: 290,
        description: 'Seconds from the end of the schedule until it is taken back (default 30)',
      }),
    ),
    allOrNone: optional(
      switchField(
        'Takes only a quote that stands for the whole or nothing, not what several makers offer together (default false)',
      ),
    ),
    makers: optional(
      list(textField({ max: ALIAS_LENGTH_MAX, description: 'Alias of a maker' }), {
        max: MAKERS_MAX,
        description: 'Makers that are asked (default all)',
        of: 'aliases',
      }),
    ),
    disclosed: optional(
      switchField(
        'Makers see who asks; false takes five makers at least, or none named (default true)',
      ),
    ),
    fallback: optional(
      choiceField(
        same('cancel', 'market', 'sweep'),
        'What becomes of what it leaves: as endAction of that name (default cancel)',
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
