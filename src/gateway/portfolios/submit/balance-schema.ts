// How a BALANCE portfolio is divided into parts, in the interface's terms.
import { numberedField, wholeField } from '../../wire/field-kinds.ts';
import { record } from '../../wire/fields.ts';

const PARTS_MAX = 1_000;
const LIMIT_MS_MAX = 604_800_000;

export const balanceTrade = record(
  {
    parts: wholeField({
      min: 1,
      max: PARTS_MAX,
      description: 'Number of consecutive parts; each leg is divided into this many',
    }),
    eachLimitMs: wholeField({
      min: 1,
      max: LIMIT_MS_MAX,
      description:
        'Time limit of one part in milliseconds; a partly filled part is then completed with market orders',
    }),
    totalLimitMs: wholeField({
      min: 0,
      max: LIMIT_MS_MAX,
      description: 'Time limit of the portfolio in milliseconds; 0: no limit',
    }),
    totalEndAction: numberedField(
      { 1: 'cancel_remaining', 2: 'fill_by_market' } as const,
      'At the total limit: 1 CANCEL_REMAINING, 2 FILL_BY_MARKET',
    ),
  },
  'How the legs are divided into parts; for portfolioType BALANCE',
);
