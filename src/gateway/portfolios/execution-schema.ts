// The execution block of a submit: how slices are worked. Each option says its unit, what it is without
// being named, and what it is for.
import type { ExecutionForm } from '../../core/terms/execution.ts';
import {
  choiceField,
  priceField,
  ratioField,
  switchField,
  textField,
  wholeField,
} from '../wire/field-kinds.ts';
import { list, mapped, optional, record } from '../wire/fields.ts';
import { numberField, same } from '../wire/option-fields.ts';
import { endRfq } from './residual-rfq-schema.ts';

const isFraction = (text: string): boolean => text === '1' || /^0(?:\.\d+)?$/.test(text);

const DESCRIPTION = 'How slices are worked; every option has a default';
const STEPS_MAX = 8;
const WOULD_MAX = 20;

const escalation = list(
  record(
    {
      from: numberField({
        description: 'Share of the slice after which the step begins; 0 for the first',
        from: 0,
        to: 1,
        isToOpen: true,
      }),
      manner: choiceField(
        same('post', 'rejoin', 'mid', 'cross'),
        'post: rest at the best price of the own side and stay; rejoin: follow that price; mid: follow the midpoint; cross: take, as far as the collar or the limit of the leg',
      ),
    },
    'One step',
  ),
  {
    min: 1,
    max: STEPS_MAX,
    description:
      'How a slice of a MARKET or LIMIT leg grows more eager, step by step (default: priced as the leg says from beginning to end)',
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
          description: 'How much of what is left of the leg one look may take (default 1)',
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
      'Prices so good that more is taken than the schedule asks for, up to what is left of the leg and what is shown (default none)',
    of: 'prices',
  },
);

const options = record(
  {
    phase: optional(
      numberField({
        description: 'Shifts every slice by this share of its interval, 0 ≤ phase < 1 (default 0)',
        from: 0,
        to: 1,
        isToOpen: true,
      }),
    ),
    aim: optional(
      choiceField(
        same('end', 'middle'),
        'Where on the straight line a slice brings its leg: to the end of its interval, or to the middle of the time until the next slice (default end)',
      ),
    ),
    randomSize: optional(
      numberField({
        description:
          'A slice deviates from its even size by at most this share of it; the total stays exact (default 0)',
        from: 0,
        to: 1,
        isToOpen: true,
      }),
    ),
    randomTime: optional(
      numberField({
        description:
          'A slice is due later by at most this share of what is left of its interval (default 0)',
        from: 0,
        to: 1,
        isToOpen: true,
      }),
    ),
    seed: optional(
      textField({
        max: 64,
        description:
          'Seed of randomSize and randomTime: the same seed draws the same plan (default: from account and start, kept with the portfolio)',
      }),
    ),
    catchUp: optional(
      choiceField(
        same('spread', 'front'),
        'What is behind is spread over the slices left, or asked for at once, both within maxCatchUp (default spread)',
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
        'What becomes of slices that passed while nobody was there to run them, a pause included: caught up, or given up (default catchUp)',
      ),
    ),
    endAction: optional(
      choiceField(
        same('cancel', 'market', 'sweep', 'extend', 'rfq'),
        'What becomes of the residual when the time is over: cancel leaves it, market takes it within the collar, sweep takes it within endCapBps of the mark, extend goes on for extendSec, rfq asks for it as one Block RFQ (default cancel)',
      ),
    ),
    endCapBps: optional(
      numberField({
        description:
          'With sweep, also after an RFQ: furthest from the mark, in basis points (default 50)',
        from: 0,
        to: 10_000,
      }),
    ),
    rfq: optional(endRfq),
    extendSec: optional(
      wholeField({
        min: 1,
        max: 86_400,
        description: 'With extend: seconds to go on for, slice by slice; required there',
      }),
    ),
    collar: optional(
      ratioField({
        description:
          'How far through the opposite price a marketable child may reach, as a fraction (0.005 = 50 bps; default 0.01)',
        check: isFraction,
        accepted: 'a decimal from 0 to 1',
      }),
    ),
    slippageMaxBps: optional(
      numberField({
        description:
          'Children are priced at most this much worse than the mid at which their slice began, in basis points (default off)',
        from: 0,
        to: 10_000,
      }),
    ),
    bandBps: optional(
      numberField({
        description:
          'Children are priced at most this much worse than the mark, in basis points (default off)',
        from: 0,
        to: 10_000,
      }),
    ),
    spreadMaxBps: optional(
      numberField({
        description:
          'Nothing is placed while ask and bid are further apart, in basis points of the mid (default off)',
        from: 0,
        to: 20_000,
        isFromOpen: true,
      }),
    ),
    spreadMaxVol: optional(
      numberField({
        description:
          'Options: nothing is placed while ask and bid are further apart, in points of volatility (default off)',
        from: 0,
        to: 1_000,
        isFromOpen: true,
      }),
    ),
    participationMax: optional(
      numberField({
        description:
          'A leg is at most this share of what trades in its instrument from its first slice on, its own trades included, as a fraction; hedge legs are exempt (default off)',
        from: 0,
        to: 1,
        isFromOpen: true,
      }),
    ),
    wouldPrices: optional(wouldPrices),
    escalation: optional(escalation),
    avoidWindows: optional(
      switchField(
        'Places and leaves nothing in the windows configured for the venue, such as its daily settlement (default false)',
      ),
    ),
    mmpGroup: optional(
      textField({
        max: 64,
        description:
          'Group of market maker protection the children count for; while it is frozen slices wait (default none)',
      }),
    ),
    partTimeout: optional(
      choiceField(
        same('chase', 'keep'),
        'BALANCE: what becomes of a part that has begun and is not done after eachLimitMs: finished through the market, or left as it is (default chase)',
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

/** Without the fields that were left out, so that defaults can be spread under it. */
function given<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
