// Opens a Deribit venue of the configuration: its place, its keys, its rules and its reporting.
import { randomUUID } from 'node:crypto';
import type { ProtectionSetup } from '../../adapters/deribit/account/protection-state.ts';
import type { DeribitVenue } from '../../adapters/deribit/deribit-venue.ts';
import {
  NETWORK,
  openDeribitVenue,
  SESSION_RULES,
} from '../../adapters/deribit/open-deribit-venue.ts';
import type { Key } from '../../adapters/deribit/session/login.ts';
import type { Clock } from '../../ports/clock.ts';
import { type Quantity, quantity } from '../../values/amounts.ts';
import { accountId, venueName } from '../../values/ids.ts';
import { rng } from '../../values/rng.ts';
import type { Config, DeribitCredentials, DeribitVenueConfig } from '../config/config.ts';
import { placeOf } from '../config/rules/venue-place.ts';
import { windowsOf } from '../config/sections/blackout-window-section.ts';
import type { VenueBinding } from './bind-venue.ts';

export interface DeribitOptions {
  readonly config: Pick<Config, 'engine'>;
  readonly clock: Clock;
  readonly report: (where: string) => (error: unknown) => void;
  /** Whether `--live` was typed. */
  readonly allowsLive: boolean;
  /** Whether accounts are attached when the venue opens; default yes. */
  readonly attaches?: boolean | undefined;
  /** Longest wait for the first connections. */
  readonly firstWaitMs?: number | undefined;
  /** By venue; absent: any exchange and any account of it is accepted. */
  readonly binding?: ((name: string) => VenueBinding) | undefined;
  /** By venue, before the login of each connection at which real money is traded; rejects to refuse it. */
  readonly onLive?: ((name: string) => Promise<void>) | undefined;
}

export function openDeribit(
  name: string,
  section: DeribitVenueConfig,
  { config, clock, report, allowsLive, attaches, firstWaitMs, binding, onLive }: DeribitOptions,
): Promise<DeribitVenue> {
  const { timeoutMs, reconnectMaxMs, cancelOnDisconnect } = section;
  const bound = binding?.(name);
  return openDeribitVenue({
    ...placeOf(section),
    line: NETWORK,
    clock,
    allowsLive,
    attaches,
    cancelOnDisconnect,
    firstWaitMs,
    name: venueName(name),
    accounts: section.credentials.map(({ account, key }) => ({
      account: accountId(account),
      key: keyOf(key),
    })),
    // Processes that lose the same venue reconnect at different moments.
    rng: rng(randomUUID()),
    rules: {
      ...SESSION_RULES,
      timeoutMs,
      backoff: { ...SESSION_RULES.backoff, maxMs: reconnectMaxMs },
    },
    protection: section.protection.map(protectionOf),
    quietWindows: windowsOf(section.quietWindows),
    skewMaxMs: config.engine.skewMs,
    bind: async (exchangeId, isLive) => {
      await bound?.bind(exchangeId);
      if (isLive) await onLive?.(name);
    },
    bindAccount: bound?.bindAccount,
    onFault: report(`venue.${name}`),
  });
}

const amount = (text: string | undefined): Quantity | undefined =>
  text === undefined ? undefined : quantity(text);

const protectionOf = (one: DeribitVenueConfig['protection'][number]): ProtectionSetup => ({
  ...one,
  quantityLimit: amount(one.quantityLimit),
  deltaLimit: amount(one.deltaLimit),
  vegaLimit: amount(one.vegaLimit),
  maxQuoteQuantity: amount(one.maxQuoteQuantity),
});

const keyOf = (key: DeribitCredentials['key']): Key =>
  key.kind === 'deribit'
    ? {
        kind: 'deribit',
        clientId: key.clientId.reveal(),
        clientSecret: key.clientSecret.reveal(),
      }
    : { kind: 'coinbase', name: key.name.reveal(), privateKey: key.privateKey.reveal() };
