import { describe, expect, it } from 'vitest';
import { Exchange } from '../../../src/exchange/exchange.ts';
import { options } from '../exchange-desk.ts';
import { btcPerpetual, btcSpot } from '../instruments.ts';
import { RandomDay } from '../random-day.ts';
import { WaitingDay } from '../waiting-day.ts';

const DAYS = {
  'orders, edits and cancels': (seed: string) => ({
    exchange: new Exchange(options()),
    day: new RandomDay(seed),
  }),
  'triggers and linked orders': (seed: string) => {
    const exchange = new Exchange(options([btcPerpetual, btcSpot]));
    const day = new WaitingDay(seed);
    for (const command of day.revival()) exchange.handle(command);
    return { exchange, day };
  },
};

describe('a snapshot in pieces', () => {
  it.each(Object.entries(DAYS))(
    "the pieces form the snapshot of the call's instant, however late they are read: %s",
    (_, begin) => {
      const { exchange, day } = begin('pieces');
      const step = (): void => {
        const answer = exchange.handle(day.next());
        if (answer.kind === 'order') day.sawOrder(answer.order);
        exchange.drainEvents();
      };
      for (let round = 0; round < 8; round += 1) {
        for (let n = 0; n < 150; n += 1) step();
        const then = JSON.parse(JSON.stringify(exchange.snapshot()));
        const hash = exchange.stateHash();
        const written: string[] = [];
        for (const piece of exchange.snapshotPieces()) {
          written.push(piece);
          step();
        }
        expect(written.length).toBeGreaterThan(15);
        expect(exchange.stateHash()).not.toBe(hash);
        const read = JSON.parse(written.join(''));
        expect(read).toEqual(then);
        const options = { instruments: [], accounts: [] };
        expect(Exchange.restore(read, options).stateHash()).toBe(hash);
      }
    },
  );

  it('the pieces have a bounded size', () => {
    const { exchange, day } = DAYS['orders, edits and cancels']('sizes');
    for (let n = 0; n < 1_500; n += 1) exchange.handle(day.next());
    const sizes = Array.from(exchange.snapshotPieces(), ({ length }) => length);
    expect(sizes.length).toBeGreaterThan(30);
    expect(Math.max(...sizes)).toBeLessThan(40_000);
  });
});
