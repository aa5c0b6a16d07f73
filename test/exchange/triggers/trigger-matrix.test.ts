// Each type of trigger order on each price it may watch, from both sides: moves of other prices have no
// effect, and its own price triggers it exactly at the trigger price, not a tick before.

import { describe, expect, it } from 'vitest';
import { price, text } from '../../../src/values/amounts.ts';
import type { Side } from '../../../src/values/instrument.ts';
import type { OrderType, TriggerSource } from '../../../src/values/order-terms.ts';
import { ALICE, accepted, Desk } from '../exchange-desk.ts';
import { btcPerpetual } from '../instruments.ts';

const TYPES = ['stop_limit', 'stop_market', 'take_limit', 'take_market', 'trailing_stop'] as const;
const SOURCES = ['index_price', 'mark_price', 'last_price'] as const;
const SIDES = ['buy', 'sell'] as const;

const ROWS = TYPES.flatMap((type) =>
  SOURCES.flatMap((source) => SIDES.map((side) => [type, source, side] as const)),
);

/** A perpetual with all prices at 100, quoted far away. */
class Stage {
  readonly desk = new Desk(btcPerpetual);
  readonly #at = { index_price: '100', mark_price: '100', last_price: '100' };

  constructor() {
    for (const source of SOURCES) this.move(source, '100');
  }

  move(source: TriggerSource, to: string): void {
    this.#at[source] = to;
    const far = ['80', '1000'] as const;
    this.desk.quotes(source === 'last_price' ? [[to, '10'], far] : [far], [['120', '1000']]);
    if (source === 'last_price') this.desk.take('sell', '10', to);
    else {
      const { index_price: index, mark_price: mark } = this.#at;
      this.desk.reference(mark, { index, min: '70', max: '130' });
    }
  }
}

/** Falling prices trigger stops that sell and takes that buy. */
const falls = (type: OrderType, side: Side): boolean =>
  (side === 'sell') !== type.startsWith('take');

describe('a trigger order', () => {
  it.each(ROWS)('%s is triggered only by the %s, on the %s side', (type, source, side) => {
    const stage = new Stage();
    const { desk } = stage;
    const [before, met, beyond] = falls(type, side)
      ? ['95.5', '95', '85']
      : ['104.5', '105', '115'];
    const isTrailing = type === 'trailing_stop';
    const isLimit = type.endsWith('_limit');
    const { order } = accepted(
      desk.place(ALICE, side, {
        type,
        trigger: source,
        quantity: '10',
        ...(isTrailing ? { triggerOffset: price('5') } : { triggerPrice: price(met) }),
        ...(isLimit && { price: '100' }),
      }),
    );
    const state = (): string => desk.order(ALICE, order.orderId).state;
    for (const other of SOURCES) if (other !== source) stage.move(other, beyond);
    stage.move(source, before);
    expect(state()).toBe('untriggered');
    stage.move(source, met);
    expect(state()).toBe('triggered');
    const { firedOrderId } = desk.order(ALICE, order.orderId);
    const child = firedOrderId && desk.order(ALICE, firedOrderId);
    const shown = child && [
      child.state,
      text(child.price ?? price('0')),
      text(child.filledQuantity),
    ];
    const far = side === 'buy' ? '120' : '80';
    if (isLimit) expect(shown).toEqual(['open', '100', '0']);
    else {
      expect([shown?.[0], shown?.[2]]).toEqual(['filled', '10']);
      expect(desk.exchange.tradesSince(ALICE, desk.now).map((one) => text(one.price))).toEqual([
        far,
      ]);
    }
  });
});
