// Who an account belongs to, and what it may do, as the extended summaries of Deribit's wire show it.
//
// Decisions: an account has no name but its number, and no mail; its fees are those of the listed instruments, one entry per kind; an order that would meet another of the same
// account is refused (`reject_taker`), and accounts of one key are strangers to each other; every product is traded.

import { decimalNumber, integerOfText } from '../../../ports/deribit-wire/json-number.ts';
import type { TradingDesk } from '../../../ports/trading-desk.ts';
import type { AccountId, Currency } from '../../../values/ids.ts';
import type { ApiKey } from '../../auth/key-store.ts';

/** The first account of a key is its main one. */
export const ownerJson = ({ accounts }: ApiKey, account: AccountId) => ({
  id: integerOfText(account),
  type: accounts[0] === account ? 'main' : 'subaccount',
  username: `account_${account}`,
  system_name: `account_${account}`,
  email: `account_${account}@example.com`,
  login_enabled: true,
  security_keys_enabled: false,
  receive_notifications: false,
});

const PRODUCTS = ['perpetual', 'futures', 'options', 'spots', 'future_combos', 'option_combos'];

export const rulesJson = (isProtected: boolean) => ({
  trading_products_details: PRODUCTS.map((product) => ({
    product,
    enabled: true,
    overwriteable: false,
    requires_consent: false,
  })),
  mmp_enabled: isProtected,
  interuser_transfers_enabled: false,
  self_trading_reject_mode: 'reject_taker',
  self_trading_extended_to_subaccounts: false,
  block_rfq_self_match_prevention: true,
  is_direct_access_allowed: false,
});

/** One entry per kind of instrument of the currency. */
export function feesJson(desk: TradingDesk, currency: Currency) {
  const listed = desk
    .listed({ expired: false })
    .filter(({ settlement }) => settlement === currency);
  return [...new Map(listed.map((one) => [one.kind, one])).values()].map((instrument) => ({
    currency,
    instrument_type: instrument.kind,
    fee_type: 'relative',
    maker_fee: decimalNumber(instrument.makerFee),
    taker_fee: decimalNumber(instrument.takerFee),
  }));
}
