// Source-text mutants of the rounds in which many unknown outcomes are requested in lists: with each of them an order that
// exists may be called absent, or counted without its fills.
import type { SourceMutant } from './source-mutant.ts';

const FILE = 'src/adapters/deribit/orders/reconcile-rounds.ts';
const KILLED_BY = ['test/adapters/deribit/orders/reconcile-rounds.test.ts'];

export const ROUND_MUTANTS: readonly SourceMutant[] = [
  {
    name: 'old-history-read-first',
    what: 'An order that ages between the two histories of a round is in neither.',
    file: FILE,
    find: 'for (const historical of [false, true]) {',
    put: 'for (const historical of [true, false]) {',
    killedBy: KILLED_BY,
  },
  {
    name: 'absent-without-a-look-up',
    what: 'An order that no list of a round shows yet is absent.',
    file: FILE,
    find: 'const labelled = await this.#reads.ordersLabelled(query);',
    put: "const labelled = { kind: 'done' as const, value: [] };",
    killedBy: KILLED_BY,
  },
  {
    name: 'unread-history-holds-nothing',
    what: 'A history that could not be read to the end counts as one without the order.',
    file: FILE,
    find: '    if (failed !== undefined) return failed;\n',
    put: '',
    killedBy: KILLED_BY,
  },
  {
    name: 'listed-trades-unchecked',
    what: 'The trades in the list of a round are taken for all of an order.',
    file: FILE,
    find: 'fromFirstComplete([among, tradesByOrder(reads)])',
    put: 'among',
    killedBy: KILLED_BY,
  },
];
