// Rules that an operator may choose, where venues differ or a venue leaves the choice to its users.
import type { SelfTradeRule } from './account.ts';

export interface ExchangeRules {
  /** Default false, as at the venue: options accept limit orders only. */
  readonly marketOrdersOnOptions?: boolean | undefined;
  /**
   * A trigger order whose trigger condition is already met on entry: refused by default, otherwise triggered
   * at once.
   */
  readonly triggerAlreadyMet?: 'refuse' | 'fire' | undefined;
  /** Untriggered orders per account, including dormant linked ones. Default 200. */
  readonly triggersMax?: number | undefined;
  /** Linked orders per account that wait for their primary; spot is counted separately. Default 200. */
  readonly dormantLinksMax?: number | undefined;
  /** Inverse options: clamp a price beyond the band to the band. Default false: refuse it. */
  readonly clampInverseOptions?: boolean | undefined;
  /** How often orders priced by the exchange are repriced. Default 1000. */
  readonly advancedIntervalMs?: number | undefined;
  /** Active combos. Default 200. */
  readonly combosMax?: number | undefined;
  /** Default `reject_taker`. */
  readonly selfTrade?: SelfTradeRule | undefined;
  /** How long an order that would match at once waits in a book that has a speed bump. Default 0: it does not. */
  readonly speedBumpMs?: number | undefined;
  /** The code that refuses an edit of a waiting order, which no source states. Default 11030. */
  readonly speedBumpEditCode?: number | undefined;
}
