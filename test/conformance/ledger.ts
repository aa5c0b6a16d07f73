// Contract of every Ledger: a commit writes all turns or none, each version once, and they are read back unchanged.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PortfolioEvent } from '../../src/core/portfolio/aggregate/portfolio-event.ts';
import type { ListedStatus } from '../../src/core/portfolio/aggregate/portfolio-state.ts';
import type { CommitOutcome, Ledger, StoredRow, Turn } from '../../src/ports/ledger.ts';
import { InvariantBroken, must } from '../../src/values/assert.ts';
import { childLabelOf, currency, portfolioId } from '../../src/values/ids.ts';
import { instant, later } from '../../src/values/instant.ts';
import { claimsConformance } from './deployment/claims.ts';
import { pageConformance } from './ledger/ledger-page.ts';
import { ledgerRefusals } from './ledger/ledger-refusals.ts';
import { shardConformance } from './ledger/ledger-shards.ts';
import { fillOf, type LedgerStage, turnWith } from './ledger-stage.ts';

const T0 = instant(1_800_000_000_000);

/** `open` returns an empty ledger; every test has its own. */
export function ledgerConformance(open: () => Promise<LedgerStage>): void {
  describe('committing one turn', () => turnConformance(open));
  describe('committing several turns at once', () => togetherConformance(open));
  describe('concurrent callers', () => concurrencyConformance(open));
  describe('due portfolios', () => dueConformance(open));
  describe('shards', () => shardConformance(open));
  describe('a page', () => pageConformance(open));
  describe('metadata', () => markConformance(open));
  describe('refusals', () => ledgerRefusals(open));
  claimsConformance(async () => {
    const { ledger, setNow } = await open();
    return { claims: ledger, setNow };
  });
}

const kinds = (outcomes: readonly CommitOutcome[]): string[] => outcomes.map(({ kind }) => kind);

async function storedEvents(ledger: Ledger, id: number): Promise<readonly PortfolioEvent[]> {
  return (await ledger.load(portfolioId(String(id))))?.events ?? [];
}

const asStored = (turn: Turn): StoredRow => ({
  ...turn.row,
  portfolio: turn.portfolio,
  version: turn.fromVersion + turn.events.length,
});

function turnConformance(open: () => Promise<LedgerStage>): void {
  test('a committed turn is read back: its events in order, and its row as the last turn left it', async () => {
    const { ledger } = await open();
    const turns = [0, 1, 2].map((n) => turnWith(7, n));
    for (const turn of turns) expect(await ledger.commit([turn])).toEqual({ kind: 'committed' });
    expect(await ledger.load(portfolioId('7'))).toEqual({
      portfolio: '7',
      version: 9,
      events: turns.flatMap(({ events }) => events),
    });
    expect(await ledger.row(portfolioId('7'))).toEqual(asStored(must(turns[2], 'three turns')));
  });

  test('a record that may wait is read back at once where it was committed, and later ones replace it', async () => {
    const { ledger } = await open();
    await ledger.commit([turnWith(7, 0), turnWith(8, 0)]);
    const turns = [1, 2, 3].map((n) =>
      turnWith(7, n, { turn: { summaryMayWait: n < 3 }, row: { note: `${n}` } }),
    );
    for (const turn of turns) {
      await ledger.commit([turn]);
      expect(await ledger.row(portfolioId('7'))).toEqual(asStored(turn));
      const page = await ledger.page({
        account: turn.row.account,
        note: turn.row.note,
        orderBy: 'submittedAt',
        descending: false,
        offset: 0,
        limit: 10,
      });
      expect(page.rows[0]).toEqual(asStored(turn));
    }
    expect(await ledger.row(portfolioId('8'))).toEqual(asStored(turnWith(8, 0)));
    expect(await ledger.withOldRecord()).toEqual([]);
  });

  test('an account changed when the last of its portfolios did, whether at work or ended', async () => {
    const { ledger } = await open();
    const change = async (id: number, row: object): Promise<void> => {
      await ledger.commit([turnWith(id, 0, { row: { account: 'c' as never, ...row } })]);
    };
    expect(await ledger.changedAt('c' as never)).toBeUndefined();
    await change(7, { updatedAt: later(T0, 5) });
    expect(await ledger.changedAt('c' as never)).toBe(later(T0, 5));
    await change(8, { status: 'filled', nextDueAt: undefined, updatedAt: later(T0, 9) });
    expect(await ledger.changedAt('c' as never)).toBe(later(T0, 9));
    await change(9, { updatedAt: later(T0, 7) });
    expect(await ledger.changedAt('c' as never)).toBe(later(T0, 9));
    expect(await ledger.changedAt('d' as never)).toBeUndefined();
  });

  test('an optional field that a later turn omits is removed from the row', async () => {
    const { ledger } = await open();
    await ledger.commit([turnWith(7, 0, { row: { strategy: 'roll', nextDueAt: T0 } })]);
    const over = turnWith(7, 1, {
      row: { status: 'filled', nextDueAt: undefined, instruments: [] },
    });
    await ledger.commit([over]);
    expect(await ledger.row(portfolioId('7'))).toEqual(asStored(over));
  });

  test('an unknown portfolio has neither row nor events', async () => {
    const { ledger } = await open();
    expect(await ledger.load(portfolioId('7'))).toBeUndefined();
    expect(await ledger.row(portfolioId('7'))).toBeUndefined();
    expect(await ledger.commit([])).toEqual({ kind: 'committed' });
  });

  test('ids are exact up to the largest', async () => {
    const { ledger } = await open();
    const id = Number.MAX_SAFE_INTEGER;
    await ledger.commit([turnWith(id, 0), turnWith(id - 1, 0)]);
    expect(await ledger.active()).toEqual([String(id - 1), String(id)]);
    expect((await ledger.row(portfolioId(String(id))))?.portfolio).toBe(String(id));
  });

  test.for([
    ['that is outdated', 1, 0],
    ['that is ahead', 1, 2],
    ['of an id that is taken', 2, 0],
    ['of an unknown portfolio', 0, 1],
  ] as const)(
    'a turn decided on a version %s is a conflict and leaves no trace',
    async ([, has, asks]) => {
      const { ledger, fills } = await open();
      for (let n = 0; n < has; n += 1) await ledger.commit([turnWith(7, n)]);
      const before = await ledger.load(portfolioId('7'));
      const late = turnWith(7, asks, { turn: { fills: [fillOf('late')] } });
      expect(await ledger.commit([late])).toEqual({ kind: 'conflict', portfolio: '7' });
      expect(await ledger.load(portfolioId('7'))).toEqual(before);
      expect(await fills()).toEqual([]);
    },
  );

  test('a turn without events changes the row and not the version', async () => {
    const { ledger } = await open();
    await ledger.commit([turnWith(7, 0)]);
    const quiet = turnWith(7, 1, { row: { nextDueAt: T0 }, turn: { events: [] } });
    expect(await ledger.commit([quiet])).toEqual({ kind: 'committed' });
    expect(await ledger.row(portfolioId('7'))).toEqual(asStored(quiet));
    expect(await ledger.commit([turnWith(7, 1)])).toEqual({ kind: 'committed' });
  });

  test("a turn with a used key is answered with the key's portfolio, even if its id is taken too", async () => {
    const { ledger } = await open();
    expect(await ledger.findByKey('order-1')).toBeUndefined();
    await ledger.commit([turnWith(7, 0, { turn: { key: 'order-1' } })]);
    expect(await ledger.findByKey('order-1')).toBe('7');
    for (const id of [8, 7]) {
      const again = turnWith(id, 0, { turn: { key: 'order-1' } });
      expect(await ledger.commit([again])).toEqual({ kind: 'duplicate_key', portfolio: '7' });
    }
    expect(await ledger.row(portfolioId('8'))).toBeUndefined();
  });

  test('a fill is booked once per venue, currency and trade', async () => {
    const { ledger, fills } = await open();
    const first = fillOf('t1');
    const others = [fillOf('t2'), { ...first, currency: currency('ETH') }];
    await ledger.commit([turnWith(7, 0, { turn: { fills: [first] } })]);
    const repeated = { ...first, price: '9' };
    await ledger.commit([turnWith(7, 1, { turn: { fills: [repeated, ...others, repeated] } })]);
    const kept = await fills();
    expect(kept).toHaveLength(3);
    expect(kept).toEqual(expect.arrayContaining([first, ...others]));
  });

  test('both sides of a trade between two portfolios are booked', async () => {
    const { ledger, fills } = await open();
    const sides = [7, 8].map((id) => ({ ...fillOf('own'), label: childLabelOf(`side-${id}`) }));
    for (const [index, side] of sides.entries())
      await ledger.commit([turnWith(7 + index, 0, { turn: { fills: [side, side] } })]);
    const kept = await fills();
    expect(kept).toHaveLength(2);
    expect(kept).toEqual(expect.arrayContaining(sides));
  });

  test('every character of an event is preserved', async () => {
    const { ledger } = await open();
    let id = 100;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: 'binary', maxLength: 300, size: 'max' }), {
          minLength: 1,
          maxLength: 4,
        }),
        fc.bigInt({ min: -(10n ** 60n), max: 10n ** 60n }),
        async (texts, big) => {
          id += 1;
          const events = texts.map((message): PortfolioEvent => {
            return {
              kind: 'edit_refused',
              at: T0,
              label: `${big}.${big}`,
              number: 1,
              code: 2,
              message,
            };
          });
          await ledger.commit([turnWith(id, 0, { turn: { events } })]);
          expect(JSON.stringify(await storedEvents(ledger, id))).toBe(JSON.stringify(events));
        },
      ),
      { numRuns: 60 },
    );
  });

  test('every character of a row is preserved', async () => {
    const { ledger } = await open();
    const note = `"quoted" \\ back ' {a,b} NULL %_ \u001e é 東京 😀 ${'long '.repeat(4_000)}`;
    const turn = turnWith(7, 0, {
      row: { note, strategy: '', uid: '{"}', instruments: ['', 'A,B', 'NULL'], kinds: [] },
    });
    await ledger.commit([turn]);
    expect(await ledger.row(portfolioId('7'))).toEqual(asStored(turn));
  });
}

function togetherConformance(open: () => Promise<LedgerStage>): void {
  test('several turns are all written if every one can be', async () => {
    const { ledger } = await open();
    await ledger.commit([turnWith(7, 0)]);
    const outcome = await ledger.commit([turnWith(9, 0), turnWith(7, 1), turnWith(8, 0)]);
    expect(outcome).toEqual({ kind: 'committed' });
    expect(await ledger.active()).toEqual(['7', '8', '9']);
    expect(await storedEvents(ledger, 7)).toHaveLength(6);
  });

  test('no turn is written if one conflicts, and the first conflict is named', async () => {
    const { ledger, fills } = await open();
    await ledger.commit([turnWith(7, 0)]);
    const turns = [
      turnWith(9, 0, { turn: { key: 'nine', fills: [fillOf('t1')] } }),
      turnWith(8, 1),
      turnWith(7, 0),
    ];
    expect(await ledger.commit(turns)).toEqual({ kind: 'conflict', portfolio: '8' });
    expect(await ledger.active()).toEqual(['7']);
    expect(await storedEvents(ledger, 9)).toEqual([]);
    expect(await ledger.findByKey('nine')).toBeUndefined();
    expect(await fills()).toEqual([]);
  });

  test('a commit of no turns succeeds and writes nothing', async () => {
    const { ledger } = await open();
    expect(await ledger.commit([])).toEqual({ kind: 'committed' });
    expect(await ledger.active()).toEqual([]);
  });

  test('no turn is written if one has a used key', async () => {
    const { ledger } = await open();
    await ledger.commit([turnWith(7, 0, { turn: { key: 'seven' } })]);
    const outcome = await ledger.commit([
      turnWith(8, 1),
      turnWith(9, 0),
      turnWith(10, 0, { turn: { key: 'seven' } }),
    ]);
    expect(outcome).toEqual({ kind: 'duplicate_key', portfolio: '7' });
    expect(await ledger.active()).toEqual(['7']);
  });

  test('turns of one commit must be well-formed and belong to different portfolios', async () => {
    const { ledger } = await open();
    const senseless: readonly Turn[][] = [
      [turnWith(7, 0), turnWith(7, 1)],
      [turnWith(7, 0, { turn: { key: 'k' } }), turnWith(8, 0, { turn: { key: 'k' } })],
      [turnWith(7, 0, { turn: { events: [] } })],
      [turnWith(7, 1, { turn: { key: 'k' } })],
    ];
    for (const turns of senseless) {
      await expect(ledger.commit(turns)).rejects.toThrow(InvariantBroken);
    }
    expect(await ledger.active()).toEqual([]);
  });
}

function concurrencyConformance(open: () => Promise<LedgerStage>): void {
  test('parallel commits to hundreds of portfolios lose nothing and write every version once', async () => {
    const { ledger } = await open();
    const ids = Array.from({ length: 300 }, (_, n) => 1_000 + n);
    const live = async (id: number): Promise<void> => {
      for (let n = 0; n < 5; n += 1) {
        // Three callers want the same version: one gets it.
        const rivals = ['a', 'b', 'c'].map((name) =>
          ledger.commit([turnWith(id, n, { row: { note: name } })]),
        );
        expect(kinds(await Promise.all(rivals)).sort()).toEqual([
          'committed',
          'conflict',
          'conflict',
        ]);
      }
    };
    await Promise.all(ids.map(live));
    for (const id of ids) {
      const usual = [0, 1, 2, 3, 4].flatMap((n) => turnWith(id, n).events);
      expect(await storedEvents(ledger, id)).toEqual(usual);
    }
  });

  test('turns of one portfolio that are committed without waiting keep their order', async () => {
    const { ledger } = await open();
    const turns = Array.from({ length: 20 }, (_, n) => turnWith(7, n));
    const outcomes = await Promise.all(turns.map((turn) => ledger.commit([turn])));
    expect(new Set(kinds(outcomes))).toEqual(new Set(['committed']));
    expect(await storedEvents(ledger, 7)).toEqual(turns.flatMap(({ events }) => events));
  });

  test('concurrent submits with one key create one portfolio', async () => {
    const { ledger } = await open();
    const submits = Array.from({ length: 30 }, (_, n) =>
      ledger.commit([turnWith(50 + n, 0, { turn: { key: 'once' } })]),
    );
    const outcomes = await Promise.all(submits);
    const [created, ...more] = await ledger.active();
    expect(more).toEqual([]);
    expect(kinds(outcomes).filter((kind) => kind === 'committed')).toHaveLength(1);
    for (const outcome of outcomes) {
      if (outcome.kind === 'committed') continue;
      expect(outcome).toEqual({ kind: 'duplicate_key', portfolio: created });
    }
  });

  test('a refused commit does not affect the commits of other callers', async () => {
    const { ledger } = await open();
    await ledger.commit([turnWith(1, 0)]);
    const calls = Array.from({ length: 40 }, (_, n) =>
      n % 2 === 0 ? [turnWith(100 + n, 0)] : [turnWith(1_000 + n, 0), turnWith(2_000 + n, 3)],
    );
    const outcomes = await Promise.all(calls.map((turns) => ledger.commit(turns)));
    for (const [n, outcome] of outcomes.entries()) {
      expect(outcome.kind).toBe(n % 2 === 0 ? 'committed' : 'conflict');
    }
    expect(await ledger.active()).toHaveLength(21);
  });
}

function dueConformance(open: () => Promise<LedgerStage>): void {
  test('active returns the portfolios that are not terminal, in order of id', async () => {
    const { ledger } = await open();
    const statuses = {
      30: 'active',
      9: 'cancelling',
      200: 'filled',
      4: 'cancelled',
      100: 'active',
    } as const;
    for (const [id, status] of Object.entries(statuses)) {
      await ledger.commit([turnWith(Number(id), 0, { row: { status } })]);
    }
    expect(await ledger.active()).toEqual(['9', '30', '100']);
    const among = ['100', '4', '30', '7'].map(portfolioId);
    expect(await ledger.active(among)).toEqual(['30', '100']);
    expect(await ledger.active([])).toEqual([]);
    await ledger.commit([turnWith(30, 1, { row: { status: 'cancelled' } })]);
    expect(await ledger.active()).toEqual(['9', '100']);
  });

  test('overdue returns portfolios due at or before the instant, most overdue first, then by id', async () => {
    const { ledger } = await open();
    const due: readonly (readonly [number, ListedStatus, number | undefined])[] = [
      [10, 'active', 50],
      [9, 'cancelling', 50],
      [8, 'active', 101],
      [7, 'active', 100],
      [6, 'filled', 1],
      [5, 'active', undefined],
      [40, 'active', 2],
    ];
    for (const [id, status, inMs] of due) {
      const nextDueAt = inMs === undefined ? undefined : later(T0, inMs);
      await ledger.commit([turnWith(id, 0, { row: { status, nextDueAt } })]);
    }
    expect(await ledger.overdue(later(T0, 100), 10)).toEqual(['40', '9', '10', '7']);
    expect(await ledger.overdue(later(T0, 100), 2)).toEqual(['40', '9']);
    expect(await ledger.overdue(later(T0, 1), 10)).toEqual([]);
    await ledger.commit([turnWith(40, 1, { row: { nextDueAt: later(T0, 500) } })]);
    expect(await ledger.overdue(later(T0, 100), 10)).toEqual(['9', '10', '7']);
  });
}

function markConformance(open: () => Promise<LedgerStage>): void {
  test('a metadata value is the last one written', async () => {
    const { ledger } = await open();
    expect(await ledger.getMetadata('cursor')).toBeUndefined();
    await ledger.setMetadata('cursor', '{"at":1}');
    await ledger.setMetadata('other', '');
    await ledger.setMetadata('cursor', '{"at":2}');
    expect(await ledger.getMetadata('cursor')).toBe('{"at":2}');
    expect(await ledger.getMetadata('other')).toBe('');
  });

  test('only one of many concurrent initMetadata calls writes, and all return the stored value', async () => {
    const { ledger } = await open();
    const told = await Promise.all(
      Array.from({ length: 40 }, (_, n) => ledger.initMetadata('belongs to', String(n))),
    );
    expect(new Set(told)).toEqual(new Set([await ledger.getMetadata('belongs to')]));
    expect(await ledger.initMetadata('belongs to', 'a later one')).toBe(told[0]);
  });
}
