// The places where injected faults are reported; a failure reported from elsewhere is a bug of ours.

export const INJECTED_FAILURES: ReadonlySet<string> = new Set([
  ...['ledger', 'sweep', 'start', 'queue.schedule', 'switch', 'halt', 'venue.open_orders'],
  ...['mmp.ledger', 'mmp.reread', 'mmp.read_up', 'mmp.sweep', 'mmp.group'],
  ...['desk.quote', 'rfq.gate', 'gate.read', 'idempotency', 'ended_elsewhere', 'keys'],
  ...[
    'audit.ledger',
    'audit.venue',
    'audit.position',
    'leases',
    'take_up',
    'record_repair',
    'foreign_turn',
    'owner',
    'snapshot',
  ],
]);
