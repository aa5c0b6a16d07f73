// Opens a remote venue of the configuration: its keys, its rules and its reporting.
import { randomUUID } from 'node:crypto';
import { LINE_RULES, openRemoteVenue } from '../../adapters/remote/open-remote-venue.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Venue } from '../../ports/venue.ts';
import { accountId, venueName } from '../../values/ids.ts';
import { rng } from '../../values/rng.ts';
import type { Config, RemoteVenueConfig } from '../config/config.ts';
import { windowsOf } from '../config/sections/blackout-window-section.ts';

export interface RemoteOptions {
  readonly config: Config;
  readonly clock: Clock;
  readonly report: (where: string) => (error: unknown) => void;
  /** By venue, called with the exchange's identity; absent: any exchange is accepted. */
  readonly bindRemote?: ((name: string) => (exchangeId: string) => Promise<void>) | undefined;
}

export function openRemote(
  name: string,
  section: RemoteVenueConfig,
  { config, clock, report, bindRemote }: RemoteOptions,
): Promise<Venue> {
  const { url, timeoutMs, probeMs, reconnectMaxMs, heartbeatSec, cancelOnDisconnect } = section;
  return openRemoteVenue({
    ...{ url, clock, heartbeatSec, cancelOnDisconnect },
    name: venueName(name),
    credentials: section.credentials.map(({ secret, accounts, ...key }) => ({
      ...key,
      secret: secret.reveal(),
      accounts: accounts.map(accountId),
    })),
    // Processes that lose the same exchange reconnect at different moments.
    rng: rng(randomUUID()),
    rules: {
      timeoutMs,
      probeMs,
      backoff: { ...LINE_RULES.backoff, maxMs: reconnectMaxMs },
    },
    quietWindows: windowsOf(section.quietWindows),
    bind: bindRemote?.(name),
    skewMaxMs: config.engine.skewMs,
    onFault: report(`venue.${name}`),
  });
}

/** Secrets of every key for a remote venue, which must never appear in a log. */
export const remoteSecrets = ({ venues }: Config): readonly string[] =>
  Object.values(venues).flatMap((venue) =>
    venue.kind === 'remote' ? venue.credentials.map(({ secret }) => secret.reveal()) : [],
  );
