// Fills reach a shadow late, twice, out of order or not at all, because processes race and die: it copies each once
// and in order, and the whole history brings exactly the missing ones.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { begin } from '../../../src/core/portfolio/aggregate/evolve.ts';
import type {
  MirroredFill,
  PortfolioCommand,
} from '../../../src/core/portfolio/aggregate/portfolio-command.ts';
import type { PortfolioEvent } from '../../../src/core/portfolio/aggregate/portfolio-event.ts';
import type { PortfolioState } from '../../../src/core/portfolio/aggregate/portfolio-state.ts';
import { fold } from '../../../src/core/portfolio/aggregate/replay.ts';
import { decide } from '../../../src/core/portfolio/decide.ts';
import type { PortfolioSpec } from '../../../src/core/terms/spec.ts';
import { specToRecord } from '../../../src/core/terms/spec-record.ts';
import { mirrorCommand } from '../../../src/engine/mirrors/mirror-fills.ts';
import { ShadowNotifier } from '../../../src/engine/mirrors/notify-shadows.ts';
import { quantity, text } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { type PortfolioId, portfolioId } from '../../../src/values/ids.ts';
import { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import { CoreDesk } from '../../support/engine/core-desk.ts';
import { form, legForm, SETTINGS, settle } from '../../support/engine/engine-world.ts';
import { NOON, perpetual } from '../../support/engine/markets.ts';

const PERP = perpetual();
const SOURCE = portfolioId('1795176000000000');
const SHADOW = portfolioId('1795176000000001');
const INPUTS = { settings: SETTINGS, quotes: new Map() };

type Mirror = Extract<PortfolioCommand, { kind: 'mirror' }>;
type Copied = Extract<PortfolioEvent, { kind: 'fill_mirrored' }>;

const DESK = new CoreDesk(form({ legs: [legForm({ quantity: quantity('6000') })] }), [PERP]);

/** The submit of a portfolio like the desk's. */
function submittedAs(change: Partial<PortfolioSpec>) {
  const [event] = DESK.events;
  const submit = must(event?.kind === 'submitted' ? event : undefined, 'it begins with its submit');
  return { ...submit, spec: specToRecord({ ...DESK.state.spec, ...change }) };
}

/** The history of a portfolio with this many fills, one turn each. */
function sourceWith(fills: number): readonly PortfolioEvent[] {
  const label = `tw1-test-${Number(SOURCE).toString(36)}-0-0-1`;
  const terms = {
    leg: 0,
    slice: 0,
    attempt: 1,
    side: 'buy',
    quantity: '6000',
    price: '1',
  } as const;
  const order = { timeInForce: 'good_til_cancelled', postOnly: false, reduceOnly: false };
  const first: readonly PortfolioEvent[] = [
    submittedAs({ mirrors: [SHADOW] }),
    { kind: 'child_intended', at: NOON, label, ...terms, ...order, validUntil: NOON },
    { kind: 'child_live', at: NOON, label, orderId: 'o' },
  ];
  return [
    ...first,
    ...Array.from(
      { length: fills },
      (_, index): PortfolioEvent => ({
        kind: 'fill_booked',
        at: NOON,
        label,
        tradeId: `t${index + 1}`,
        orderId: 'o',
        quantity: '10',
        price: '100000',
        fee: '0',
        feeCurrency: 'BTC',
        liquidity: 'taker',
        tradedAt: NOON,
      }),
    ),
  ];
}

const stateOf = (id: PortfolioId, events: readonly PortfolioEvent[]): PortfolioState =>
  must(fold(id, events), 'it was submitted');

/** The command after the turn of the numbered fill, or with all fills up to it. */
function commandFor(events: readonly PortfolioEvent[], fill: number, isWhole: boolean): Mirror {
  const known = events.slice(0, 3 + fill);
  const command = mirrorCommand(stateOf(SOURCE, known), isWhole ? known : known.slice(-1), NOON);
  if (command?.kind !== 'mirror') throw new Error('a fill is carried');
  return command;
}

class Shadow {
  readonly events: PortfolioEvent[];
  state: PortfolioState;

  constructor(copied: readonly Copied[] = []) {
    const submit = submittedAs({ mirrorOf: SOURCE });
    this.events = [submit, ...copied];
    this.state = copied.length === 0 ? begin(SHADOW, submit) : stateOf(SHADOW, this.events);
  }

  run(command: PortfolioCommand): PortfolioState {
    const { state, events } = decide(this.state, command, INPUTS);
    this.state = state;
    this.events.push(...events);
    return state;
  }

  get copied(): readonly string[] {
    return this.events.flatMap((event) => (event.kind === 'fill_mirrored' ? [event.tradeId] : []));
  }

  get filled(): string {
    return text(must(this.state.legs[0], 'a leg').filled);
  }
}

const FILLS = 12;
const names = (count: number) => Array.from({ length: count }, (_, index) => `t${index + 1}`);

const deliveries = fc.array(
  fc.record({
    fill: fc.integer({ min: 1, max: FILLS }),
    isWhole: fc.nat(4).map((one) => one === 0),
  }),
  { maxLength: 40, size: 'max' },
);

describe('a shadow', () => {
  test('copies the fills of its original in order and each once, whatever arrives', () => {
    const events = sourceWith(FILLS);
    fc.assert(
      fc.property(deliveries, (sequence) => {
        const shadow = new Shadow();
        for (const { fill, isWhole } of sequence) {
          shadow.run(commandFor(events, fill, isWhole));
          expect(shadow.copied).toEqual(names(shadow.copied.length));
          if (isWhole) expect(shadow.copied.length).toBeGreaterThanOrEqual(fill);
        }
        shadow.run(commandFor(events, FILLS, true));
        expect(shadow.copied).toEqual(names(FILLS));
        expect(shadow.filled).toBe('120');
        expect(shadow.state.mirrored).toEqual({ count: FILLS, trades: undefined });
        expect(stateOf(SHADOW, shadow.events)).toEqual(shadow.state);
      }),
      { numRuns: 60 },
    );
  });

  test('with fills that an earlier version copied in any order gets exactly the missing ones', () => {
    const events = sourceWith(FILLS);
    const whole = commandFor(events, FILLS, true).fills;
    const old = (fill: MirroredFill): Copied => {
      const { number: _number, ...rest } = fill;
      return { kind: 'fill_mirrored', at: NOON, ...rest };
    };
    fc.assert(
      fc.property(fc.shuffledSubarray([...whole], { minLength: 1 }), deliveries, (copied, then) => {
        const shadow = new Shadow(copied.map(old));
        for (const { fill, isWhole } of then) shadow.run(commandFor(events, fill, isWhole));
        shadow.run(commandFor(events, FILLS, true));
        expect([...shadow.copied].sort()).toEqual(names(FILLS).sort());
        expect(shadow.filled).toBe('120');
      }),
      { numRuns: 60 },
    );
  });
});

describe('the notifier of shadows', () => {
  /** A source of three fills, whose first notification was lost, as the notifier's engine sees it. */
  function stage() {
    const events = sourceWith(3);
    const shadow = new Shadow();
    let reads = 0;
    const notifier = new ShadowNotifier({
      clock: new VirtualClock(NOON),
      engine: {
        turns: {
          run: (_portfolio, command) => Promise.resolve(shadow.run(command)),
          history: (portfolio) => {
            reads += 1;
            return Promise.resolve({ portfolio, version: events.length, events });
          },
        },
      },
    });
    const turn = async (fill: number): Promise<void> => {
      const known = events.slice(0, 3 + fill);
      notifier.committed({ state: stateOf(SOURCE, known), events: known.slice(-1) });
      await settle();
    };
    return { shadow, turn, reads: () => reads };
  }

  test('sends the whole history to a shadow that lacks an earlier fill', async () => {
    const { shadow, turn, reads } = stage();
    await turn(2);
    expect(shadow.copied).toEqual(names(3));
    expect(reads()).toBe(1);
  });

  test('reads no history for a shadow that has every earlier fill', async () => {
    const { shadow, turn, reads } = stage();
    for (const fill of [1, 2, 2, 1, 3]) await turn(fill);
    expect(shadow.copied).toEqual(names(3));
    expect(reads()).toBe(0);
  });
});
