// Every schema migration, in order. A released one is never edited: add another.
import { createHash } from 'node:crypto';
import { sql as ledger } from './migrations/0001-ledger.ts';
import { sql as keys } from './migrations/0002-keys.ts';
import { sql as actions } from './migrations/0003-actions.ts';
import { sql as turnLog } from './migrations/0004-turn-log.ts';
import { sql as keptAnswers } from './migrations/0005-kept-answers.ts';
import { sql as mmp } from './migrations/0006-mmp.ts';
import { sql as tradingSwitch } from './migrations/0007-switch.ts';
import { sql as pagePlaces } from './migrations/0008-page-places.ts';
import { sql as audit } from './migrations/0009-audit.ts';
import { sql as auditBaseline } from './migrations/0010-audit-baseline.ts';
import { sql as dueIndex } from './migrations/0011-due-index.ts';
import { sql as shards } from './migrations/0012-shards.ts';
import { sql as snapshots } from './migrations/0013-snapshots.ts';
import { sql as turns } from './migrations/0014-turns.ts';
import { sql as summaryVersion } from './migrations/0015-summary-version.ts';
import { sql as pending } from './migrations/0016-pending.ts';
import { sql as eventShapes } from './migrations/0017-event-shapes.ts';
import { sql as costs } from './migrations/0018-costs.ts';
import { sql as notices } from './migrations/0019-notices.ts';
import { sql as pageSessions } from './migrations/0020-page-sessions.ts';
import { sql as fundingRate } from './migrations/0021-funding-rate.ts';
import { sql as actionsByAccount } from './migrations/0022-actions-by-account.ts';
import { sql as witnessedHeads } from './migrations/0024-witnessed-heads.ts';
import { sql as peopleOfThePage } from './migrations/0025-people-of-the-page.ts';
import { sql as versionLast } from './migrations/0027-version-last.ts';
import { sql as archivedDays } from './migrations/archive/0023-archived-days.ts';
import { sql as summaryPacks } from './migrations/archive/0026-summary-packs.ts';
import { sql as bothSidesOfATrade } from './migrations/archive/0030-both-sides-of-a-trade.ts';
import { sql as claimsByMinute } from './migrations/claims/0029-claims-by-minute.ts';
import { sql as claimsByPeriod } from './migrations/claims/0031-claims-by-period.ts';
import { sql as openPages } from './migrations/pages/0028-open-pages.ts';
import { sql as boundSessions } from './migrations/pages/0032-bound-sessions.ts';

export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly sql: string;
  /** SHA-256 of the text, so that an edited migration is detected. */
  readonly checksum: string;
}

export function migration(number: number, name: string, sql: string): Migration {
  return { number, name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
}

export const MIGRATIONS: readonly Migration[] = [
  migration(1, 'ledger', ledger),
  migration(2, 'keys', keys),
  migration(3, 'actions', actions),
  migration(4, 'turn log', turnLog),
  migration(5, 'kept answers', keptAnswers),
  migration(6, 'mmp', mmp),
  migration(7, 'switch', tradingSwitch),
  migration(8, 'page places', pagePlaces),
  migration(9, 'audit', audit),
  migration(10, 'audit baseline', auditBaseline),
  migration(11, 'due index', dueIndex),
  migration(12, 'shards', shards),
  migration(13, 'snapshots', snapshots),
  migration(14, 'turns', turns),
  migration(15, 'summary version', summaryVersion),
  migration(16, 'pending', pending),
  migration(17, 'event shapes', eventShapes),
  migration(18, 'costs', costs),
  migration(19, 'notices', notices),
  migration(20, 'page sessions', pageSessions),
  migration(21, 'funding rate', fundingRate),
  migration(22, 'actions by account', actionsByAccount),
  migration(23, 'archived days', archivedDays),
  migration(24, 'witnessed heads', witnessedHeads),
  migration(25, 'people of the page', peopleOfThePage),
  migration(26, 'summary packs', summaryPacks),
  migration(27, 'version last', versionLast),
  migration(28, 'open pages', openPages),
  migration(29, 'claims by minute', claimsByMinute),
  migration(30, 'both sides of a trade', bothSidesOfATrade),
  migration(31, 'claims by period', claimsByPeriod),
  migration(32, 'bound sessions', boundSessions),
];
