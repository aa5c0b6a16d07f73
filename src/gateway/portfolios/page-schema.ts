// The query of the page operation. Lists may repeat the parameter or use commas; an empty parameter counts as
// absent.

import { z } from 'zod';
import type { PageQuery } from '../../ports/ledger.ts';
import type { AccountId } from '../../values/ids.ts';
import type { InstrumentKind } from '../../values/instrument.ts';
import {
  accountOrAllField,
  choiceField,
  instantField,
  switchField,
  textField,
  wholeField,
} from '../wire/field-kinds.ts';
import { list, mapped, optional, optionalOr, record } from '../wire/fields.ts';
import { type StatusNumber, statusOfNumber } from './status-number.ts';
import { INSTRUMENT_TYPES } from './submit/leg-schema.ts';

const PAGE_SIZE_DEFAULT = 10;
export const PAGE_SIZE_MAX = 100;
const CURRENT_PAGE_MAX = 1_000_000;
const LIST_MAX = 100;

export interface PageRequest {
  /** Default: every account of the key. */
  readonly account?: AccountId | undefined;
  readonly pageSize: number;
  readonly currentPage: number;
  /** Absent if no portfolio can match. */
  readonly query?: PageQuery | undefined;
}

const TAGS: Readonly<Record<'OPEN_ORDER' | 'ORDER_HISTORY', readonly StatusNumber[]>> = {
  OPEN_ORDER: [1, 4],
  ORDER_HISTORY: [2, 3],
};

const ORDERS = {
  submitTimestamp: { orderBy: 'submittedAt', descending: true },
  'submitTimestamp desc': { orderBy: 'submittedAt', descending: true },
  'submitTimestamp asc': { orderBy: 'submittedAt', descending: false },
  updateTimestamp: { orderBy: 'updatedAt', descending: true },
  'updateTimestamp desc': { orderBy: 'updatedAt', descending: true },
  'updateTimestamp asc': { orderBy: 'updatedAt', descending: false },
} as const;

/** Joins a repeated parameter or comma-separated values into one list. */
const separated = <T extends z.ZodType>(item: T, description: string, of: string) =>
  z
    .preprocess(
      (value) => {
        if (Array.isArray(value)) return value.join(',').split(',');
        return typeof value === 'string' ? value.split(',') : value;
      },
      list(item, { max: LIST_MAX, description, of }),
    )
    .describe(description);

const uidList = (description: string) =>
  separated(textField({ max: 64, description: 'User id' }), description, 'user ids');

const fields = record(
  {
    accountId: accountOrAllField(
      'Account whose portfolios are listed; all: every account of the key',
    ),
    portfolioType: optional(
      choiceField({ TWAP: 'TWAP', BALANCE: 'BALANCE' } as const, 'Only this kind; absent: all'),
    ),
    portfolioTag: optional(choiceField(TAGS, 'Only active ones, or only ended ones')),
    derivativesType: optional(
      choiceField(INSTRUMENT_TYPES, 'Only portfolios with a leg of this kind'),
    ),
    derivativesTypes: optional(
      separated(
        choiceField(INSTRUMENT_TYPES, 'Kind of instrument'),
        'Only portfolios with a leg of one of these kinds; supersedes derivativesType',
        'instrument types',
      ),
    ),
    coinOrSymbol: optional(
      textField({ max: 64, description: 'Coin of the legs, or part of an instrument name' }),
    ),
    instrument: optional(
      textField({ max: 64, description: 'Only portfolios with a leg of this instrument' }),
    ),
    startTimestamp: optional(instantField('Submitted at or after, Unix milliseconds', true)),
    endTimestamp: optional(instantField('Submitted at or before, Unix milliseconds', true)),
    updatedAfter: optional(instantField('Changed later than this, Unix milliseconds', true)),
    status: optional(
      mapped(
        wholeField({
          min: 1,
          max: 4,
          description: '1 PENDING/ACTIVE, 2 FILLED, 3 CANCELLED, 4 CANCELLING',
          fromText: true,
        }),
        (status) => status as StatusNumber,
      ),
    ),
    hideFullyUnfilled: optionalOr(switchField('Hide portfolios without fills', true), false),
    customizedNote: optional(textField({ max: 100, description: 'Part of the note' })),
    createUidList: optional(uidList('Only submitted by one of these users')),
    lastEditedUidList: optional(uidList('Only last edited by one of these users')),
    orderBy: optionalOr(
      choiceField(ORDERS, 'Sorting (default submitTimestamp desc)'),
      ORDERS.submitTimestamp,
    ),
    pageSize: optionalOr(
      wholeField({
        min: 1,
        max: PAGE_SIZE_MAX,
        description: 'Records on a page (default 10)',
        fromText: true,
      }),
      PAGE_SIZE_DEFAULT,
    ),
    currentPage: optionalOr(
      wholeField({
        min: 1,
        max: CURRENT_PAGE_MAX,
        description: 'Which page, from 1 (default 1)',
        fromText: true,
      }),
      1,
    ),
  },
  'Which portfolios to list; filters are combined with AND',
).transform((asked): PageRequest => {
  const { accountId, pageSize, currentPage } = asked;
  const account = accountId === 'all' ? undefined : accountId;
  const statuses = statusesOf(asked.portfolioTag, asked.status);
  if (statuses?.length === 0) return { account, pageSize, currentPage };
  const query: PageQuery = {
    account,
    portfolioType: asked.portfolioType,
    statuses: statuses?.map(statusOfNumber),
    kinds: kindsOf(asked.derivativesType, asked.derivativesTypes),
    coinOrSymbol: asked.coinOrSymbol,
    instrument: asked.instrument,
    note: asked.customizedNote,
    submittedFrom: asked.startTimestamp,
    submittedTo: asked.endTimestamp,
    updatedAfter: asked.updatedAfter,
    uids: asked.createUidList,
    lastEditedUids: asked.lastEditedUidList,
    hideFullyUnfilled: asked.hideFullyUnfilled,
    ...asked.orderBy,
    offset: (currentPage - 1) * pageSize,
    limit: pageSize,
  };
  return { account, pageSize, currentPage, query };
});

export const pageQuerySchema = z.preprocess(withoutEmpty, fields);

/** Drops parameters without a value. */
export function withoutEmpty(query: unknown): unknown {
  if (typeof query !== 'object' || query === null) return query;
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''));
}

function statusesOf(
  tag: readonly StatusNumber[] | undefined,
  status: StatusNumber | undefined,
): readonly StatusNumber[] | undefined {
  if (status === undefined) return tag;
  return tag === undefined || tag.includes(status) ? [status] : [];
}

function kindsOf(
  one: InstrumentKind | undefined,
  several: readonly InstrumentKind[] | undefined,
): readonly InstrumentKind[] | undefined {
  if (several !== undefined && several.length > 0) return several;
  return one === undefined ? undefined : [one];
}
