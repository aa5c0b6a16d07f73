// A seeded stream of commands with many waiting orders: triggers and linked requests of every kind over a
// perpetual and a spot pair, in a market that keeps moving through them.

import type {
  ExchangeCommand,
  LinkTerms,
  PlaceCommand,
} from '../../src/exchange/exchange-command.ts';
import type { ExchangeOrder } from '../../src/exchange/order.ts';
import { type Price, quantityOf, steps } from '../../src/values/amounts.ts';
import { type AccountId, accountId, type OrderId, orderId } from '../../src/values/ids.ts';
import { instant } from '../../src/values/instant.ts';
import type { Instrument, Side } from '../../src/values/instrument.ts';
import type { OrderTerms, OrderType } from '../../src/values/order-terms.ts';
import { type Rng, rng } from '../../src/values/rng.ts';
import { ALICE, BOB, BOT, START } from './exchange-desk.ts';
import { btcPerpetual, btcSpot } from './instruments.ts';

const pick = <T>(random: Rng, from: readonly T[]): T => from[random.below(from.length)] as T;
const LABELS = ['', 'red', 'green'];
const WAITING: readonly OrderType[] = [
  'stop_limit',
  'stop_market',
  'take_limit',
  'take_market',
  'trailing_stop',
];

interface Market {
  readonly instrument: Instrument;
  /** In ticks. */
  level: number;
}

export class WaitingDay {
  readonly #random: Rng;
  readonly #markets: readonly Market[] = [
    { instrument: btcPerpetual, level: 2_000 },
    { instrument: btcSpot, level: 1_000 },
  ];
  #seen: ExchangeOrder[] = [];
  #now: number = START;

  constructor(seed: string) {
    this.#random = rng(seed);
  }

  sawOrder(order: ExchangeOrder): void {
    for (const id of [order.orderId, ...(order.link?.secondaryIds ?? [])]) {
      this.#seen.push({ ...order, orderId: id });
    }
    while (this.#seen.length > 40) this.#seen.shift();
  }

  next(): ExchangeCommand {
    this.#now += this.#random.below(400);
    const market = pick(this.#random, this.#markets);
    const dice = this.#random.below(100);
    if (dice < 16) return this.reference(market);
    if (dice < 26) return this.quotes(market);
    if (dice < 42) return this.#take(market);
    if (dice < 78) return this.#place(market);
    if (dice < 90) return this.#edit(market);
    return this.#cancel();
  }

  /** The market's commands after a restart: quotes, references, a trade. */
  revival(): ExchangeCommand[] {
    return this.#markets.flatMap((market) => {
      const quotes = this.quotes(market);
      const take = { ...this.#take(market), side: 'buy', limitTicks: market.level * 2 } as const;
      return [this.reference(market), quotes, take as ExchangeCommand];
    });
  }

  get #at() {
    return instant(this.#now);
  }

  reference(market: Market): ExchangeCommand {
    const random = this.#random;
    market.level = Math.max(200, market.level + Math.round(random.normal() * 8));
    const { instrument, level } = market;
    const at = (ticks: number): Price => steps(instrument.tickSize, ticks);
    return {
      kind: 'set_reference',
      now: this.#at,
      instrument: instrument.name,
      index: at(level + random.below(5) + 0.3),
      mark: at(level + 0.25 * random.below(4)),
      minPrice: at(level - 60),
      maxPrice: at(level + 60),
    };
  }

  quotes({ instrument, level }: Market): ExchangeCommand {
    const levels = (sign: 1 | -1) =>
      [2, 5, 9].map((away) => ({
        priceTicks: level + sign * away,
        lots: 5 + this.#random.below(30),
      }));
    const now = this.#at;
    const terms = { account: BOT, instrument: instrument.name, bids: levels(-1), asks: levels(1) };
    return { kind: 'make_quotes', now, ...terms };
  }

  #take({ instrument, level }: Market): Extract<ExchangeCommand, { kind: 'take' }> {
    const side: Side = pick(this.#random, ['buy', 'sell']);
    return {
      kind: 'take',
      now: this.#at,
      account: accountId('bot-taker'),
      instrument: instrument.name,
      side,
      lots: 1 + this.#random.below(40),
      limitTicks: level + (side === 'buy' ? 12 : -12),
    };
  }

  #terms({ instrument, level }: Market, type: OrderType, side: Side): OrderTerms {
    const random = this.#random;
    const near = (spread: number) =>
      steps(instrument.tickSize, level + Math.round(random.normal() * spread));
    const waits = WAITING.includes(type);
    return {
      side,
      type,
      quantity: quantityOf(instrument.amountStep.toNumber() * (1 + random.below(30))),
      price: near(8),
      timeInForce: 'good_til_cancelled',
      postOnly: type.endsWith('limit') && random.below(6) === 0,
      rejectPostOnly: random.below(2) === 0,
      reduceOnly: instrument.kind !== 'spot' && random.below(5) === 0,
      label: pick(random, LABELS),
      ...(waits && {
        trigger: pick(random, ['index_price', 'mark_price', 'last_price'] as const),
        ...(type === 'trailing_stop'
          ? { triggerOffset: steps(instrument.tickSize, 1 + random.below(20)) }
          : { triggerPrice: near(12) }),
      }),
    };
  }

  #place(market: Market): PlaceCommand {
    const random = this.#random;
    const type = random.below(2) === 0 ? 'limit' : pick(random, WAITING);
    const side: Side = pick(random, ['buy', 'sell']);
    return {
      kind: 'place',
      now: this.#at,
      account: pick(random, [ALICE, BOB]),
      instrument: market.instrument.name,
      ...this.#terms(market, type, side),
      ...(random.below(2) === 0 && { link: this.#link(market, side) }),
    };
  }

  #link(market: Market, side: Side): LinkTerms {
    const random = this.#random;
    const other: Side = side === 'buy' ? 'sell' : 'buy';
    const kind = pick(random, [
      'one_triggers_other',
      'one_cancels_other',
      'one_triggers_one_cancels_other',
    ] as const);
    const type = () => pick(random, ['limit', 'limit', ...WAITING] as const);
    return {
      kind,
      fillCondition: pick(random, ['first_hit', 'complete_fill', 'incremental'] as const),
      others: Array.from({ length: 1 + random.below(3) }, () =>
        this.#terms(market, type(), kind === 'one_cancels_other' ? side : other),
      ),
    };
  }

  #target(): { readonly account: AccountId; readonly orderId: OrderId } {
    const order = this.#seen[this.#random.below(this.#seen.length + 1)];
    return { account: order?.account ?? ALICE, orderId: order?.orderId ?? orderId('1') };
  }

  #edit(market: Market): ExchangeCommand {
    const random = this.#random;
    const { quantity, price } = this.#terms(market, 'limit', 'buy');
    const triggerPrice = price;
    const triggerOffset = steps(market.instrument.tickSize, 1 + random.below(20));
    const terms = pick(random, [{ quantity }, { price }, { triggerPrice }, { triggerOffset }]);
    return { kind: 'edit', now: this.#at, ...this.#target(), ...terms };
  }

  #cancel(): ExchangeCommand {
    const random = this.#random;
    const account = pick(random, [ALICE, BOB]);
    const dice = random.below(20);
    if (dice === 0) return { kind: 'cancel_all', now: this.#at, account };
    if (dice < 4) {
      const label = pick(random, LABELS.slice(1));
      return { kind: 'cancel_by_label', now: this.#at, account, label };
    }
    return { kind: 'cancel', now: this.#at, ...this.#target() };
  }
}
