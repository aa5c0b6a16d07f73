// What happens on a new connection of an account between its login and its first order: its rights are checked, its
// identity and limits read, cancel on disconnect set, its further channels subscribed to, and its open orders listed.

import { Fields } from '../../../ports/deribit-wire/message-fields.ts';
import type { WireTally } from '../../../ports/deribit-wire/wire-tally.ts';
import type { AccountId } from '../../../values/ids.ts';
import type { OrderReader } from '../orders/order-reader.ts';
import type { OwnOrders } from '../orders/own-orders.ts';
import { resultOf, type SendRequest, whyFailed } from '../outcome.ts';
import type { Greeting } from '../session/sessions.ts';
import { OPTIONAL_CHANNELS } from './account-feed.ts';
import { type AccountDetails, detailsIn } from './account-limits.ts';

export interface AccountPreparation {
  readonly reader: OrderReader;
  readonly own: OwnOrders;
  readonly tally: WireTally;
  readonly cancelOnDisconnect: boolean;
  /** Rejects if the ledger belongs to another account of the venue. */
  readonly bindAccount?: ((account: AccountId, userId: string) => Promise<void>) | undefined;
  readonly onDetails: (account: AccountId, details: AccountDetails) => void;
  readonly onFault: (error: unknown) => void;
}

/** Any currency has the account's identity and limits. */
const ANY_CURRENCY = 'BTC';
const COD_FAILED = 10049;

/** Rejects with the reason why the account cannot be traded. */
export async function prepareAccount(greeting: Greeting, parts: AccountPreparation): Promise<void> {
  const { account, request, granted, credits } = greeting;
  checkScope(account, granted?.scope ?? '');
  const method = 'private/get_account_summary';
  const summary = await request(method, { currency: ANY_CURRENCY, extended: true });
  const details = detailsIn(resultOf(summary, method), parts.tally);
  credits.grant(details.rates);
  parts.onDetails(account, details);
  if (details.userId !== undefined) await parts.bindAccount?.(account, details.userId);
  await setCancelOnDisconnect(request, parts);
  await subscribe(account, request, OPTIONAL_CHANNELS, parts.onFault);
  await listOwn(account, request, parts);
}

/** The venue may grant less than was requested; without these no order could be placed or found. */
function checkScope(account: AccountId, scope: string): void {
  const words = new Set(scope.split(/[ ,]+/));
  const lacks = [
    ...(words.has('trade:read_write') ? [] : ['trade:read_write']),
    ...(words.has('account:read') || words.has('account:read_write') ? [] : ['account:read']),
  ];
  if (lacks.length > 0) {
    throw new Error(
      `the key of account ${account} lacks ${lacks.join(' and ')}; granted: ${scope}`,
    );
  }
}

async function setCancelOnDisconnect(
  request: SendRequest,
  parts: AccountPreparation,
): Promise<void> {
  const { cancelOnDisconnect } = parts;
  if ((await isCancelOnDisconnectOn(request, parts)) === cancelOnDisconnect) return;
  const method = `private/${cancelOnDisconnect ? 'enable' : 'disable'}_cancel_on_disconnect`;
  const outcome = await request(method, { scope: 'connection' });
  if (outcome.kind === 'result') return;
  const isInDoubt = outcome.kind === 'error' && outcome.code === COD_FAILED;
  const isSet = isInDoubt && (await isCancelOnDisconnectOn(request, parts)) === cancelOnDisconnect;
  if (!isSet) throw new Error(`${method}: ${whyFailed(outcome)}`);
}

async function isCancelOnDisconnectOn(
  request: SendRequest,
  { tally }: AccountPreparation,
): Promise<boolean> {
  const method = 'private/get_cancel_on_disconnect';
  const state = resultOf(await request(method, { scope: 'connection' }), method);
  return new Fields(`the answer to ${method}`, state, tally).flag('enabled');
}

/** Channels that are of use, but not needed; those that are not granted are reported. */
export async function subscribe(
  of: string,
  request: SendRequest,
  channels: readonly string[],
  onFault: (error: unknown) => void,
): Promise<readonly string[]> {
  const method = 'private/subscribe';
  const granted = resultOf(await request(method, { channels }), method);
  const isGranted = (one: string): boolean => Array.isArray(granted) && granted.includes(one);
  const missing = channels.filter((one) => !isGranted(one));
  if (missing.length > 0) {
    onFault(new Error(`account ${of} is not granted the channels ${missing.join(', ')}`));
  }
  return channels.filter(isGranted);
}

async function listOwn(
  account: AccountId,
  request: SendRequest,
  parts: AccountPreparation,
): Promise<void> {
  const { own, reader, tally } = parts;
  own.begin(account);
  const method = 'private/get_open_orders';
  const found = resultOf(await request(method, {}), method);
  own.fill(account, reader.orders(account)(found, `the answer to ${method}`, tally));
}
