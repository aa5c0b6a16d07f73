// What an account did with its money: the transaction log, settlements, and the wallet.
//
// Decisions: money is paper: nothing was ever deposited, transferred or withdrawn, and there is no address.

import { METHOD_ROWS as ROWS } from '../../method-rows.ts';
import { done } from '../../order-api/method.ts';
import { optional } from '../../wire/fields.ts';
import { type DeribitMethod, privateMethod } from '../method/deribit-method.ts';
import { wholeParam } from '../method/deribit-params.ts';
import { currencyParam } from '../method/instrument-params.ts';
import { countParam } from '../method/private-params.ts';
import { DERIBIT_SETTLEMENTS } from './deribit-settlements.ts';
import { TRANSACTION_LOG } from './deribit-transaction-log.ts';

const skipped = optional(wholeParam({ min: 0, max: 1_000_000, description: 'How many to skip' }));

const walletList = (row: typeof ROWS.getTransfers) =>
  privateMethod({
    row,
    params: {
      currency: currencyParam,
      count: countParam(10),
      offset: skipped,
    },
    run: () => done({ count: 0, data: [] }),
  });

/** Logins are in the log of the daemon. */
const accessLog = privateMethod({
  row: ROWS.getAccessLog,
  params: { offset: skipped, count: countParam(10) },
  run: () => done({ records_total: 0, data: [] }),
});

const depositAddress = privateMethod({
  row: ROWS.getCurrentDepositAddress,
  params: { currency: currencyParam },
  run: () => done(null),
});

export const DERIBIT_ACCOUNT_RECORDS: readonly DeribitMethod[] = [
  TRANSACTION_LOG,
  ...DERIBIT_SETTLEMENTS,
  walletList(ROWS.getTransfers),
  walletList(ROWS.getDeposits),
  walletList(ROWS.getWithdrawals),
  depositAddress,
  accessLog,
];
