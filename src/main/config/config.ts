// The configuration as the daemon uses it: file, overrides and secrets combined. Secrets are wrapped, so all
// of it may be logged.
import type { ConfigFile } from './config-schema.ts';
import type { Secret } from './secrets/secret.ts';
import type { BucketSection } from './sections/bucket-section.ts';
import type { DeribitVenueSection } from './sections/deribit-section.ts';
import type { ArchiveBucketSection } from './sections/ledger-section.ts';
import type { NotifyChannelSection } from './sections/notify-section.ts';
import type { PaperVenueSection } from './sections/venues-section.ts';

export interface KeyConfig {
  readonly id: string;
  readonly secret: Secret;
  readonly uid: string;
  readonly nickname: string;
  readonly accounts: readonly string[];
  readonly scopes: ConfigFile['keys'][number]['scopes'];
  readonly makerAlias?: string | undefined;
  readonly bindBody: boolean;
  readonly addresses: readonly string[];
  readonly certificate?: string | undefined;
  readonly expiresAt?: string | undefined;
}

/** What the gateway serves TLS with, in PEM. */
export interface TlsConfig {
  readonly cert: string;
  readonly key: Secret;
  readonly ca?: string | undefined;
}

export interface DeribitCredentials {
  readonly account: string;
  readonly key:
    | { readonly kind: 'deribit'; readonly clientId: Secret; readonly clientSecret: Secret }
    | { readonly kind: 'coinbase'; readonly name: Secret; readonly privateKey: Secret };
}

export interface DeribitVenueConfig extends Omit<DeribitVenueSection, 'credentials'> {
  readonly credentials: readonly DeribitCredentials[];
}

export type VenueConfig = PaperVenueSection | DeribitVenueConfig;

/** How a channel is reached, with its secrets. */
export type NotifyReach =
  | { readonly kind: 'webhook'; readonly url: Secret; readonly secret: Secret }
  | { readonly kind: 'slack'; readonly url: Secret }
  | {
      readonly kind: 'telegram';
      readonly url: string;
      readonly chat: string;
      readonly token: Secret;
    }
  | (Pick<NotifyEmailSection, 'kind' | 'host' | 'port' | 'encryption' | 'from' | 'to'> & {
      readonly login?: { readonly user: string; readonly password: Secret } | undefined;
    });

type NotifyEmailSection = Extract<NotifyChannelSection, { kind: 'email' }>;

export interface NotifyChannelConfig {
  readonly reach: NotifyReach;
  readonly rules: Pick<NotifyChannelSection, 'happenings' | 'digestSec' | 'quietHours'>;
}

export interface NotifyConfig extends Omit<ConfigFile['notify'], 'channels'> {
  readonly channels: Readonly<Record<string, NotifyChannelConfig>>;
}

type WitnessSection = NonNullable<ConfigFile['ledger']['witness']>;

/** Where signed heads of the ledger are kept outside its database, and the key that signs them, in PEM. */
export interface WitnessConfig extends Pick<WitnessSection, 'everyMinutes' | 'place'> {
  readonly key: Secret;
}

/** An S3-compatible object store. */
export interface BucketConfig
  extends Pick<BucketSection, 'endpoint' | 'region' | 'bucket' | 'prefix' | 'accessKeyId'> {
  readonly secretKey: Secret;
}

/** The object store of archived days, and the folder of what was read from it. */
export interface ArchiveBucketConfig
  extends BucketConfig,
    Pick<ArchiveBucketSection, 'cacheFolder' | 'cacheMb'> {}

export interface Config
  extends Omit<ConfigFile, 'keys' | 'venues' | 'redis' | 'database' | 'notify' | 'ledger'> {
  /** The file it was read from. */
  readonly path: string;
  /** No address: an embedded server. */
  readonly redis: { readonly url?: Secret | undefined };
  readonly database: { readonly url?: Secret | undefined; readonly connectionsMax: number };
  readonly venues: Readonly<Record<string, VenueConfig>>;
  readonly keys: readonly KeyConfig[];
  readonly notify: NotifyConfig;
  readonly ledger: Omit<ConfigFile['ledger'], 'witness' | 'archiveBucket'> & {
    readonly witness?: WitnessConfig | undefined;
    readonly archiveBucket?: ArchiveBucketConfig | undefined;
  };
  /** The master secret of stored keys. */
  readonly keysSecret?: Secret | undefined;
  /** Both ends of a link between processes of the deployment have it; absent: what the database holds is enough. */
  readonly linkKey?: Secret | undefined;
  /** Of parts that serve clients over TLS. */
  readonly tls?: TlsConfig | undefined;
  /** The environment variables in which secrets are, by whose they are. */
  readonly secretVariables: Readonly<Record<'clients' | 'engine', readonly string[]>>;
  /** Bearer token for metrics of individual portfolios. */
  readonly metricsToken?: Secret | undefined;
  /** With which a proxy proves that it is the one that signs people in; absent: none does. */
  readonly proxySecret?: Secret | undefined;
}
