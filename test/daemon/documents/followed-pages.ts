// Which pages a test follows. A page with commands stands in one of these lists, or each of its command blocks says why not.

/** In a clone in which nothing runs. */
export const WITHOUT_A_DAEMON = ['tls', 'recording', 'sweep', 'rehearse'];

/** One after the other in a clone where a daemon runs and a portfolio has filled. */
export const BESIDE_A_DAEMON = ['blotter', 'page', 'export', 'reconcile', 'report', 'deribit-wire'];

/** With a Redis and a PostgreSQL of the reader's own. */
export const WITH_STORES = ['several-daemons'];

export const TUTORIAL = 'tutorial';

export const FOLLOWED: readonly string[] = [
  ...WITHOUT_A_DAEMON,
  ...BESIDE_A_DAEMON,
  ...WITH_STORES,
  TUTORIAL,
];

export const pathOf = (page: string): string => `docs/${page}.md`;
