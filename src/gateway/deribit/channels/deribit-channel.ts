// A channel of Deribit's wire, as a connection subscribes to it.
import type { Instant } from '../../../values/instant.ts';
import type { Desks } from '../../desks/desks.ts';
import type { RidLimits } from '../../limits/limits.ts';
import type { ReportError } from '../../wire/http-faults.ts';
import type { Login } from '../method/deribit-login.ts';

export interface ChannelOpening {
  /**
   * Absent for a channel that is requested as a public one. Whether the client may have the interval `raw` has
   * been checked.
   */
  readonly login?: Login | undefined;
  /** Sends one notification; `data` is its JSON text, made once for all subscribers that get the same. */
  readonly publish: (data: string) => void;
}

export interface OpenChannel {
  readonly leave: () => void;
  /** The number of markets it keeps subscribed. */
  readonly markets: number;
}

export interface ChannelFamily {
  /** Whether the channel is a public one of the interval `raw`, which needs a login. */
  isRaw(name: string): boolean;
  /** Opens the channel; `undefined` if the name is unknown, or the login does not allow it. */
  open(name: string, opening: ChannelOpening): OpenChannel | undefined;
  close(): void;
}

/** What families need of the gateway. */
export interface FamilyParts {
  readonly orders: Desks;
  readonly now: () => Instant;
  readonly limits: RidLimits;
  readonly report: ReportError;
}

/** Opens a family, which lives as long as the gateway. */
export type OpenFamily = (parts: FamilyParts) => ChannelFamily;
