// Sends the waiting notices of every channel: in messages as its rules want them, again with growing back-off while it
// does not answer, and not at all once they are too old. A channel that fails does not delay the others.
import { dueNotices, type WaitingNotice } from '../../core/notify/due-notices.ts';
import { noticeText } from '../../core/notify/notice-text.ts';
import { runbookLink } from '../../core/notify/runbook.ts';
import { InFlight } from '../../lifetime/in-flight.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Delivery, NoticeChannel } from '../../ports/notify/notice-channel.ts';
import type { NoticeOutbox } from '../../ports/notify/notice-outbox.ts';
import type { Observer } from '../../ports/observer.ts';
import { type Instant, later, latest, MINUTE_MS } from '../../values/instant.ts';
import type { NoticeRoute } from './notice-routes.ts';

export interface NoticeChannelRoute extends NoticeRoute {
  readonly channel: NoticeChannel;
  /** What could not be delivered in this time is dropped. */
  readonly giveUpMs: number;
}

export interface NoticeCourierOptions {
  readonly deployment: string;
  /** Address of docs/operations.md, to whose sections messages link; absent: they link nowhere. */
  readonly runbookUrl?: string | undefined;
  readonly clock: Clock;
  readonly outbox: NoticeOutbox;
  readonly observer: Observer;
  readonly routes: readonly NoticeChannelRoute[];
}

interface Standing {
  sentAt: readonly Instant[];
  failures: number;
  notBefore: Instant | undefined;
  isSending: boolean;
}

/** Happenings in a message, at most. */
const SENT_AT_ONCE = 25;
const RETRY_MS_MIN = 2_000;
const RETRY_MS_MAX = 10 * MINUTE_MS;
/** A receiver that refuses a message so often will not take it. */
const REFUSALS_MAX = 5;

export class NoticeCourier {
  readonly #parts: NoticeCourierOptions;
  readonly #sends = new InFlight();
  readonly #standings: readonly (readonly [NoticeChannelRoute, Standing])[];

  constructor(parts: NoticeCourierOptions) {
    this.#parts = parts;
    this.#standings = parts.routes.map((route) => {
      const standing = { sentAt: [], failures: 0, notBefore: undefined, isSending: false };
      return [route, standing];
    });
  }

  /** Begins to send what is due, at most one message a channel; does not wait for a receiver. */
  send(): void {
    const now = this.#parts.clock.now();
    for (const [route, standing] of this.#standings) {
      if (standing.isSending || now < (standing.notBefore ?? now)) continue;
      standing.isSending = true;
      const sent = this.#sendTo(route, standing).finally(() => {
        standing.isSending = false;
      });
      void this.#sends.track(sent);
    }
  }

  /** Resolves when no message is on its way. */
  idle(): Promise<void> {
    return this.#sends.idle();
  }

  async #sendTo(route: NoticeChannelRoute, standing: Standing): Promise<void> {
    const { clock, outbox, observer } = this.#parts;
    const now = clock.now();
    try {
      const waiting = await this.#withoutOld(route, await outbox.waiting(route.name, SENT_AT_ONCE));
      const due = dueNotices(waiting, { rules: route.rules, now, sentAt: standing.sentAt });
      if (due.length > 0) await this.#deliver(route, standing, due);
    } catch (error) {
      observer.observe({ event: 'failed', where: 'notify', error });
    }
  }

  async #withoutOld(
    { name, giveUpMs }: NoticeChannelRoute,
    waiting: readonly WaitingNotice[],
  ): Promise<readonly WaitingNotice[]> {
    const { clock } = this.#parts;
    const from = later(clock.now(), -giveUpMs);
    const old = waiting.filter(({ happening }) => happening.at < from);
    if (old.length === 0) return waiting;
    await this.#drop(name, old, 'they have waited too long');
    return waiting.filter((one) => !old.includes(one));
  }

  async #deliver(
    { name, channel }: NoticeChannelRoute,
    standing: Standing,
    due: readonly WaitingNotice[],
  ): Promise<void> {
    const { deployment, runbookUrl, clock, outbox, observer } = this.#parts;
    const at = clock.now();
    const happenings = due.map(({ happening }) => {
      const runbook = runbookLink(happening.kind, runbookUrl);
      return runbook === undefined ? happening : { ...happening, runbook };
    });
    const numbers = due.map(({ number }) => number);
    const { title, lines } = noticeText(deployment, happenings);
    const delivery = await channel.send({ deployment, at, title, lines, happenings });
    // What arrived counts towards the limit, and so does what was refused.
    standing.sentAt = [...standing.sentAt, at].filter((one) => one > later(at, -MINUTE_MS));
    if (delivery.kind === 'delivered') {
      Object.assign(standing, { failures: 0, notBefore: undefined });
      return await outbox.settle(name, numbers, 'sent');
    }
    standing.failures += 1;
    standing.notBefore = retryAt(clock.now(), standing.failures, delivery);
    observer.observe({ event: 'failed', where: `notify.${name}`, error: new Error(delivery.why) });
    if (delivery.kind === 'refused' && standing.failures >= REFUSALS_MAX) {
      standing.failures = 0;
      await this.#drop(name, due, 'the receiver refuses them');
    }
  }

  async #drop(name: string, notices: readonly WaitingNotice[], why: string): Promise<void> {
    const { outbox, observer } = this.#parts;
    const numbers = notices.map(({ number }) => number);
    await outbox.settle(name, numbers, 'dropped');
    const error = new Error(`${numbers.length} notices were dropped: ${why}`);
    observer.observe({ event: 'failed', where: `notify.${name}`, error });
  }
}

function retryAt(now: Instant, failures: number, delivery: Delivery): Instant {
  const backOffMs = Math.min(RETRY_MS_MIN * 2 ** (failures - 1), RETRY_MS_MAX);
  const askedMs = delivery.kind === 'later' ? (delivery.afterMs ?? 0) : 0;
  return latest(later(now, backOffMs), later(now, Math.min(askedMs, RETRY_MS_MAX)));
}
