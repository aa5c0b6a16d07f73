// Changes of source text around news and the stores behind them that the named tests must notice.
import type { SourceMutant } from './source-mutant.ts';

export const NEWS_MUTANTS: readonly SourceMutant[] = [
  {
    name: 'turn-log-newest-by-text',
    what: 'The newest position of the turn log is the greatest text, so that 999 comes after 1000.',
    file: 'src/adapters/postgres/turn-log.ts',
    find: 'ORDER BY turn_log.position DESC LIMIT 1`;',
    put: 'ORDER BY position DESC LIMIT 1`;',
    killedBy: ['test/adapters/postgres-turn-log.pg.test.ts', 'test/sql-order.test.ts'],
  },
  {
    name: 'turn-log-read-by-text',
    what: 'Groups of the turn log are read in the order of their positions as text.',
    file: 'src/adapters/postgres/turn-log.ts',
    find: 'ORDER BY turn_log.position LIMIT $2`;',
    put: 'ORDER BY position LIMIT $2`;',
    killedBy: ['test/adapters/postgres-turn-log.pg.test.ts', 'test/sql-order.test.ts'],
  },
  {
    name: 'audited-portfolios-by-text',
    what: 'The auditor pages through portfolios in the order of their ids as text and leaves some out.',
    file: 'src/adapters/postgres/postgres-audit-records.ts',
    find: 'ORDER BY portfolio.id LIMIT $2',
    put: 'ORDER BY id LIMIT $2',
    killedBy: ['test/adapters/postgres-audit-records.pg.test.ts', 'test/sql-order.test.ts'],
  },
];
