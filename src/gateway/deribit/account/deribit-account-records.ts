// What an account did with its money: the transaction log, settlements, and the wallet.
//
// Decisions: an account's settlements are entries of the transaction log, and the settlement history is an empty list. Money is
// paper: nothing was ever deposited, transferred or withdrawn, and there is no address.

import { done } from '../../order-api/method.ts';
import { choiceField } from '../../wire/field-kinds.ts';
import { optional } from '../../wire/fields.ts';
import { settledBefore } from '../market/deribit-past-methods.ts';
import { type DeribitMethod, privateMethod } from '../method/deribit-method.ts';
import { instantParam, wholeParam } from '../method/deribit-params.ts';
import { currencyParam, instrumentParam } from '../method/instrument-params.ts';
import { ifListed } from '../method/listed-instrument.ts';
import { countParam } from '../method/private-params.ts';
import { TRANSACTION_LOG } from './deribit-transaction-log.ts';

const how = { scope: 'account:read' } as const;

const settlementShape = {
  type: optional(
    choiceField(
      { settlement: 'settlement', delivery: 'delivery', bankruptcy: 'bankruptcy' } as const,
      'Type of the entries',
    ),
  ),
  count: countParam(20),
  continuation: optional(settledBefore),
  search_start_timestamp: optional(instantParam('Up to this time')),
};

const NO_SETTLEMENTS = done({ settlements: [], continuation: null });

const settlementsByInstrument = privateMethod({
  scope: 'trade:read',
  name: 'private/get_settlement_history_by_instrument',
  params: { instrument_name: instrumentParam, ...settlementShape },
  run: (call, { instrument_name: name }) => ifListed(call, name, () => NO_SETTLEMENTS),
});

const settlementsByCurrency = privateMethod({
  scope: 'trade:read',
  name: 'private/get_settlement_history_by_currency',
  params: { currency: currencyParam, ...settlementShape },
  run: () => NO_SETTLEMENTS,
});

const skipped = optional(wholeParam({ min: 0, max: 1_000_000, description: 'How many to skip' }));

const walletList = (name: string) =>
  privateMethod({
    ...how,
    name,
    params: {
      currency: currencyParam,
      count: countParam(10),
      offset: skipped,
    },
    run: () => done({ count: 0, data: [] }),
  });

/** Logins are in the log of the daemon. */
const accessLog = privateMethod({
  ...how,
  name: 'private/get_access_log',
  params: { offset: skipped, count: countParam(10) },
  run: () => done({ records_total: 0, data: [] }),
});

const depositAddress = privateMethod({
  ...how,
  name: 'private/get_current_deposit_address',
  params: { currency: currencyParam },
  run: () => done(null),
});

export const DERIBIT_ACCOUNT_RECORDS: readonly DeribitMethod[] = [
  TRANSACTION_LOG,
  settlementsByInstrument,
  settlementsByCurrency,
  walletList('private/get_transfers'),
  walletList('private/get_deposits'),
  walletList('private/get_withdrawals'),
  depositAddress,
  accessLog,
];
