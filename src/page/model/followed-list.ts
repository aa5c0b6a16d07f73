// Whether a list that is read once and then kept by a channel is current: per account, from the reading that follows the begin
// of its channel until the channels are lost or the screen is left.
import { signal } from '@preact/signals';
import { areChannelsLive, channelsLostMs } from '../link/channel-socket.ts';
import { current, type Shown } from './panel-state.ts';
import { tradingAccounts } from './trading-accounts.ts';

const RETRY_MS = 2_000;
const REFUSED_RETRY_MS = 15_000;

interface Part {
  /** Read since its channel began. */
  readonly isCurrent: boolean;
  /** From when on it is not current; absent: never read. */
  readonly staleMs: number | undefined;
  readonly fault: string;
}

export class FollowedList {
  #isFollowed = false;
  readonly #parts = signal<ReadonlyMap<string, Part>>(new Map());

  /** The list of the account was read, and is kept from now on. */
  read(account: string): void {
    this.#set(account, { isCurrent: true, staleMs: performance.now(), fault: '' });
  }

  /** Its channel begins, or begins again: something may be missing until it is read. */
  begin(account: string): void {
    this.#isFollowed = true;
    this.#set(account, this.#stale(account));
  }

  /** Reads again after a while, if it is still followed. */
  retry(
    account: string,
    { kind, message: fault }: { readonly kind: 'unknown' | 'refused'; readonly message: string },
    read: () => Promise<void>,
  ): void {
    this.#set(account, { ...this.#stale(account), fault: `${account}: ${fault}` });
    const again = (): void => {
      if (this.#isFollowed) void read();
    };
    setTimeout(again, kind === 'unknown' ? RETRY_MS : REFUSED_RETRY_MS);
  }

  /** Nothing is published to it any more. */
  left(): void {
    this.#isFollowed = false;
    for (const account of this.#parts.value.keys()) this.#set(account, this.#stale(account));
  }

  shown<T>(value: T): Shown<T> {
    const parts = tradingAccounts().map((account) => this.#parts.value.get(account) ?? NEVER);
    if (parts.length === 0) return current(value);
    const fault = parts.find((part) => part.fault !== '')?.fault ?? '';
    const unread = parts.filter(({ staleMs }) => staleMs === undefined);
    if (unread.length === parts.length) return { kind: 'unread', fault };
    if (unread.length > 0) return { kind: 'partial', value, fault };
    const old = parts.flatMap(({ isCurrent, staleMs }) => (isCurrent ? [] : [staleMs ?? 0]));
    if (!areChannelsLive.value) old.push(channelsLostMs.value);
    if (old.length === 0) return current(value);
    return { kind: 'stale', value, sinceMs: Math.min(...old), fault };
  }

  #stale(account: string): Part {
    const { isCurrent, staleMs, fault } = this.#parts.value.get(account) ?? NEVER;
    const since = areChannelsLive.value ? performance.now() : channelsLostMs.value;
    return { isCurrent: false, staleMs: isCurrent ? since : staleMs, fault };
  }

  #set(account: string, part: Part): void {
    this.#parts.value = new Map(this.#parts.value).set(account, part);
  }
}

const NEVER: Part = { isCurrent: false, staleMs: undefined, fault: '' };
