// The engine's interface over a connection to it. A call that was not made or not answered fails as the rule of its method
// says. Subscriptions outlive connections: with each new one they begin again, and their followers are notified of the gap.
import { unsent } from '../../core/order/answer-class.ts';
import type { Asker, CallLane, EngineLine } from '../../ports/deployment/engine-line.ts';
import { isPeerAway, PeerUnreached } from '../../ports/deployment/engine-peers.ts';
import { MarketUnanswered } from '../../ports/market-reads.ts';
import type { EngineApi } from '../interface/engine-api.ts';
import type { NewsNotice } from '../interface/news-api.ts';
import { argsText, noticeOf, resultOf } from './call-codec.ts';
import { type CallRule, INTERFACE_RULES, type SubscriptionRule } from './interface-rules.ts';

export interface RemoteEngineOptions {
  readonly line: EngineLine;
  /** On whose behalf code is running at the moment. */
  readonly asker: () => Asker | undefined;
  /** Budget of the reads that are made for no key. */
  readonly openReads: OpenReadBudget;
  /** Called for exceptions of followers. */
  readonly onFault: (error: unknown) => void;
}

export interface OpenReadBudget {
  /** Whether code is running for a key, also after the answer to its request. */
  readonly isOfKey: () => boolean;
  /** Runs the read when there is room; rejects with `PeerUnreached` if too many wait. */
  run(read: () => Promise<string>): Promise<string>;
}

type Args = readonly unknown[];
type Listener = (notice: unknown) => void;

interface Subscription {
  readonly method: string;
  readonly args: Args;
  readonly listeners: Set<Listener>;
  /** The notices of the connection before this one have ended. */
  hadConnection: boolean;
  leave: () => void;
}

export function remoteEngine(options: RemoteEngineOptions): EngineApi {
  const subscriptions = new Subscriptions(options);
  const groups = Object.entries(INTERFACE_RULES).map(([group, methods]) => {
    const made = Object.entries<CallRule | SubscriptionRule>(methods).map(([name, rule]) => {
      const method = `${group}.${name}`;
      return [
        name,
        rule.kind === 'call'
          ? (...args: Args) => called(options, { method, args, rule })
          : (...args: Args) =>
              subscriptions.add(method, args.slice(0, -1), args.at(-1) as Listener, rule),
      ];
    });
    return [group, Object.fromEntries(made)];
  });
  return Object.fromEntries(groups) as EngineApi;
}

interface Called {
  readonly method: string;
  readonly args: Args;
  readonly rule: CallRule;
}

async function called(
  { line, asker, openReads }: RemoteEngineOptions,
  { method, args, rule }: Called,
): Promise<unknown> {
  // Read before the first await, while the request is in hand.
  const call = { method, text: argsText(args), by: asker(), lane: laneOf(rule) };
  const isOpen = rule.isPublic === true && !openReads.isOfKey();
  try {
    return resultOf(await (isOpen ? openReads.run(() => line.call(call)) : line.call(call)));
  } catch (error) {
    return lost(error, rule);
  }
}

function laneOf({ isUrgent, scopes }: CallRule): CallLane {
  if (isUrgent === true) return 'urgent';
  return scopes === undefined ? 'read' : 'change';
}

/** What the caller gets for a call that was not made, or not answered. */
function lost(error: unknown, { lostAs }: CallRule): unknown {
  if (!isPeerAway(error)) throw error;
  if (lostAs === 'market') throw new MarketUnanswered(error.message);
  if (lostAs === undefined) throw error;
  return error instanceof PeerUnreached
    ? unsent(`the engine: ${error.message}`)
    : { kind: 'unknown', reason: error.message };
}

class Subscriptions {
  readonly #options: RemoteEngineOptions;
  readonly #all = new Set<Subscription>();
  readonly #shared = new Map<string, Subscription>();

  constructor(options: RemoteEngineOptions) {
    this.#options = options;
    options.line.onConnected(() => {
      for (const one of this.#all) this.#begin(one);
    });
  }

  add(method: string, args: Args, listener: Listener, { isShared }: SubscriptionRule): () => void {
    const key = isShared === true ? `${method} ${argsText(args)}` : undefined;
    const known = key === undefined ? undefined : this.#shared.get(key);
    const one = known ?? this.#made(method, args);
    // Two followers may be the same function.
    const own: Listener = (notice) => listener(notice);
    one.listeners.add(own);
    if (known === undefined) {
      if (key !== undefined) this.#shared.set(key, one);
      if (this.#options.line.isConnected) this.#begin(one);
      else this.#withoutConnection(one);
    }
    return () => {
      if (!one.listeners.delete(own) || one.listeners.size > 0) return;
      this.#all.delete(one);
      if (key !== undefined) this.#shared.delete(key);
      one.leave();
    };
  }

  #made(method: string, args: Args): Subscription {
    const leave = (): void => undefined;
    const one = { method, args, listeners: new Set<Listener>(), hadConnection: false, leave };
    this.#all.add(one);
    return one;
  }

  #begin(one: Subscription): void {
    const { line } = this.#options;
    const gap = one.hadConnection ? GAPS.get(one.method) : undefined;
    one.hadConnection = true;
    let isFirst = true;
    one.leave = line.follow({ method: one.method, text: argsText(one.args) }, (text) => {
      const notice = noticeOf(text);
      const shown = isFirst && gap?.first !== undefined ? gap.first(notice) : notice;
      isFirst = false;
      this.#notify(one, shown);
    });
    const notice = gap?.notice?.(one.args);
    if (notice !== undefined) this.#notify(one, notice);
  }

  /** News cannot begin without a connection, and their follower waits for the beginning. */
  #withoutConnection(one: Subscription): void {
    if (one.method !== 'news.follow') return;
    const failed: NewsNotice = { kind: 'failed', reason: 'the engine is not connected' };
    this.#notify(one, failed);
  }

  #notify({ listeners }: Subscription, notice: unknown): void {
    for (const listener of listeners) {
      try {
        listener(notice);
      } catch (error) {
        this.#options.onFault(error);
      }
    }
  }
}

interface Gap {
  /** The notice that says so. */
  readonly notice?: (args: Args) => unknown;
  /** What the first notice of the new connection becomes. */
  readonly first?: (notice: unknown) => unknown;
}

/** How followers learn that notices may be missing between two connections. */
const GAPS: ReadonlyMap<string, Gap> = new Map<string, Gap>([
  ['orders.follow', { notice: () => ({ kind: 'reconnected', accounts: [] }) }],
  ['rfqs.follow', { notice: () => ({ kind: 'reconnected' }) }],
  ['market.follow', { notice: ([, instrument]) => ({ kind: 'market', instrument }) }],
  ['news.follow', { first: (notice) => lostNews(notice as NewsNotice) }],
]);

const lostNews = (notice: NewsNotice): NewsNotice =>
  notice.kind === 'begun' ? { kind: 'lost', from: notice.from } : notice;
