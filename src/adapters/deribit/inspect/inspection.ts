// What `twapd doctor` asks a venue beyond the port: what answers there, how fast, and how an account is set up. It only
// reads; what cannot be read is reported in its place.

import { Fields, fieldsOfEach } from '../../../ports/deribit-wire/message-fields.ts';
import type { WireTally } from '../../../ports/deribit-wire/wire-tally.ts';
import { throwProgrammingError } from '../../../values/errors/programming-error.ts';
import { resultOf, type SendRequest } from '../outcome.ts';

/** What was read, or why it could not be. */
export type Inspected<T> =
  | { readonly kind: 'read'; readonly value: T }
  | { readonly kind: 'failed'; readonly reason: string };

export interface VenueInspection {
  /** What its answers say of themselves. */
  readonly testnet: boolean | undefined;
  readonly platform: Inspected<PlatformReport>;
  /** Of each of some requests, in milliseconds. */
  readonly roundTripsMs: readonly number[];
}

export interface PlatformReport {
  /** `true`, `partial` or `false`. */
  readonly locked: string;
  readonly lockedIndices: readonly string[];
}

export interface AccountInspection {
  readonly summary: Inspected<SummaryReport>;
  readonly protection: Inspected<readonly ProtectionReport[]>;
  readonly cancelOnDisconnect: Inspected<{
    readonly connection: boolean;
    readonly account: boolean;
  }>;
  /** Currencies in which the venue has locked the account. */
  readonly locks: Inspected<readonly string[]>;
}

export interface SummaryReport {
  readonly name: string | undefined;
  /** `main` or `subaccount`. */
  readonly type: string | undefined;
  /** Whether the venue stated rate limits at all. */
  readonly statesLimits: boolean;
  readonly limitsPerCurrency: boolean;
  readonly marginModel: string | undefined;
  readonly isCrossCollateral: boolean | undefined;
  readonly selfTrading: string | undefined;
}

export interface ProtectionReport {
  readonly index: string;
  readonly group: string | undefined;
  readonly intervalSec: number;
  readonly frozenTimeSec: number;
  /** Each limit that is set, with its name. */
  readonly limits: Readonly<Record<string, string>>;
}

const TIMES = 10;

export async function inspectVenue(
  request: SendRequest,
  tally: WireTally,
): Promise<VenueInspection> {
  const roundTripsMs: number[] = [];
  let testnet: boolean | undefined;
  for (let time = 0; time < TIMES; time += 1) {
    const from = performance.now();
    const outcome = await request('public/get_time', {});
    if (outcome.kind !== 'result') break;
    roundTripsMs.push(performance.now() - from);
    testnet = outcome.testnet;
  }
  const platform = await inspected(async () => {
    const status = await fieldsOf(request, 'public/status', {}, tally);
    const lockedIndices = status.textsIf('locked_indices') ?? [];
    return { locked: String(status.raw('locked') ?? 'false'), lockedIndices };
  });
  return { testnet, platform, roundTripsMs };
}

export async function inspectAccount(
  request: SendRequest,
  tally: WireTally,
): Promise<AccountInspection> {
  const summary = await inspected(async () => {
    const params = { currency: 'BTC', extended: true };
    return summaryIn(await fieldsOf(request, 'private/get_account_summary', params, tally));
  });
  const protection = await inspected(async () => {
    const method = 'private/get_mmp_config';
    const found = resultOf(await request(method, {}), method);
    return fieldsOfEach(`the answer to ${method}`, found, tally).map(protectionIn);
  });
  const cancelOnDisconnect = await inspected(async () => {
    const method = 'private/get_cancel_on_disconnect';
    const isOn = async (scope: string): Promise<boolean> =>
      (await fieldsOf(request, method, { scope }, tally)).flag('enabled');
    return { connection: await isOn('connection'), account: await isOn('account') };
  });
  const locks = await inspected(async () => {
    const method = 'private/get_user_locks';
    const found = resultOf(await request(method, {}), method);
    return fieldsOfEach(`the answer to ${method}`, found, tally)
      .filter((one) => one.flag('enabled'))
      .map((one) => one.text('currency'));
  });
  return { summary, protection, cancelOnDisconnect, locks };
}

async function inspected<T>(read: () => Promise<T>): Promise<Inspected<T>> {
  try {
    return { kind: 'read', value: await read() };
  } catch (error) {
    throwProgrammingError(error);
    return { kind: 'failed', reason: error instanceof Error ? error.message : String(error) };
  }
}

async function fieldsOf(
  request: SendRequest,
  method: string,
  params: Readonly<Record<string, unknown>>,
  tally: WireTally,
): Promise<Fields> {
  const result = resultOf(await request(method, params), method);
  return new Fields(`the answer to ${method}`, result, tally);
}

const summaryIn = (summary: Fields): SummaryReport => ({
  name: summary.textIf('system_name'),
  type: summary.textIf('type'),
  statesLimits: summary.has('limits'),
  limitsPerCurrency: summary.inIf('limits')?.flagIf('limits_per_currency') ?? false,
  marginModel: summary.textIf('margin_model'),
  isCrossCollateral: summary.flagIf('cross_collateral_enabled'),
  selfTrading: summary.textIf('self_trading_reject_mode'),
});

const LIMITS = ['quantity_limit', 'delta_limit', 'vega_limit', 'max_quote_quantity'] as const;

const protectionIn = (one: Fields): ProtectionReport => ({
  index: one.text('index_name'),
  group: one.textIf('mmp_group'),
  intervalSec: one.whole('interval'),
  frozenTimeSec: one.whole('frozen_time'),
  limits: Object.fromEntries(
    LIMITS.flatMap((name) => {
      const digits = one.digitsIf(name);
      return digits === undefined ? [] : [[name, digits] as const];
    }),
  ),
});
