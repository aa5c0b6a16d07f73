// Opens the notifications of a daemon: nothing at all unless a channel is configured.
import { hostname } from 'node:os';
import { PostgresNoticeOutbox } from '../../adapters/postgres/notify/postgres-notice-outbox.ts';
import type { PostgresLedger } from '../../adapters/postgres/postgres-ledger.ts';
import { PostgresSwitchRecords } from '../../adapters/postgres/records/postgres-switch-records.ts';
import type { Log } from '../../adapters/telemetry/log/logger.ts';
import { LedgerHappeningsReader } from '../../engine/notify/ledger-happenings-reader.ts';
import { NoticeCourier } from '../../engine/notify/notice-courier.ts';
import { Notifications } from '../../engine/notify/notifications.ts';
import { ObservedHappenings } from '../../engine/notify/observed-happenings.ts';
import { drainAndStop } from '../../lifetime/lifetime.ts';
import type { Clock } from '../../ports/clock.ts';
import type { FollowStates, Observer } from '../../ports/observer.ts';
import type { VenueDirectory } from '../../ports/venue.ts';
import { instant, SECOND_MS } from '../../values/instant.ts';
import type { Config } from '../config/config.ts';
import { NEWEST_BACKUP } from './newest-backup.ts';
import { noticeRoutes, noticeSecrets } from './notice-channels.ts';

export interface OpenNotifyOptions {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Pick<Log, 'hide'>;
}

export interface StartNotifyOptions {
  /** Address of a database whose schema is up to date. */
  readonly databaseUrl: string;
  readonly observer: Observer;
  readonly member: string;
  readonly ledger: Pick<PostgresLedger, 'turnLog' | 'turnEvents' | 'getMetadata'>;
  readonly venues: Pick<VenueDirectory, 'all'>;
  readonly follow: FollowStates;
  readonly onFault: (error: unknown) => void;
}

export interface OpenedNotify {
  /** Where somebody is notified. */
  readonly observer: Observer | undefined;
  /** Returns how it ends. */
  start(parts: StartNotifyOptions): Promise<() => Promise<void>>;
}

/** What is left of a stop is little, and nothing that trades waits for it. */
const DRAIN_MS = 1_000;

export function openNotify({ config, clock, log }: OpenNotifyOptions): OpenedNotify {
  const routes = noticeRoutes(config);
  if (routes.length === 0) {
    return { observer: undefined, start: () => Promise.resolve(() => Promise.resolve()) };
  }
  log.hide(...noticeSecrets(config));
  const observed = new ObservedHappenings({ clock, routes, machine: hostname() });
  return {
    observer: observed,
    start: async (parts) => {
      const { databaseUrl: connectionString, observer, ledger, onFault } = parts;
      const outbox = new PostgresNoticeOutbox({ connectionString, onFault });
      const switches = new PostgresSwitchRecords({ connectionString, onFault });
      const reader = new LedgerHappeningsReader({
        clock,
        outbox,
        routes,
        switches,
        log: ledger.turnLog,
        events: ledger.turnEvents,
      });
      const { deployment, runbookUrl } = config.service;
      const courier = new NoticeCourier({
        deployment,
        runbookUrl,
        clock,
        outbox,
        observer,
        routes,
      });
      const { afterSec, backupOldSec } = config.notify;
      const notifications = new Notifications({
        ...parts,
        clock,
        outbox,
        observed,
        reader,
        courier,
        unknownAfterMs: afterSec * SECOND_MS,
        venueAwayMs: afterSec * SECOND_MS,
        backupOldMs: backupOldSec * SECOND_MS,
        newestBackup: async () => {
          const at = await ledger.getMetadata(NEWEST_BACKUP);
          return at === undefined ? undefined : instant(Date.parse(at));
        },
      });
      await notifications.start();
      return async () => {
        for (const { channel } of routes) channel.close();
        await drainAndStop(notifications, { clock, graceMs: DRAIN_MS });
        await Promise.all([switches.close(), outbox.close()]);
      };
    },
  };
}
