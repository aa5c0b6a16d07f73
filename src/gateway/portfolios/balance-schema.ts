// How a BALANCE portfolio is cut, as the interface names it.
import { numberedField, wholeField } from '../wire/field-kinds.ts';
import { record } from '../wire/fields.ts';

const PARTS_MAX = 1_000;
const LIMIT_MS_MAX = 604_800_000;

export const balanceTrade = record(
  {
    parts: wholeField({
      min: 1,
      max: PARTS_MAX,
      description: 'Parts that follow each other; each leg is cut into so many',
    }),
    eachLimitMs: wholeField({
      min: 1,
      max: LIMIT_MS_MAX,
      description:
        'Time of one part in milliseconds: a part that has begun to fill is finished through the market after it',
    }),
    totalLimitMs: wholeField({
      min: 0,
      max: LIMIT_MS_MAX,
      description: 'Time of the whole in milliseconds; 0: no limit',
    }),
    totalEndAction: numberedField(
      { 1: 'cancel_remaining', 2: 'fill_by_market' } as const,
      'At the total limit: 1 CANCEL_REMAINING, 2 FILL_BY_MARKET',
    ),
  },
  'How the legs are cut into parts; goes with portfolioType BALANCE',
);
