// Where trouble is noticed and told, as it is meant to be; a failure told from elsewhere is a fault of ours.

export const INJECTED_FAILURES: ReadonlySet<string> = new Set([
  ...['ledger', 'sweep', 'start', 'queue.schedule', 'switch', 'halt', 'venue.open_orders'],
  ...['mmp.ledger', 'mmp.reread', 'mmp.read_up', 'mmp.sweep', 'mmp.group'],
  ...['desk.quote', 'rfq.gate', 'gate.read', 'idempotency', 'ended_elsewhere'],
  ...['audit.ledger', 'audit.venue', 'audit.position'],
]);
