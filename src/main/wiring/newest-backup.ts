// Where a ledger remembers its newest backup.

/** The mark with the instant of the newest backup, in ISO 8601. */
export const NEWEST_BACKUP = 'newest backup';
