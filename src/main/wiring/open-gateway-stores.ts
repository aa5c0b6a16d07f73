// Opens what only a gateway needs of the stores: keys, the action log, sessions of the page, the counts shared with other gateways, and the
// queue's page.
import type { QueueBoard } from '../../adapters/bullmq/queue-board.ts';
import { PostgresActionLog } from '../../adapters/postgres/records/postgres-action-log.ts';
import { PostgresActionPages } from '../../adapters/postgres/records/postgres-action-pages.ts';
import { PostgresPageSessions } from '../../adapters/postgres/records/postgres-page-sessions.ts';
import { PostgresSwitchRecords } from '../../adapters/postgres/records/postgres-switch-records.ts';
import { RedisPeerCounts } from '../../adapters/redis/redis-peer-counts.ts';
import type { Log } from '../../adapters/telemetry/log/logger.ts';
import { BOARD_PATH } from '../../gateway/http/board-routes.ts';
import { type LatePlugin, latePlugin } from '../../gateway/http/late-plugin.ts';
import type { ActionLog, ActionPages } from '../../ports/action-log.ts';
import type { Clock } from '../../ports/clock.ts';
import type { PageSessions } from '../../ports/page/page-sessions.ts';
import type { PeerCounts } from '../../ports/peer-counts.ts';
import type { SwitchRecords } from '../../ports/switch-records.ts';
import type { Config } from '../config/config.ts';
import { type OpenedKeys, openKeys } from './open-keys.ts';
import { redisPrefix } from './redis-prefix.ts';

export interface GatewayStores {
  readonly keys: OpenedKeys;
  readonly actions: ActionLog;
  readonly actionPages: ActionPages;
  readonly switchRecords: Pick<SwitchRecords, 'after'>;
  readonly pageSessions: PageSessions;
  readonly peerCounts: PeerCounts;
  readonly board: LatePlugin['plugin'];
  /** Loads the queue's page, which otherwise the first request for it does. */
  loadBoard(): Promise<void>;
}

export interface GatewayStoresOptions {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  /** Address of a database whose schema is up to date. */
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly report: (where: string) => (error: unknown) => void;
  /** Collects what must be closed, in reverse. */
  readonly closers: { push(closer: { name: string; close: () => Promise<unknown> }): unknown };
}

export async function openGatewayStores(parts: GatewayStoresOptions): Promise<GatewayStores> {
  const { config, clock, log, databaseUrl, redisUrl, report, closers } = parts;
  const keys = await openKeys({ config, clock, log, databaseUrl, report: report('keys') });
  closers.push({ name: 'keys', close: () => keys.close() });
  const actions = new PostgresActionLog({
    connectionString: databaseUrl,
    onFault: report('actions'),
  });
  closers.push({ name: 'actions', close: () => actions.close() });
  const actionPages = new PostgresActionPages({
    connectionString: databaseUrl,
    onFault: report('actions'),
  });
  closers.push({ name: 'actionPages', close: () => actionPages.close() });
  const switchRecords = new PostgresSwitchRecords({
    connectionString: databaseUrl,
    onFault: report('switches'),
  });
  closers.push({ name: 'switchRecords', close: () => switchRecords.close() });
  const pageSessions = new PostgresPageSessions({
    connectionString: databaseUrl,
    onFault: report('page'),
  });
  closers.push({ name: 'pageSessions', close: () => pageSessions.close() });
  const own = { url: redisUrl, prefix: redisPrefix(config) };
  const peerCounts = new RedisPeerCounts({ ...own, onFault: report('counts') });
  closers.push({ name: 'peerCounts', close: () => peerCounts.close() });
  let board: QueueBoard | undefined;
  closers.push({ name: 'board', close: async () => await board?.close() });
  const late = latePlugin(BOARD_PATH, async () => {
    const { queueBoard } = await import('../../adapters/bullmq/queue-board.ts');
    board ??= queueBoard({ ...own, path: BOARD_PATH, onFault: report('queue.board') });
    return board.plugin;
  });
  const records = { actions, actionPages, switchRecords, pageSessions };
  const { plugin, load: loadBoard } = late;
  return { keys, ...records, peerCounts, board: plugin, loadBoard };
}
