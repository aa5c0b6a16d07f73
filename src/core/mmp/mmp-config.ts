// The market-maker protection settings of one group of one index, and their validation. The rules and their order
// follow Deribit's set_mmp_config as far as it is documented.
import { isPositive, type Money, type Quantity, rounded } from '../../values/amounts.ts';
import { ALL_INDEXES, isIndexName } from './index-names.ts';

/** Flagged orders and Block RFQ quotes are configured, counted and frozen separately. */
export type MmpKind = 'order' | 'blockRfq';
export type MmpLimit = 'quantity' | 'delta' | 'vega' | 'trades';

export interface MmpConfig {
  /** An index name, or `all`. */
  readonly index: string;
  /** Empty for the unnamed group, which takes the orders that name no group. */
  readonly group: string;
  /** Length of the window; 0 removes the configuration. */
  readonly intervalMs: number;
  /** How long a freeze lasts; 0 means until a manual reset. */
  readonly frozenMs: number;
  /** Gross, in coins. */
  readonly quantityLimit?: Quantity | undefined;
  /** Net, in coins; its absolute value is compared. */
  readonly deltaLimit?: Quantity | undefined;
  /** Net, in USD per volatility point; its absolute value is compared. */
  readonly vegaLimit?: Money | undefined;
  /** Number of Block RFQ trades over all indexes. */
  readonly tradeCountLimit?: number | undefined;
  /** Largest open size on one side of one instrument, in coins; absent: not limited. */
  readonly maxQuoteQuantity?: Quantity | undefined;
}

/** Why a request is refused: the venue's code, the parameter, and what would be accepted. */
export interface MmpFault {
  readonly code: number;
  readonly param: string;
  readonly reason: string;
}

export const INTERVAL_SEC_MAX = 3_600;
export const FROZEN_SEC_MAX = 3_600;
export const TRADE_COUNT_MAX = 1_000;
export const GROUP_LENGTH_MAX = 64;
export const NAMED_GROUPS_MAX = 16;
const LIMIT_PLACES = 4;

const INVALID_PARAMS = -32602;
const UNSUPPORTED_COMBINATION = 11047;
const BAD_ARGUMENTS = 11049;

/** Checks every rule that needs no state and returns the first violation. */
export function configFault(kind: MmpKind, config: MmpConfig): MmpFault | undefined {
  return shapeFault(config) ?? limitFault(config) ?? combinationFault(kind, config);
}

function shapeFault({ index, group, intervalMs, frozenMs }: MmpConfig): MmpFault | undefined {
  if (!isIndexName(index)) {
    const reason = `not an index; accepted: a pair such as btc_usd, or ${ALL_INDEXES}`;
    return { code: INVALID_PARAMS, param: 'indexName', reason };
  }
  return (
    secondsFault('interval', intervalMs, INTERVAL_SEC_MAX) ??
    secondsFault('frozenTime', frozenMs, FROZEN_SEC_MAX) ??
    groupFault(group, 'mmpGroup')
  );
}

function secondsFault(param: string, ms: number, secMax: number): MmpFault | undefined {
  if (Number.isInteger(ms / 1_000) && ms >= 0 && ms <= secMax * 1_000) return undefined;
  const reason = `out of range; accepted: whole seconds from 0 to ${secMax}`;
  return { code: INVALID_PARAMS, param, reason };
}

/** Checks a group's name; empty text is the unnamed group. */
export function groupFault(group: string, param: string): MmpFault | undefined {
  if ([...group].length <= GROUP_LENGTH_MAX) return undefined;
  const reason = `too long; accepted: 1 to ${GROUP_LENGTH_MAX} characters`;
  return { code: INVALID_PARAMS, param, reason };
}

function limitFault(config: MmpConfig): MmpFault | undefined {
  const { intervalMs, quantityLimit, deltaLimit, vegaLimit, tradeCountLimit } = config;
  const { maxQuoteQuantity } = config;
  const amounts = { quantityLimit, deltaLimit, vegaLimit, maxQuoteQuantity };
  const given = Object.entries(amounts).filter(([, limit]) => limit !== undefined);
  if (intervalMs > 0 && given.length === 0 && tradeCountLimit === undefined) {
    const reason =
      'no limit is set; accepted: at least one of quantity, delta, vega, trade count, quote size';
    return { code: BAD_ARGUMENTS, param: 'quantityLimit', reason };
  }
  for (const [param, limit] of given) {
    if (limit !== undefined && !isLimit(limit)) {
      const reason = `accepted: a decimal above 0 with at most ${LIMIT_PLACES} places`;
      return { code: BAD_ARGUMENTS, param, reason };
    }
  }
  if (tradeCountLimit === undefined) return undefined;
  if (Number.isInteger(tradeCountLimit) && tradeCountLimit >= 1) {
    if (tradeCountLimit <= TRADE_COUNT_MAX) return undefined;
  }
  const reason = `accepted: a whole number from 1 to ${TRADE_COUNT_MAX}`;
  return { code: BAD_ARGUMENTS, param: 'tradeCountLimit', reason };
}

const isLimit = (limit: Quantity | Money): boolean =>
  isPositive(limit) && rounded(limit, LIMIT_PLACES, 'down').eq(limit);

function combinationFault(kind: MmpKind, config: MmpConfig): MmpFault | undefined {
  const { index, tradeCountLimit } = config;
  if (tradeCountLimit !== undefined && (kind !== 'blockRfq' || index !== ALL_INDEXES)) {
    const reason = `accepted only with blockRfq true and indexName ${ALL_INDEXES}`;
    return { code: UNSUPPORTED_COMBINATION, param: 'tradeCountLimit', reason };
  }
  if (index === ALL_INDEXES && kind !== 'blockRfq') {
    const reason = `${ALL_INDEXES} is accepted only with blockRfq true`;
    return { code: UNSUPPORTED_COMBINATION, param: 'indexName', reason };
  }
  return undefined;
}
