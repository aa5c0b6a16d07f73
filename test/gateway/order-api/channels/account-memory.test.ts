// Compares what a reconnecting reader receives with a plain list of all changes.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  AccountMemory,
  type FlowReader,
} from '../../../../src/gateway/order-api/channels/account-memory.ts';
import type { VenueNotice } from '../../../../src/ports/trading-desk.ts';
import { NOON } from '../../../support/engine/markets.ts';

const BASE = NOON * 1_000;
type Kind = 'order' | 'trade' | 'reconnected';

/** A change; the history ignores its content. */
const newsOf = (kind: Kind): VenueNotice =>
  ({ kind, order: {}, trade: {} }) as unknown as VenueNotice;

class Reader implements FlowReader {
  readonly heard: [string, number?][] = [];
  readonly kinds: readonly ('order' | 'trade')[];

  constructor(kinds: readonly ('order' | 'trade')[]) {
    this.kinds = kinds;
  }

  readonly receive: FlowReader['receive'] = ({ kind }, number) => this.heard.push([kind, number]);
  readonly onGap = (): void => void this.heard.push(['gap']);
  readonly onMissing: FlowReader['onMissing'] = (number, why) => this.heard.push([why, number]);
}

const happenings = fc.array(fc.constantFrom<Kind>('order', 'order', 'trade', 'reconnected'), {
  maxLength: 60,
  size: 'max',
});

describe('the history of an account', () => {
  test('the history of an account replays the changes after a number once and in order, or reports that it cannot', () => {
    fc.assert(
      fc.property(
        happenings,
        happenings,
        fc.subarray<'order' | 'trade'>(['order', 'trade'], { minLength: 1 }),
        fc.nat({ max: 80 }),
        fc.nat({ max: 20 }),
        (before, later, kinds, behind, extra) => {
          const keptMax = 1 + extra;
          const memory = new AccountMemory({ now: NOON, keptMax });
          for (const kind of before) memory.receive(newsOf(kind));
          const reader = new Reader(kinds);
          memory.resume(reader, BASE + behind);
          for (const kind of later) memory.receive(newsOf(kind));

          const noticed = (list: readonly Kind[], from: number): [string, number?][] =>
            list.flatMap((kind, at): [string, number?][] => {
              if (kind === 'reconnected') return [['gap']];
              return kinds.includes(kind) ? [[kind, BASE + from + at + 1]] : [];
            });
          const live = noticed(later, before.length);
          const missed = noticed(before.slice(behind), behind);
          const isUnknown = behind > before.length;
          const [first] = reader.heard;
          if (isUnknown) {
            expect(reader.heard).toEqual([['forgotten', BASE + before.length], ...live]);
          } else if (first?.[0] === 'too_much') {
            // Only where more of one kind came behind it than has to be kept.
            const most = Math.max(
              ...kinds.map(
                (kind) =>
                  before.slice(behind).filter((one) => one === kind || one === 'reconnected')
                    .length,
              ),
            );
            expect(most).toBeGreaterThan(keptMax);
            expect(reader.heard).toEqual([['too_much', BASE + before.length], ...live]);
          } else expect(reader.heard).toEqual([...missed, ...live]);
        },
      ),
      { numRuns: 300 },
    );
  });

  test('the history of an account does not know numbers from before it was created', () => {
    const memory = new AccountMemory({ now: NOON, keptMax: 10 });
    const reader = new Reader(['order']);
    memory.resume(reader, 0);
    memory.resume(reader, BASE - 1);
    expect(reader.heard).toEqual([
      ['forgotten', BASE],
      ['forgotten', BASE],
    ]);
  });

  test('the history of an account sends nothing to a reader that has unsubscribed', () => {
    const memory = new AccountMemory({ now: NOON, keptMax: 10 });
    const reader = new Reader(['order']);
    const leave = memory.follow(reader);
    expect(memory.isRead).toBe(true);
    leave();
    memory.receive(newsOf('order'));
    expect([memory.isRead, reader.heard]).toEqual([false, []]);
  });
});
