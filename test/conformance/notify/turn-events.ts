// Contract of everything that reads events of some kinds out of turns.
import { expect, test } from 'vitest';
import type { PortfolioEvent } from '../../../src/core/portfolio/aggregate/portfolio-event.ts';
import type { Ledger } from '../../../src/ports/ledger.ts';
import type { TurnEvents } from '../../../src/ports/notify/turn-events.ts';
import type { TurnLog } from '../../../src/ports/turn-log.ts';
import { must } from '../../../src/values/assert.ts';
import { portfolioId } from '../../../src/values/ids.ts';
import { turnWith } from '../ledger-stage.ts';

export interface TurnEventsStage {
  readonly ledger: Ledger;
  readonly log: TurnLog;
  readonly events: TurnEvents;
}

const AT = 1_790_000_000_000;
const filled: PortfolioEvent = { kind: 'filled', at: AT };
const paused: PortfolioEvent = { kind: 'paused', at: AT, by: '"kind":"filled" [[1,' };
const cancelled: PortfolioEvent = {
  kind: 'cancelled',
  at: AT,
  reason: 'time_limit',
  residual: ['0.5', '0'],
};

/** `open` returns an empty ledger, its log and what reads it. */
export function turnEventsConformance(open: () => Promise<TurnEventsStage>): void {
  test('the events of the kinds are found in order, with their versions and records', async () => {
    const { ledger, log, events } = await open();
    // Twice, so that the second time the names of the fields are stored once for all.
    for (const round of [0, 1]) {
      const turns = [7, 8, 9].map((id) => turnWith(10 * round + id, 0, { turn: { tells: 1 } }));
      await ledger.commit(turns);
      const ends = [
        [7, [paused, filled]],
        [8, [paused]],
        [9, [cancelled]],
      ] as const;
      for (const [id, added] of ends) {
        const turn = turnWith(10 * round + id, 1, { turn: { tells: 1 } });
        const all = [...turn.events, ...added];
        await expect
          .poll(() => ledger.commit([{ ...turn, events: all, tells: all.length }]))
          .toMatchObject({ kind: 'committed' });
      }
    }
    const groups = must(await log.groupsFrom(0n, 1_000), 'nothing is forgotten');
    const turns = groups.flatMap((group) => group.turns);
    const found = await events.among(turns, ['filled', 'cancelled']);
    expect(
      found.map(({ portfolio, account, version, event }) => ({
        portfolio,
        account,
        version,
        event,
      })),
    ).toEqual(
      [0, 1].flatMap((round) => [
        { portfolio: `${10 * round + 7}`, account: '10001', version: 8, event: filled },
        { portfolio: `${10 * round + 9}`, account: '10001', version: 7, event: cancelled },
      ]),
    );
    expect(found.map(({ record }) => record.portfolio)).toEqual(['7', '9', '17', '19']);
    expect(await events.among(turns, ['paused'])).toHaveLength(4);
    expect(await events.among(turns, ['assumption_broken'])).toEqual([]);
    expect(await events.among([], ['filled'])).toEqual([]);
  });

  test('a turn of a portfolio that is not there has no events, and of no kinds none are found', async () => {
    const { ledger, log, events } = await open();
    const turn = turnWith(7, 0, { turn: { events: [paused], tells: 1 } });
    await ledger.commit([turn]);
    const [logged] = must(await log.groupsFrom(0n, 10), 'nothing is forgotten').flatMap(
      ({ turns }) => turns,
    );
    const known = must(logged, 'the turn is logged');
    const absent = { ...known, portfolio: portfolioId('8') };
    const found = await events.among([absent, known], ['paused']);
    expect(found.map(({ portfolio }) => portfolio)).toEqual(['7']);
    expect(await events.among([known], [])).toEqual([]);
  });
}
