import { describe, expect, it } from 'vitest';
import { Exchange } from '../../src/exchange/exchange.ts';
import type { ExchangeCommand } from '../../src/exchange/exchange-command.ts';
import type { AccountEvent, ExchangeEvent } from '../../src/exchange/exchange-event.ts';
import { journalRecord } from '../../src/exchange/journal/plain.ts';
import { price, ratio } from '../../src/values/amounts.ts';
import { instant } from '../../src/values/instant.ts';
import { type Rng, rng } from '../../src/values/rng.ts';
import { options, START } from './exchange-desk.ts';
import { EXPIRY, everyKind } from './instruments.ts';
import { RandomDay } from './random-day.ts';
import { Worth } from './worth.ts';

const STEPS = 2_500;
/** A step of the stream is a fifth of a second: stretched to about four minutes, so that funding matters. */
const STRETCH = 1_200;

const isAccountEvent = (event: ExchangeEvent): event is AccountEvent => event.kind !== 'print';

/** The stream of a random day, stretched over a week, with funding, settlements and finally expiries. */
function* randomWeek(seed: string, day: RandomDay): Generator<ExchangeCommand> {
  const random = rng(`${seed}/week`);
  for (let i = 0; i < STEPS; i += 1) {
    const command = day.next();
    const now = instant(START + (command.now - START) * STRETCH);
    yield withFunding({ ...command, now } as ExchangeCommand, random);
    if (random.below(150) === 0) yield { kind: 'settle_day', now };
  }
  for (const { name, expiresAt, kind } of everyKind) {
    if (expiresAt === undefined) continue;
    const at = name.startsWith('ETH') ? '3950.5' : '101234.56';
    const deliveryPrice = price(kind === 'option' ? '101234.56' : at);
    yield { kind: 'expire_instrument', now: EXPIRY, instrument: name, deliveryPrice };
  }
  yield { kind: 'settle_day', now: EXPIRY };
}

function withFunding(command: ExchangeCommand, random: Rng): ExchangeCommand {
  if (command.kind !== 'set_reference' || !command.instrument.endsWith('PERPETUAL')) return command;
  const rate = Math.round(random.normal() * 1e5) / 1e9;
  return { ...command, currentFunding: ratio(rate.toFixed(9)) };
}

describe.each(['one', 'two', 'three'])('a random week with all features: seed %s', (seed) => {
  it('no value is created or lost, to the last digit, and the journal rebuilds the state', () => {
    const exchange = new Exchange(options());
    const worth = new Worth(options());
    const day = new RandomDay(seed);
    const before = JSON.parse(JSON.stringify(exchange.snapshot()));
    const journal: AccountEvent[] = [];
    const initial = worth.total(exchange);
    const kinds = new Map<string, number>();
    let count = 0;
    for (const command of randomWeek(seed, day)) {
      const answer = exchange.handle(command);
      if (answer.kind === 'order') day.sawOrder(answer.order);
      const events = exchange.drainEvents();
      for (const { kind } of events) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
      journal.push(...events.filter(isAccountEvent));
      worth.follow(command, events);
      count += 1;
      if (count % 50 === 0 || command.kind === 'settle_day') {
        expect(worth.total(exchange)).toEqual(initial);
      }
    }
    expect(worth.total(exchange)).toEqual(initial);
    expect(kinds.get('funding_sampled')).toBeGreaterThan(100);
    expect(kinds.get('day_settled')).toBeGreaterThan(5);
    expect(kinds.get('instrument_delivered')).toBe(3);
    expect(worth.fundingPaid).toBeGreaterThan(0);

    const restored = Exchange.restore(before, options());
    restored.applyJournal(JSON.parse(JSON.stringify(journal.map(journalRecord))));
    expect(restored.stateHash()).toBe(exchange.stateHash());
    const again = Exchange.restore(JSON.parse(JSON.stringify(exchange.snapshot())), options());
    expect(again.stateHash()).toBe(exchange.stateHash());
  });
});
