// The body of submit. REST requests and strategy files are read by this same schema, so that a portfolio means
// the same in both.
import type { PortfolioForm } from '../../../core/terms/form.ts';
import {
  accountIdField,
  choiceField,
  numberedField,
  ratioField,
  textField,
  wholeField,
} from '../../wire/field-kinds.ts';
import {
  type FieldFault,
  judged,
  list,
  mapped,
  optional,
  optionalOr,
  record,
} from '../../wire/fields.ts';
import { secondsField } from '../../wire/seconds-field.ts';
import { executionSchema } from './execution-schema.ts';
import { LEGS_MAX, legSchema, startField } from './leg-schema.ts';

const PARTS_MAX = 1_000;
const LIMIT_MS_MAX = 604_800_000;

const balanceTrade = record(
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

const NOTE_LENGTH_MAX = 100;
const STRATEGY_LENGTH_MAX = 64;
const DUMMY_ACCOUNTS_MAX = 20;

const twapTrade = record(
  {
    startTimestamp: startField,
    durationSec: secondsField('durationSec', 'Total duration in seconds'),
    frequencySec: secondsField('frequencySec', 'Seconds between two slices'),
  },
  'Schedule; for portfolioType TWAP',
);

const mirrorScale = mapped(
  record(
    {
      accountId: accountIdField('Dummy account, one of sendToDummyAccountIds'),
      scale: ratioField({
        description: "Its quantities as a multiple of the portfolio's, rounded to the lot size",
        check: (text) => /[1-9]/.test(text) && !text.startsWith('-'),
        accepted: 'a decimal above 0, at most 1000',
      }),
    },
    'How large an account mirrors the portfolio',
  ),
  ({ accountId, scale }) => ({ account: accountId, scale }),
);

const portfolioFields = record(
  {
    accountId: accountIdField('Trading account'),
    portfolioType: choiceField(
      { TWAP: 'TWAP', BALANCE: 'BALANCE' } as const,
      'Kind of portfolio: TWAP (by the clock) or BALANCE (Smart Balance, part by part)',
    ),
    strategy: optional(
      textField({
        min: 0,
        max: STRATEGY_LENGTH_MAX,
        description: 'Free-text label of the strategy',
      }),
    ),
    twapTrade: optional(twapTrade),
    balanceTrade: optional(balanceTrade),
    legs: list(legSchema, {
      min: 1,
      max: LEGS_MAX,
      description: 'What to trade; all legs share one forCcy',
      of: 'legs',
    }),
    customizedNote: optionalOr(
      textField({
        min: 0,
        max: NOTE_LENGTH_MAX,
        description: 'Note of the submitter, at most 100 characters',
        kind: 'note_too_long',
      }),
      '',
    ),
    sendToDummyAccountIds: optionalOr(
      list(accountIdField('Dummy account'), {
        max: DUMMY_ACCOUNTS_MAX,
        description: 'Dummy accounts that mirror the portfolio',
        of: 'account ids',
      }),
      [],
    ),
    dummyAccountScales: optional(
      list(mirrorScale, {
        max: DUMMY_ACCOUNTS_MAX,
        description:
          'Dummy accounts that mirror a multiple of the quantities; the others mirror them unscaled',
        of: 'scales',
      }),
    ),
    execution: optionalOr(executionSchema, {}),
  },
  'A portfolio to execute',
);

const NO_TRADE = { startTimestamp: undefined, durationSec: 0, frequencySec: 0 };

/** Parses a submit body into the form that the engine accepts. */
export const portfolioBodySchema = judged(portfolioFields, missingTrade, (body): PortfolioForm => {
  const { startTimestamp, ...schedule } = body.twapTrade ?? NO_TRADE;
  return {
    accountId: body.accountId,
    portfolioType: body.portfolioType,
    strategy: body.strategy,
    customizedNote: body.customizedNote,
    startAt: startTimestamp,
    twapTrade: body.twapTrade && schedule,
    balanceTrade: body.balanceTrade,
    legs: body.legs,
    dummyAccounts: body.sendToDummyAccountIds,
    mirrorScales: body.dummyAccountScales,
    execution: body.execution,
  };
});

/** The refusal of a body without the object its kind of portfolio requires; names the fields of that object. */
function missingTrade(body: {
  readonly portfolioType: 'TWAP' | 'BALANCE';
  readonly twapTrade?: object | undefined;
  readonly balanceTrade?: object | undefined;
}): FieldFault | undefined {
  const { portfolioType, twapTrade: clock, balanceTrade: cut } = body;
  if (portfolioType === 'TWAP' && clock === undefined) {
    return missing('twapTrade', 'startTimestamp, durationSec, frequencySec');
  }
  if (portfolioType === 'BALANCE' && cut === undefined) {
    return missing('balanceTrade', 'parts, eachLimitMs, totalLimitMs, totalEndAction');
  }
  return undefined;
}

const missing = (field: string, fields: string): FieldFault => ({
  field,
  message: `is missing; accepted: an object of ${fields}`,
});
