// A channel of notifications that keeps what it is given, and rules that report everything.
import type { ChannelRules } from '../../../src/core/notify/due-notices.ts';
import { HAPPENING_KINDS } from '../../../src/core/notify/happening.ts';
import type {
  Delivery,
  NoticeChannel,
  NoticeMessage,
} from '../../../src/ports/notify/notice-channel.ts';

export const RULES: ChannelRules = {
  happenings: HAPPENING_KINDS,
  urgent: ['breach', 'switch_set', 'venue_away', 'unknown_outcome'],
  digestMs: 30_000,
  perMinuteMax: 60,
  quietHours: [],
};

/** A channel that keeps what it is given and answers as a test says. */
export class ScriptChannel implements NoticeChannel {
  readonly messages: NoticeMessage[] = [];
  tries = 0;
  answer: () => Promise<Delivery> = () => Promise.resolve({ kind: 'delivered' });

  async send(message: NoticeMessage): Promise<Delivery> {
    this.tries += 1;
    const delivery = await this.answer();
    if (delivery.kind === 'delivered') this.messages.push(message);
    return delivery;
  }

  close(): void {
    this.answer = () => Promise.resolve({ kind: 'later', why: 'closed' });
  }

  get told(): string[] {
    return this.messages.flatMap(({ happenings }) => happenings.map(({ key }) => key));
  }
}
