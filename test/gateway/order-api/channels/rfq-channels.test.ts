// How a Block RFQ channel starts: changes that arrive while the snapshot is read are published after it, and
// the newest state comes last.

import { expect, it } from 'vitest';
import { parseChannel } from '../../../../src/gateway/order-api/channels/channel.ts';
import { OWN_VIEWS } from '../../../../src/gateway/order-api/channels/channel-views.ts';
import type { RfqChannel } from '../../../../src/gateway/order-api/channels/rfq-channel.ts';
import { openRfqChannel } from '../../../../src/gateway/order-api/channels/rfq-channels.ts';
import type { RfqDesk, RfqNews } from '../../../../src/ports/block-rfq.ts';
import type { Reply } from '../../../../src/ports/trading-desk.ts';
import { quantity, ratio } from '../../../../src/values/amounts.ts';
import type { RfqRecord, RfqStatus } from '../../../../src/values/block-rfq-record.ts';
import { accountId, currency, instrumentName } from '../../../../src/values/ids.ts';
import { instant } from '../../../../src/values/instant.ts';

const ACCOUNT = accountId('10001');

const record = (id: string, at: number, status: RfqStatus = 'open'): RfqRecord => ({
  id,
  status,
  role: 'taker',
  currency: currency('BTC'),
  quantity: quantity('25'),
  legs: [{ instrument: instrumentName('BTC-X'), ratio: ratio('1'), side: 'buy' }],
  createdAt: instant(1),
  expiresAt: instant(300_001),
  lastUpdatedAt: instant(at),
  makers: [],
  disclosed: true,
  minTradeQuantity: quantity('1'),
  bids: [],
  asks: [],
  allocations: [],
  triggers: [],
  fills: [],
});

type Page = Reply<{ readonly rfqs: readonly RfqRecord[] }>;
const page = (...rfqs: RfqRecord[]): Page => ({ kind: 'done', value: { rfqs } });

/** A Block RFQ API that answers when the test releases it. */
class SlowDesk {
  readonly answers: ((page: Page) => void)[] = [];
  readonly subscriber: string[] = [];
  readonly faults: unknown[] = [];
  gaps = 0;
  receive: (news: RfqNews) => void = () => undefined;
  leave: () => void = () => undefined;

  open(): void {
    const rfqs = {
      rfqs: () => new Promise<Page>((resolve) => this.answers.push(resolve)),
      listen: (listener: (news: RfqNews) => void) => {
        this.receive = listener;
        return () => {
          this.receive = () => undefined;
        };
      },
    } as unknown as RfqDesk;
    const channel = parseChannel('block_rfq.taker.btc') as RfqChannel;
    this.leave = openRfqChannel({ account: ACCOUNT, rfqs, views: OWN_VIEWS }, channel, {
      publish: (data) => {
        const { blockRfqId, status, lastUpdatedAt } = data as Record<string, unknown>;
        this.subscriber.push(`${blockRfqId} ${status} ${lastUpdatedAt}`);
      },
      onFault: (error) => this.faults.push(error),
      onGap: () => {
        this.gaps += 1;
      },
    });
  }

  news(rfq: RfqRecord): void {
    this.receive({ kind: 'rfq', account: ACCOUNT, rfq });
  }

  async answer(reply: Page): Promise<void> {
    this.answers.shift()?.(reply);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

it('a Block RFQ channel publishes open RFQs first, then changes that arrived meanwhile, and nothing older', async () => {
  const desk = new SlowDesk();
  desk.open();
  desk.news(record('1', 10));
  desk.news(record('1', 30));
  desk.news(record('2', 40, 'filled'));
  expect(desk.subscriber).toEqual([]);
  await desk.answer(page());
  await desk.answer(page(record('1', 20)));
  expect(desk.subscriber).toEqual(['1 open 20', '1 open 30', '2 filled 40']);
  desk.news(record('1', 50, 'cancelled'));
  expect(desk.subscriber.at(-1)).toBe('1 cancelled 50');
  desk.news({ ...record('3', 60), currency: currency('ETH') });
  desk.news({ ...record('4', 60), role: 'maker' });
  expect(desk.subscriber).toHaveLength(4);
});

it('a Block RFQ channel publishes open RFQs again after a gap', async () => {
  const desk = new SlowDesk();
  desk.open();
  await desk.answer(page(record('1', 10)));
  await desk.answer(page());
  desk.receive({ kind: 'reconnected' });
  expect(desk.gaps).toBe(1);
  desk.news(record('2', 25));
  await desk.answer(page());
  await desk.answer(page(record('1', 10), record('2', 20)));
  expect(desk.subscriber).toEqual(['1 open 10', '1 open 10', '2 open 20', '2 open 25']);
});

it('a Block RFQ channel reports a gap if the venue does not answer, and continues', async () => {
  const desk = new SlowDesk();
  desk.open();
  await desk.answer({ kind: 'unknown', reason: 'away' });
  expect([desk.gaps, desk.faults.length]).toEqual([1, 1]);
  desk.news(record('1', 10));
  expect(desk.subscriber).toEqual(['1 open 10']);
});

it('a Block RFQ channel publishes nothing after unsubscribing, not even the snapshot', async () => {
  const desk = new SlowDesk();
  desk.open();
  desk.leave();
  await desk.answer(page(record('1', 10)));
  await desk.answer(page());
  expect([desk.subscriber, desk.gaps]).toEqual([[], 0]);
});
