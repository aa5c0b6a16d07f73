// Source-text mutants of the news and the stores behind them that the named tests must detect.
import type { SourceMutant } from './source-mutant.ts';

export const NEWS_MUTANTS: readonly SourceMutant[] = [
  {
    name: 'turn-log-newest-by-text',
    what: 'The newest position of the turn log is the greatest text, so that 999 comes after 1000.',
    file: 'src/adapters/postgres/turn-log.ts',
    find: 'ORDER BY turn_log.position DESC LIMIT 1`;',
    put: 'ORDER BY position DESC LIMIT 1`;',
    killedBy: ['test/adapters/postgres/postgres-turn-log.pg.test.ts', 'test/sql-order.test.ts'],
  },
  {
    name: 'turn-log-read-by-text',
    what: 'Groups of the turn log are read in the order of their positions as text.',
    file: 'src/adapters/postgres/turn-log.ts',
    find: 'ORDER BY turn_log.position LIMIT $2`;',
    put: 'ORDER BY position LIMIT $2`;',
    killedBy: ['test/adapters/postgres/postgres-turn-log.pg.test.ts', 'test/sql-order.test.ts'],
  },
  {
    name: 'audited-portfolios-by-text',
    what: 'The auditor pages through portfolios in the order of their ids as text and leaves some out.',
    file: 'src/adapters/postgres/records/postgres-audit-records.ts',
    find: 'ORDER BY portfolio.id LIMIT $2',
    put: 'ORDER BY id LIMIT $2',
    killedBy: [
      'test/adapters/postgres/postgres-audit-records.pg.test.ts',
      'test/sql-order.test.ts',
    ],
  },
  {
    name: 'resync-at-every-look',
    what: 'Readers get a resync at every look while the turn log stays unusable.',
    file: 'src/engine/news/news-feed.ts',
    find: 'latest(wantedAt, this.#restingUntil ?? wantedAt)',
    put: 'latest(wantedAt, wantedAt)',
    killedBy: ['test/engine/news/news-feed.test.ts'],
  },
  {
    name: 'unbooked-while-the-ledger-is-stuck',
    what: 'A fill counts as unbooked although the turn that books it waits for the ledger.',
    file: 'src/engine/audit/audit-venue.ts',
    find: 'if (portfolio !== undefined && this.#parts.durableTo(portfolio) < due) return [];',
    put: '',
    killedBy: ['test/engine/audit/audit-venue.test.ts', 'test/engine/audit/auditor.test.ts'],
  },
  {
    name: 'grace-longer-by-an-instant',
    what: 'A fill whose facts were durable exactly at the end of its grace is not found.',
    file: 'src/engine/audit/audit-venue.ts',
    find: 'durableTo(portfolio) < due',
    put: 'durableTo(portfolio) <= due',
    killedBy: ['test/engine/audit/audit-venue.test.ts'],
  },
  {
    name: 'missed-trade-not-handed-over',
    what: 'A trade whose notice has not come is never handed to the engine, so that a late notice halts a healthy portfolio.',
    file: 'src/engine/audit/audit-venue.ts',
    find: '    this.#parts.handOver(trade);\n',
    put: '',
    killedBy: [
      'test/engine/audit/audit-venue.test.ts',
      'test/engine/audit/late-notices.property.test.ts',
    ],
  },
  {
    name: 'missed-trade-halts-at-once',
    what: 'A trade that has just been handed to the engine is a finding in the same round, before it can be booked.',
    file: 'src/engine/audit/audit-venue.ts',
    find: '    return this.#excuse(trade, answeredAt, true);',
    put: '    return [unbookedFinding(trade)];',
    killedBy: [
      'test/engine/audit/audit-venue.test.ts',
      'test/engine/audit/late-notices.property.test.ts',
    ],
  },
  {
    name: 'sure-step-within-the-budget',
    what: 'Private servers are left behind when the steps before them used up the budget.',
    file: 'src/main/lifecycle/ending.ts',
    find: 'const allowedMs = isSure ? limitMs :',
    put: 'const allowedMs =',
    killedBy: ['test/main/lifecycle/ending.test.ts'],
  },
];
