// What an operator may choose where venues differ, or where a venue leaves the choice to its users.
import type { SelfTradeMode } from './account.ts';

export interface ExchangeRules {
  /** Default false, as the venue: options take limit orders only. */
  readonly marketOrdersOnOptions?: boolean | undefined;
  /** A trigger order whose trigger is met when it comes: default refused, else it fires at once. */
  readonly triggerAlreadyMet?: 'refuse' | 'fire' | undefined;
  /** Trigger orders waiting per account, dormant linked ones included. Default 200. */
  readonly triggersMax?: number | undefined;
  /** Linked orders waiting for their primary per account, spot counted apart. Default 200. */
  readonly dormantLinksMax?: number | undefined;
  /** Inverse options: move a price beyond the band to the band. Default false: refuse it. */
  readonly clampInverseOptions?: boolean | undefined;
  /** How often orders priced by the exchange follow the market. Default 1000. */
  readonly advancedIntervalMs?: number | undefined;
  /** Default `reject_taker`. */
  readonly selfTrade?: SelfTradeMode | undefined;
}
