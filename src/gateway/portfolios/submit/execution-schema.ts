// The execution block of a submit: how slices are worked. Each option's description states its unit, its
// default and its purpose.
import type { ExecutionForm } from '../../../core/terms/execution.ts';
import {
  choiceField,
  priceField,
  ratioField,
  switchField,
  textField,
  wholeField,
} from '../../wire/field-kinds.ts';
import { list, mapped, optional, record } from '../../wire/fields.ts';
import { numberField, same } from '../../wire/option-fields.ts';
import { endRfq } from './residual-rfq-schema.ts';

const isFraction = (text: string): boolean => text === '1' || /^0(?:\.\d+)?$/.test(text);

const DESCRIPTION = 'How slices are worked; every option has a default';
const STEPS_MAX = 8;
const WOULD_MAX = 20;

const escalation = list(
  record(
    {
      from: numberField({
        description: 'Fraction of the slice at which the step starts; 0 for the first',
        from: 0,
        to: 1,
        isToOpen: true,
      }),
      manner: choiceField(
        same('post', 'rejoin', 'mid', 'cross'),
        'post: rest at the best price on the own side and stay there; rejoin: follow that price; mid: follow the midpoint; cross: take liquidity, up to the collar or the limit of the leg',
      ),
    },
    'One step',
  ),
  {
    min: 1,
    max: STEPS_MAX,
    description:
      'How a slice of a MARKET or LIMIT leg becomes more aggressive, step by step (default: priced as the leg says throughout)',
    of: 'steps',
  },
);

const wouldPrices = list(
  record(
    {
      leg: wholeField({ min: 0, max: WOULD_MAX, description: 'Index of the leg, from 0' }),
      price: priceField({
        description:
          'Price in the currency of the instrument: this or lower for a buy, this or higher for a sell',
      }),
      share: optional(
        numberField({
          description:
            'Largest fraction of the remaining quantity of the leg to take in one evaluation (default 1)',
          from: 0,
          to: 1,
          isFromOpen: true,
        }),
      ),
    },
    'One leg',
  ),
  {
    max: WOULD_MAX,
    description:
      'Prices good enough to take more than scheduled, up to the remaining quantity of the leg and the quantity shown (default none)',
    of: 'prices',
  },
);

const options = record(
  {
    phase: optional(
      numberField({
        description:
          'Shifts every slice by this fraction of its interval, 0 ≤ phase < 1 (default 0)',
        from: 0,
        to: 1,
        isToOpen: true,
      }),
    ),
    aim: optional(
      choiceField(
        same('end', 'middle'),
        'Point of the linear schedule that a slice brings its leg to: the end of its interval, or the middle of the time until the next slice (default end)',
      ),
    ),
    randomSize: optional(
      numberField({
        description:
          'A slice deviates from its even size by at most this fraction; the total stays exact (default 0)',
        from: 0,
        to: 1,
        isToOpen: true,
      }),
    ),
    randomTime: optional(
      numberField({
        description:
          'A slice is delayed by at most this fraction of the rest of its interval (default 0)',
        from: 0,
        to: 1,
        isToOpen: true,
      }),
    ),
    seed: optional(
      textField({
        max: 64,
        description:
          'Seed of randomSize and randomTime: the same seed gives the same plan (default: derived from account and start, stored with the portfolio)',
      }),
    ),
    catchUp: optional(
      choiceField(
        same('spread', 'front'),
        'A shortfall is spread over the remaining slices, or traded at once, both within maxCatchUp (default spread)',
      ),
    ),
    maxCatchUp: optional(
      numberField({
        description: 'Largest slice as a multiple of the planned one while catching up (default 3)',
        from: 1,
        to: 100,
      }),
    ),
    downtime: optional(
      choiceField(
        { catchUp: 'catch_up', skip: 'skip' } as const,
        'Treatment of slices missed while the portfolio was not running, including pauses: caught up, or skipped (default catchUp)',
      ),
    ),
    endAction: optional(
      choiceField(
        same('cancel', 'market', 'sweep', 'extend', 'rfq'),
        'Treatment of the residual at the end: cancel leaves it unfilled, market trades it within the collar, sweep trades it within endCapBps of the mark price, extend continues for extendSec, rfq requests quotes for it in one Block RFQ (default cancel)',
      ),
    ),
    endCapBps: optional(
      numberField({
        description:
          'With sweep, also after an RFQ: largest distance from the mark price, in basis points (default 50)',
        from: 0,
        to: 10_000,
      }),
    ),
    rfq: optional(endRfq),
    extendSec: optional(
      wholeField({
        min: 1,
        max: 86_400,
        description: 'With extend: seconds to continue for, slice by slice; required there',
      }),
    ),
    collar: optional(
      ratioField({
        description:
          'How far through the opposite price a marketable child may be priced, as a fraction (0.005 = 50 bps; default 0.01)',
        check: isFraction,
        accepted: 'a decimal from 0 to 1',
      }),
    ),
    slippageMaxBps: optional(
      numberField({
        description:
          'Children are priced at most this much worse than the mid at the start of their slice, in basis points (default off)',
        from: 0,
        to: 10_000,
      }),
    ),
    bandBps: optional(
      numberField({
        description:
          'Children are priced at most this much worse than the mark price, in basis points (default off)',
        from: 0,
        to: 10_000,
      }),
    ),
    spreadMaxBps: optional(
      numberField({
        description:
          'No orders are placed while the spread is wider, in basis points of the mid (default off)',
        from: 0,
        to: 20_000,
        isFromOpen: true,
      }),
    ),
    spreadMaxVol: optional(
      numberField({
        description:
          'Options: no orders are placed while the spread is wider, in points of volatility (default off)',
        from: 0,
        to: 1_000,
        isFromOpen: true,
      }),
    ),
    participationMax: optional(
      numberField({
        description:
          'A leg is at most this fraction of the volume traded in its instrument since its first slice, its own trades included; hedge legs are exempt (default off)',
        from: 0,
        to: 1,
        isFromOpen: true,
      }),
    ),
    wouldPrices: optional(wouldPrices),
    escalation: optional(escalation),
    avoidWindows: optional(
      switchField(
        'Places no orders and leaves none open in the blackout windows configured for the venue, such as its daily settlement (default false)',
      ),
    ),
    mmpGroup: optional(
      textField({
        max: 64,
        description:
          'MMP group the children count towards; slices wait while it is frozen (default none)',
      }),
    ),
    partTimeout: optional(
      choiceField(
        same('chase', 'keep'),
        'BALANCE: treatment of a started part that is not done after eachLimitMs: completed with market orders, or left as it is (default chase)',
      ),
    ),
  },
  DESCRIPTION,
);

export const executionSchema = mapped(
  options,
  ({ wouldPrices: would, extendSec, ...same }): ExecutionForm => {
    const prices = would?.map(({ leg, price, share = 1 }) => ({ leg, price, share }));
    const extendMs = extendSec === undefined ? undefined : extendSec * 1_000;
    return given({ ...same, would: prices, extendMs });
  },
);

/** Removes undefined fields, so that defaults can be spread under the rest. */
function given<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
