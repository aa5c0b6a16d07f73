// The accounts of a paper exchange with one taker and two makers.
import type { PaperAccount } from '../../../src/adapters/paper/paper-account.ts';
import { accountId } from '../../../src/values/ids.ts';
import { ACCOUNT, OTHER } from './paper-stage.ts';

export const TAKER = ACCOUNT;
export const MAKERS = [
  { account: OTHER, alias: 'MAKER1' },
  { account: accountId('10003'), alias: 'MAKER2' },
] as const;

export const RFQ_ACCOUNTS: readonly PaperAccount[] = [
  { account: TAKER },
  ...MAKERS.map(({ account, alias }) => ({ account, makerAlias: alias })),
];
