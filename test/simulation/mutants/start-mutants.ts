// Mutants of the recovery barrier: what a daemon may not send after a start, before it knows the outcome of earlier requests.
import { type Mutant, one } from './mutant.ts';

export const START: readonly Mutant[] = [
  {
    name: 'sends-before-it-knows',
    what: 'after a start nothing waits for earlier requests',
    changes: [
      {
        file: 'src/engine/recovery/recovery-barrier.ts',
        find: 'if (!isAccountBlocked && !isPortfolioBlocked) return undefined;',
        put: 'if (!isAccountBlocked || isAccountBlocked) return undefined;',
      },
      {
        file: 'src/engine/risk/gate.ts',
        find: 'const why = this.hold?.objectionTo(passing.account);',
        put: 'const why = undefined as string | undefined;',
      },
    ],
    within: 500,
  },
  one(
    'sends-before-the-list',
    'after a start the list of open orders is not waited for',
    ['src/engine/recovery/recovery-barrier.ts', 'this.#accounts.add(state.spec.accountId);', ''],
    500,
  ),
  one(
    'sends-beside-the-unknown',
    'after a start a portfolio continues despite an unknown outcome',
    [
      'src/engine/recovery/recovery-barrier.ts',
      'if (open.size > 0) this.#questions.set(state.id, open);',
      'void open;',
    ],
    500,
  ),
  one(
    'by-hand-before-it-knows',
    'after a start manual orders do not wait',
    [
      'src/engine/risk/gate.ts',
      'const why = this.hold?.objectionTo(passing.account);',
      'const why = undefined as string | undefined;',
    ],
    2_000,
  ),
  {
    name: 'refusal-is-none',
    what: 'a refused look-up counts as no such order',
    changes: [
      {
        file: 'src/engine/orders/child-reconciliation.ts',
        find: 'const reply = await venue.reconcile(query);',
        put: "const asked = await venue.reconcile(query);\n    const reply: Reply<Reconciled> = asked.kind === 'refused' ? { kind: 'done', value: { orders: [], trades: [] } } : asked;",
      },
      {
        file: 'src/engine/orders/child-reconciliation.ts',
        find: "if (found.kind !== 'done') return found;",
        put: "if (found.kind === 'refused') return reply;\n    if (found.kind !== 'done') return found;",
      },
    ],
    within: 5_000,
  },
];
