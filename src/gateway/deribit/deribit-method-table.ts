// Every method of Deribit's wire that is served, by name. A method that is not listed is answered as unknown.

import { DERIBIT_ACCOUNT_QUERIES } from './account/deribit-account-queries.ts';
import { DERIBIT_ACCOUNT_RECORDS } from './account/deribit-account-records.ts';
import { DERIBIT_MARGIN_METHODS } from './account/deribit-margin-methods.ts';
import { DERIBIT_RFQ_METHODS } from './block-rfq/deribit-rfq-methods.ts';
import { DERIBIT_COMBO_METHODS } from './combos/deribit-combo-methods.ts';
import { LOGIN_METHODS } from './login/login-methods.ts';
import { DERIBIT_MARKET_METHODS } from './market/deribit-market-methods.ts';
import type { DeribitMethod } from './method/deribit-method.ts';
import { DERIBIT_MMP_METHODS } from './mmp/deribit-mmp-methods.ts';
import { DERIBIT_CANCEL_METHODS } from './orders/deribit-cancel-methods.ts';
import { DERIBIT_ORDER_METHODS } from './orders/deribit-order-methods.ts';
import { DERIBIT_ORDER_QUERIES } from './orders/deribit-order-queries.ts';
import { DERIBIT_TRIGGER_QUERIES } from './orders/deribit-trigger-history.ts';
import { DERIBIT_SESSION_METHODS } from './session/deribit-session-methods.ts';
import { DERIBIT_TRADE_QUERIES } from './trades/deribit-trade-queries.ts';

const TABLE: readonly DeribitMethod[] = [
  ...LOGIN_METHODS,
  ...DERIBIT_SESSION_METHODS,
  ...DERIBIT_MARKET_METHODS,
  ...DERIBIT_ORDER_METHODS,
  ...DERIBIT_CANCEL_METHODS,
  ...DERIBIT_ORDER_QUERIES,
  ...DERIBIT_TRIGGER_QUERIES,
  ...DERIBIT_TRADE_QUERIES,
  ...DERIBIT_ACCOUNT_QUERIES,
  ...DERIBIT_ACCOUNT_RECORDS,
  ...DERIBIT_MARGIN_METHODS,
  ...DERIBIT_MMP_METHODS,
  ...DERIBIT_RFQ_METHODS,
  ...DERIBIT_COMBO_METHODS,
];

export const DERIBIT_METHODS: ReadonlyMap<string, DeribitMethod> = new Map(
  TABLE.map((method) => [method.name, method]),
);
