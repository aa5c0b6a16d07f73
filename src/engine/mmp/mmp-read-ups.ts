// Reads from the venue what the protection of an account may have missed: its open orders or quotes, and the trades within
// windows that may still be open.
import type { MmpState } from '../../core/mmp/mmp-state.ts';
import type { Clock } from '../../ports/clock.ts';
import type { MmpOf } from '../../ports/mmp-records.ts';
import type { Observer } from '../../ports/observer.ts';
import type { Venue, VenueDirectory } from '../../ports/venue.ts';
import type { AccountId } from '../../values/ids.ts';
import { earliest, type Instant, later, latest } from '../../values/instant.ts';
import type { MmpTradeListener } from './mmp-trade-listener.ts';

export interface MmpReadUpsOptions {
  readonly clock: Clock;
  readonly observer: Observer;
  readonly venues: VenueDirectory;
  readonly listener: Pick<MmpTradeListener, 'readUp' | 'readUpBlocks'>;
  readonly stateOf: (of: MmpOf) => MmpState;
  /** Whether notices of the account arrive here; those of any other are read by the daemon that has them. */
  readonly isListening: (account: AccountId) => boolean;
}

const RETRY_MS = 2_000;

export class MmpReadUps {
  readonly #parts: MmpReadUpsOptions;

  constructor(parts: MmpReadUpsOptions) {
    this.#parts = parts;
  }

  /** Reads until the venue has answered once. Resolves after the first attempt. */
  async readUp(of: MmpOf): Promise<void> {
    const { venues, observer, clock, isListening } = this.#parts;
    const venue = venues.forAccount(of.account);
    const from = this.#oldestCounting(of);
    if (venue === undefined || from === undefined || !isListening(of.account)) return;
    try {
      await this.#readUpFrom(of, venue, from);
    } catch (error) {
      observer.observe({ event: 'failed', where: 'mmp.read_up', error });
      clock.at(later(clock.now(), RETRY_MS), () => void this.readUp(of));
    }
  }

  async #readUpFrom({ account, kind }: MmpOf, venue: Venue, from: Instant): Promise<void> {
    const { listener } = this.#parts;
    const { rfqs } = venue;
    if (kind === 'order') return await listener.readUp(venue, account, from);
    if (rfqs !== undefined) await listener.readUpBlocks({ rfqs, venue, account }, from);
  }

  #oldestCounting(of: MmpOf): Instant | undefined {
    const now = this.#parts.clock.now();
    let oldest: Instant | undefined;
    for (const { config, countsFrom } of this.#parts.stateOf(of).groups.values()) {
      const from = latest(countsFrom, later(now, -config.intervalMs));
      oldest = earliest(oldest ?? from, from);
    }
    return oldest;
  }
}
