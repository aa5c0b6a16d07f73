// Bodies of cancel and cancel-all, and the query of info.
import { z } from 'zod';
import type { CancelAllFilter } from '../../engine/interface/operations.ts';
import type { AccountId } from '../../values/ids.ts';
import type { InstrumentKind } from '../../values/instrument.ts';
import { accountIdField, choiceField, portfolioIdField, textField } from '../wire/field-kinds.ts';
import { list, optional, record } from '../wire/fields.ts';
import { NumberText } from '../wire/json.ts';
import { withoutEmpty } from './page-schema.ts';

const UIDS_MAX = 100;
const KINDS_MAX = 16;

/** Values of cancel-all besides those of page; GRFQ matches nothing that is executed here. */
const CANCEL_KINDS = {
  SPOT: ['spot'],
  OPTION: ['option'],
  FUTURES: ['perpetual', 'future'],
  PERPETUAL: ['perpetual'],
  DELIVERY_FUTURES: ['future'],
  GRFQ: [],
} as const satisfies Readonly<Record<string, readonly InstrumentKind[]>>;

export const infoQuerySchema = z.preprocess(
  withoutEmpty,
  record({ portfolioId: portfolioIdField('Which portfolio') }, 'Which portfolio to show'),
);

export const cancelBodySchema = record(
  {
    portfolioId: portfolioIdField('Portfolio to cancel'),
    accountId: optional(
      accountIdField('Account it must belong to; otherwise nothing is cancelled'),
    ),
  },
  'Which portfolio to cancel',
);

export interface CancelAllRequest {
  readonly account: AccountId;
  /** Absent if no portfolio can match. */
  readonly filter?: CancelAllFilter | undefined;
}

export const cancelAllBodySchema = record(
  {
    accountId: accountIdField('Account whose active portfolios are cancelled'),
    portfolioType: optional(
      choiceField({ TWAP: 'TWAP', BALANCE: 'BALANCE' } as const, 'Only this kind; absent: all'),
    ),
    coinOrSymbol: optional(
      textField({ max: 64, description: 'Coin of the legs, or part of an instrument name' }),
    ),
    createUidList: optional(
      list(textOrNumberUid(), {
        max: UIDS_MAX,
        description: 'Only submitted by one of these users; empty: no filter',
        of: 'user ids',
      }),
    ),
    derivativesType: optional(choiceField(CANCEL_KINDS, 'Only portfolios with a leg of this kind')),
    derivativesTypes: optional(
      list(choiceField(CANCEL_KINDS, 'Kind of instrument'), {
        max: KINDS_MAX,
        description:
          'Only portfolios with a leg of one of these kinds; supersedes derivativesType if not empty',
        of: 'instrument types',
      }),
    ),
  },
  'Which active portfolios to cancel; filters are combined with AND, and without filters all of the account match',
).transform((asked): CancelAllRequest => {
  const account = asked.accountId;
  const kinds = kindsOf(asked.derivativesType, asked.derivativesTypes);
  if (kinds?.length === 0) return { account };
  const { portfolioType, coinOrSymbol } = asked;
  const uids = asked.createUidList?.length ? asked.createUidList : undefined;
  return { account, filter: { account, portfolioType, coinOrSymbol, uids, kinds } };
});

/** User ids are text; clients that store them as numbers may send numbers. */
function textOrNumberUid(): z.ZodType<string, string | number> {
  const text = textField({ max: 64, description: 'User id, as text or whole number' });
  return z.preprocess((value: unknown) => {
    if (value instanceof NumberText) return value.source;
    return typeof value === 'number' ? String(value) : value;
  }, text) as z.ZodType<string, string | number>;
}

function kindsOf(
  one: readonly InstrumentKind[] | undefined,
  several: readonly (readonly InstrumentKind[])[] | undefined,
): readonly InstrumentKind[] | undefined {
  if (several !== undefined && several.length > 0) return [...new Set(several.flat())];
  return one;
}
