// Snapshots of states as one daemon has them: not written, lost, replaced by earlier ones, or unreadable.
import { LedgerFailure } from '../../../../src/ports/ledger.ts';
import type { StateSnapshots } from '../../../../src/ports/snapshots/state-snapshots.ts';
import type { Trouble } from '../trouble.ts';

export interface TroubledSnapshotsParts {
  readonly snapshots: StateSnapshots;
  readonly trouble: Trouble;
}

export function troubledSnapshots({ snapshots, trouble }: TroubledSnapshotsParts): StateSnapshots {
  return {
    save: async (some) => {
      if (trouble.strikes('snapshots_unwritten')) throw new LedgerFailure('not written', false);
      // What is there stays, and is older than its writer believes.
      if (trouble.strikes('snapshots_old')) return;
      trouble.note('snapshot written');
      await snapshots.save(some);
    },
    load: async (portfolio, format) => {
      if (trouble.strikes('ledger_unread')) throw new LedgerFailure('no answer to a read', false);
      if (trouble.strikes('snapshots_lost')) await snapshots.delete([portfolio]);
      const stored = await snapshots.load(portfolio, format);
      if (stored?.snapshot === undefined) return stored;
      trouble.note('snapshot loaded');
      if (!trouble.strikes('snapshots_unreadable')) return stored;
      return { ...stored, snapshot: { ...stored.snapshot, text: '{"cut' } };
    },
    of: (portfolio) => snapshots.of(portfolio),
    delete: async (portfolios) => {
      if (trouble.strikes('snapshots_unwritten')) throw new LedgerFailure('not deleted', false);
      await snapshots.delete(portfolios);
    },
  };
}
