// Bodies of pause and resume.
import { accountIdField, portfolioIdField } from '../wire/field-kinds.ts';
import { optional, record } from '../wire/fields.ts';

export const holdBodySchema = record(
  {
    portfolioId: portfolioIdField('Which portfolio'),
    accountId: optional(accountIdField('Account it must belong to; otherwise nothing is changed')),
  },
  'Which portfolio to pause or to resume',
);
