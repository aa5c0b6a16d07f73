// Untriggered and dormant orders survive a restart, from a snapshot or the journal alone, and then behave the
// same.
import { describe, expect, it } from 'vitest';
import { Exchange } from '../../src/exchange/exchange.ts';
import type { AccountEvent, ExchangeEvent } from '../../src/exchange/exchange-event.ts';
import { type JournalRecord, journalRecord } from '../../src/exchange/journal/plain.ts';
import { instant } from '../../src/values/instant.ts';
import { cases } from '../support/cases.ts';
import { BOT, options } from './exchange-desk.ts';
import { btcPerpetual, btcSpot } from './instruments.ts';
import { WaitingDay } from './waiting-day.ts';

const isAccountEvent = (event: ExchangeEvent): event is AccountEvent => event.kind !== 'print';
/** Through text and back, as in a file. */
const written = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

class Run {
  readonly day: WaitingDay;
  readonly exchange = new Exchange(options([btcPerpetual, btcSpot]));
  readonly journal: JournalRecord[] = [];
  readonly met = new Set<string>();

  constructor(seed: string) {
    this.day = new WaitingDay(seed);
    this.#do(this.day.revival());
  }

  step(): void {
    this.#do([this.day.next()]);
  }

  #do(commands: readonly Parameters<Exchange['handle']>[0][]): void {
    for (const command of commands) {
      const answer = this.exchange.handle(command);
      if (answer.kind === 'order') this.day.sawOrder(answer.order);
      const events = this.exchange.drainEvents().filter(isAccountEvent);
      for (const event of events) this.#note(event);
      this.journal.push(...events.map(journalRecord).map(written));
    }
  }

  #note(event: AccountEvent): void {
    if (event.kind === 'trailing_moved') this.met.add('trailing');
    if (event.kind !== 'order_changed') return;
    const { state, cancelReason, link, trigger } = event.order;
    this.met.add(`${link?.role ?? 'alone'} ${trigger ? 'trigger ' : ''}${state}`);
    if (cancelReason !== undefined) this.met.add(cancelReason);
  }
}

/** A stream is only meaningful if it reached every outcome. */
const OUTCOMES = [
  'trailing',
  'alone trigger triggered',
  'alone rejected',
  'primary trigger triggered',
  'primary filled',
  'secondary triggered',
  'secondary open',
  'secondary filled',
  'secondary trigger untriggered',
  'secondary trigger triggered',
  'secondary rejected',
  'peer filled',
  'peer trigger triggered',
  'oto_primary_closed',
  'oco_other_closed',
  'user_request',
];

const STEPS = cases(700);

describe('untriggered and dormant orders', () => {
  it.each(['a', 'b', 'c'])(
    'waiting orders are the same after a restart at any point: seed %s',
    (seed) => {
      const run = new Run(seed);
      let snapshot = written(run.exchange.snapshot());
      run.journal.length = 0;
      for (let i = 0; i < STEPS; i += 1) {
        run.step();
        if (i % 47 === 0) {
          const restored = Exchange.restore(snapshot, options([btcPerpetual, btcSpot]));
          restored.applyJournal(run.journal);
          expect(restored.stateHash()).toBe(run.exchange.stateHash());
          restored.applyJournal(run.journal.slice(-20));
          expect(restored.stateHash()).toBe(run.exchange.stateHash());
          const again = Exchange.restore(written(restored.snapshot()), options([]));
          expect(again.stateHash()).toBe(run.exchange.stateHash());
          expect(again.snapshot().openOrders).toEqual(run.exchange.snapshot().openOrders);
        }
        if (i % 400 === 399) {
          snapshot = written(run.exchange.snapshot());
          run.journal.length = 0;
        }
      }
      expect(OUTCOMES.filter((outcome) => !run.met.has(outcome))).toEqual([]);
    },
  );

  it.each(['d', 'e', 'f'])(
    'waiting orders behave the same after a restart as without one: seed %s',
    (seed) => {
      const run = new Run(seed);
      for (let i = 0; i < 400; i += 1) run.step();
      const { exchange, day } = run;
      const restored = Exchange.restore(written(exchange.snapshot()), options([]));
      const now = instant(exchange.snapshot().at);
      for (const { name } of [btcPerpetual, btcSpot]) {
        const nothing = { account: BOT, instrument: name, bids: [], asks: [] };
        exchange.handle({ kind: 'make_quotes', now, ...nothing });
      }
      const both = (command: Parameters<Exchange['handle']>[0]): void => {
        const [here, there] = [exchange.handle(command), restored.handle(command)];
        expect(here.kind).toBe(there.kind);
        if (here.kind === 'order') day.sawOrder(here.order);
        expect(restored.stateHash()).toBe(exchange.stateHash());
      };
      for (const command of day.revival()) both(command);
      for (let i = 0; i < 800; i += 1) both(day.next());
    },
  );
});
