// Source-text mutants of what passes between a gateway and an engine.
import type { SourceMutant } from './source-mutant.ts';

export const LINK_MUTANTS: readonly SourceMutant[] = [
  {
    name: 'scopes-unchecked-by-the-engine',
    what: 'An engine carries out a change for a key without the scope.',
    file: 'src/engine/link/serve-line.ts',
    find: 'requireScope(call);',
    put: '',
    killedBy: ['test/engine/link/remote-engine.test.ts'],
  },
  {
    name: 'unanswered-order-refused',
    what: 'An order whose answer is lost counts as one that was not sent.',
    file: 'src/engine/link/remote-engine.ts',
    find: 'return error instanceof PeerUnreached',
    put: 'return isPeerAway(error)',
    killedBy: ['test/engine/link/remote-engine.test.ts'],
  },
  {
    name: 'gap-unannounced',
    what: 'Followers of orders are not notified of the gap between two connections.',
    file: 'src/engine/link/remote-engine.ts',
    find: 'if (notice !== undefined) this.#notify(one, notice);',
    put: '',
    killedBy: ['test/engine/link/remote-engine.test.ts'],
  },
  {
    name: 'cancels-without-a-lane',
    what: 'Cancels wait behind everything else.',
    file: 'src/adapters/engine-link/gateway-line.ts',
    find: 'calls : calls + urgentCalls',
    put: 'calls : calls',
    killedBy: ['test/adapters/engine-link/gateway-line.test.ts'],
  },
  {
    name: 'followed-for-ever',
    what: 'An engine goes on sending what a lost gateway followed.',
    file: 'src/adapters/engine-link/link-server.ts',
    find: 'for (const leave of leaves.values()) leave();',
    put: '',
    killedBy: ['test/adapters/engine-link/gateway-line.test.ts'],
  },
  {
    name: 'answered-from-before',
    what: 'A market read answers requests that came after it began.',
    file: 'src/main/gateway/paced-reads.ts',
    find: 'shared.next = undefined;',
    put: '',
    killedBy: ['test/main/gateway/paced-reads.test.ts'],
  },
];
