// What venues publish about every account of the deployment: about accounts of this daemon from its own venues, about those
// of others from the daemons that own them. Followers are notified of a gap where notices may be missing: when a
// connection to another daemon is made or lost, and when an account has a new owner.
import { shardOf } from '../../core/ownership/shards.ts';
import type { RfqNews } from '../../ports/block-rfq.ts';
import type { Clock, StopTimer } from '../../ports/clock.ts';
import type { EnginePeers } from '../../ports/deployment/engine-peers.ts';
import type { Observer } from '../../ports/observer.ts';
import { accountOfNotice, type VenueNotice } from '../../ports/trading-desk.ts';
import { FanOut } from '../../values/fan-out.ts';
import type { AccountId, VenueName } from '../../values/ids.ts';
import { later } from '../../values/instant.ts';
import type { OpenVenue, OrderOperations } from '../order-entry/order-operations.ts';
import type { Ownership } from '../ownership/ownership.ts';
import { argsText, noticeOf } from './call-codec.ts';
import { accountOfNews, accountsInShards } from './notice-accounts.ts';
import { type Begun, ORDER_NOTICES, RFQ_NEWS } from './serve-notices.ts';

export interface FollowedNoticesOptions {
  /** Those of this daemon. */
  readonly here: Pick<OrderOperations, 'accounts'>;
  readonly ownership: Pick<Ownership, 'owns' | 'addressOf' | 'peers' | 'onPeers' | 'onGain'>;
  readonly peers: Pick<EnginePeers, 'follow'>;
  readonly clock: Clock;
  readonly observer: Observer;
}

/** Pause before a daemon that could not be followed is tried again. */
const AGAIN_MS = 500;

type Leave = () => void;

export class FollowedNotices {
  readonly #options: FollowedNoticesOptions;
  readonly #orders = new Map<VenueName, Feed<VenueNotice>>();
  readonly #rfqs = new Map<VenueName, Feed<RfqNews>>();

  constructor(options: FollowedNoticesOptions) {
    this.#options = options;
    options.ownership.onPeers(() => {
      for (const feed of this.#feeds()) feed.followPeers();
    });
    options.ownership.onGain((shards) => {
      const gainedOf = accountsInShards(options.here.accounts(), shards);
      for (const feed of this.#feeds()) {
        const accounts = gainedOf(feed.venue);
        if (accounts.length > 0) feed.gap(accounts);
      }
    });
  }

  /** Notices about orders, trades and accounts of the venue. */
  orders(venue: OpenVenue, listener: (notice: VenueNotice) => void): Leave {
    const { name } = venue;
    const feed =
      this.#orders.get(name) ??
      new Feed<VenueNotice>(this.#options, {
        venue: name,
        method: ORDER_NOTICES,
        listen: (own) => venue.subscribe(own),
        accountsOf: (notice) =>
          notice.kind === 'reconnected' ? notice.accounts : [accountOfNotice(notice)],
        gap: (accounts) => ({ kind: 'reconnected', accounts }),
      });
    this.#orders.set(name, feed);
    return feed.add(listener);
  }

  /** News about Block RFQs of the venue; none if it has none. */
  rfqs({ name, rfqs }: OpenVenue, listener: (news: RfqNews) => void): Leave {
    if (rfqs === undefined) return () => undefined;
    const feed =
      this.#rfqs.get(name) ??
      new Feed<RfqNews>(this.#options, {
        venue: name,
        method: RFQ_NEWS,
        listen: (own) => rfqs.listen(own),
        accountsOf: (news) => {
          const account = accountOfNews(news);
          return account === undefined ? [] : [account];
        },
        gap: () => ({ kind: 'reconnected' }),
      });
    this.#rfqs.set(name, feed);
    return feed.add(listener);
  }

  close(): void {
    for (const feed of this.#feeds()) feed.close();
  }

  #feeds(): readonly Pick<Feed<VenueNotice>, 'venue' | 'followPeers' | 'gap' | 'close'>[] {
    return [...this.#orders.values(), ...this.#rfqs.values()];
  }
}

interface Source<N> {
  readonly venue: VenueName;
  readonly method: string;
  /** Of this daemon's own connections to the venue. */
  readonly listen: (listener: (notice: N) => void) => Leave;
  /** None: it concerns all of them. */
  readonly accountsOf: (notice: N) => readonly AccountId[];
  readonly gap: (accounts: readonly AccountId[]) => N;
}

/** Another daemon that is followed, or is going to be. */
interface Followed {
  /** It has said that it notifies. */
  hasBegun: boolean;
  leave: Leave;
  stopTimer: StopTimer;
}

/** Follows while it has listeners. */
class Feed<N> {
  readonly venue: VenueName;
  readonly #options: FollowedNoticesOptions;
  readonly #source: Source<N>;
  readonly #listeners: FanOut<N>;
  readonly #followed = new Map<string, Followed>();
  #leaveOwn: Leave | undefined;

  constructor(options: FollowedNoticesOptions, source: Source<N>) {
    this.venue = source.venue;
    this.#options = options;
    this.#source = source;
    this.#listeners = new FanOut((error) =>
      options.observer.observe({ event: 'failed', where: 'notices', error }),
    );
  }

  add(listener: (notice: N) => void): Leave {
    const leave = this.#listeners.add(listener);
    this.#leaveOwn ??= this.#source.listen((notice) => {
      const accounts = this.#source.accountsOf(notice);
      const isMeant = accounts.length === 0 || accounts.some((one) => !this.#isRelayed(one));
      if (isMeant) this.#listeners.send([notice]);
    });
    this.followPeers();
    return () => {
      leave();
      if (!this.#listeners.isHeard) this.close();
    };
  }

  /** Follows the other daemons that there are, and those alone. */
  followPeers(): void {
    if (this.#leaveOwn === undefined) return;
    const peers = new Set(this.#options.ownership.peers());
    for (const [address, followed] of this.#followed) {
      if (peers.has(address)) continue;
      this.#followed.delete(address);
      followed.stopTimer();
      followed.leave();
      if (followed.hasBegun) this.gap(this.#ofOthers());
    }
    for (const address of peers) if (!this.#followed.has(address)) this.#follow(address);
  }

  /** Notices about these accounts may be missing. */
  gap(accounts: readonly AccountId[]): void {
    this.#listeners.send([this.#source.gap(accounts)]);
  }

  close(): void {
    this.#leaveOwn?.();
    this.#leaveOwn = undefined;
    for (const { leave, stopTimer } of this.#followed.values()) {
      stopTimer();
      leave();
    }
    this.#followed.clear();
  }

  /**
   * Whether another daemon sends what is published about the account. While its owner changes nobody does, and the next
   * one announces a gap.
   */
  #isRelayed(account: AccountId): boolean {
    const { ownership } = this.#options;
    const shard = shardOf(account);
    if (ownership.owns(shard)) return false;
    const address = ownership.addressOf(shard);
    const senders = [...this.#followed].filter(([one]) => address === undefined || one === address);
    return senders.some(([, { hasBegun }]) => hasBegun);
  }

  #ofOthers(): readonly AccountId[] {
    const { here, ownership } = this.#options;
    return here.accounts().flatMap(([account, venue]) => {
      const isOfOthers = venue === this.venue && !ownership.owns(shardOf(account));
      return isOfOthers ? [account] : [];
    });
  }

  #follow(address: string): void {
    const { peers, clock, observer } = this.#options;
    const { method, venue } = this.#source;
    const none = (): void => undefined;
    const followed: Followed = { hasBegun: false, leave: none, stopTimer: none };
    this.#followed.set(address, followed);
    let hasFailed = false;
    const begin = (): void => {
      followed.leave = peers.follow(
        address,
        { method, text: argsText([venue]) },
        {
          notice: (text) => {
            const notice = noticeOf(text) as N | Begun;
            if (!isBegun(notice)) return this.#listeners.send([notice]);
            hasFailed = false;
            followed.hasBegun = true;
            this.gap(this.#ofOthers());
          },
          ended: (error) => {
            const wasNotified = followed.hasBegun;
            followed.hasBegun = false;
            // Once for all its attempts.
            if (!hasFailed) observer.observe({ event: 'failed', where: 'owner', error });
            hasFailed = true;
            if (wasNotified) this.gap(this.#ofOthers());
            if (this.#followed.get(address) !== followed) return;
            followed.stopTimer = clock.at(later(clock.now(), AGAIN_MS), begin);
          },
        },
      );
    };
    begin();
  }
}

const isBegun = (notice: unknown): notice is Begun =>
  (notice as { readonly kind?: unknown } | null)?.kind === 'begun';
