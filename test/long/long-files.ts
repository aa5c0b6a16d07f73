// Test files that keep a real deployment busy for minutes. A run of all tests leaves them out, and the long tasks have them.

export const LONG_FILES: readonly string[] = [
  'test/resident/resident.daemon.test.ts',
  'test/daemon/balance.daemon.test.ts',
  'test/daemon/deribit-venue.daemon.test.ts',
  'test/daemon/durability-blocks.daemon.test.ts',
  'test/daemon/durability-kinds.daemon.test.ts',
  'test/daemon/process-faults.daemon.test.ts',
  'test/daemon/alerts/clocks.alerts.daemon.test.ts',
  'test/daemon/alerts/orders.alerts.daemon.test.ts',
  'test/daemon/alerts/owners.alerts.daemon.test.ts',
  'test/daemon/alerts/process.alerts.daemon.test.ts',
  'test/daemon/alerts/silence.alerts.daemon.test.ts',
  'test/daemon/alerts/unread.alerts.daemon.test.ts',
  'test/daemon/several/load-balancer.daemon.test.ts',
  'test/daemon/several/owner-faults.daemon.test.ts',
  'test/daemon/several/rolling-upgrade.daemon.test.ts',
];

/** Whether the words of a command select tests by their path, as `npm test -- test/core` does. */
export const isSelecting = (words: readonly string[]): boolean =>
  words.some((word) => /(^|\/)test\//.test(word));
