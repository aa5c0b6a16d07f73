// What a venue publishes about an order that its reply has said already.
import { describe, expect, it } from 'vitest';
import type { ChildOrder } from '../../../src/core/order/child-order.ts';
import type { VenueOrder } from '../../../src/core/order/venue-report.ts';
import type { PortfolioCommand } from '../../../src/core/portfolio/aggregate/portfolio-command.ts';
import { decide } from '../../../src/core/portfolio/decide.ts';
import { EarlyNotices } from '../../../src/engine/orders/early-notices.ts';
import { price, quantity } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import type { PortfolioId } from '../../../src/values/ids.ts';
import { later } from '../../../src/values/instant.ts';
import {
  BY,
  form,
  legForm,
  SETTINGS,
  submitted,
  type World,
  world,
} from '../../support/engine/engine-world.ts';
import { perpetual, quote } from '../../support/engine/markets.ts';

const PERP = perpetual();

/** A portfolio with an order that rests. */
async function resting(): Promise<{ w: World; id: PortfolioId; order: VenueOrder }> {
  const w = world();
  w.venue.show(quote(PERP, [99_990, 100_010]));
  await w.engine.start();
  const priceOptions = { priceType: 'limit', price: price('99000'), priceIn: 'USD' } as const;
  const id = await submitted(w, form({ legs: [legForm({ priceOptions })] }));
  await w.run(1_000);
  return { w, id, order: must(w.venue.kept[0], 'an order rests').order };
}

/** The commands that a notice about the order becomes. */
async function commandsOf(
  { w, id }: Pick<Awaited<ReturnType<typeof resting>>, 'w' | 'id'>,
  order: VenueOrder,
): Promise<readonly PortfolioCommand[]> {
  const commands: PortfolioCommand[] = [];
  const notices = new EarlyNotices({
    clock: w.clock,
    engine: {
      turns: {
        peek: (portfolio) => w.engine.turns.peek(portfolio),
        run: (_portfolio, command) => {
          commands.push(command);
          return Promise.resolve(undefined);
        },
      },
    },
  });
  notices.receive(id, { label: order.label, order });
  await w.run(100);
  return commands;
}

const childOf = ({ w, id }: Pick<Awaited<ReturnType<typeof resting>>, 'w' | 'id'>): ChildOrder => {
  const [child] = must(w.engine.turns.peek(id), 'it is at work').children.values();
  return must(child, 'it has an open child');
};

describe('a notice about an order', () => {
  it('a notice that says of a resting order what its reply said starts no turn', async () => {
    const { w, id, order } = await resting();
    expect(await commandsOf({ w, id }, order)).toEqual([]);
  });

  it('a notice that starts no turn would have changed nothing', async () => {
    const { w, id, order } = await resting();
    const state = must(w.engine.turns.peek(id), 'it is at work');
    const now = w.clock.now();
    const command = { kind: 'record_report', now, orders: [order], trades: [] } as const;
    const inputs = { settings: SETTINGS, quotes: new Map() };
    expect(decide(state, command, inputs)).toMatchObject({ events: [], intents: [] });
  });

  it.each<[string, Partial<VenueOrder>]>([
    ['is filled in part', { filledQuantity: quantity('10') }],
    ['is cancelled', { state: 'cancelled' }],
    ['has another id', { orderId: 'another' as VenueOrder['orderId'] }],
  ])('a notice starts a turn if the order %s', async (_what, change) => {
    const { w, id, order } = await resting();
    expect(await commandsOf({ w, id }, { ...order, ...change })).toHaveLength(1);
  });

  it('a notice of an order whose cancel is not answered starts a turn when the reply has had its time', async () => {
    const { w, id, order } = await resting();
    w.venue.hook = (where) =>
      where === 'cancel reply'
        ? new Promise((answered) => w.clock.at(later(w.clock.now(), 30_000), answered))
        : Promise.resolve();
    await w.operations.cancel(id, BY);
    expect(childOf({ w, id }).cancel).toBeDefined();
    expect(await commandsOf({ w, id }, { ...order, state: 'cancelled' })).toHaveLength(1);
  });
});
