// The environment variables that override the file, and those that hold secrets. No other module reads them.
import process from 'node:process';

/** A variable that takes precedence over an option of the configuration file. */
export interface Override {
  readonly variable: string;
  readonly path: readonly [section: string, option: string];
  readonly isNumber: boolean;
}

/** Holds the master secret of stored keys, as an alternative to a file. */
export const KEYS_SECRET = 'TWAPD_KEYS_SECRET';

/** Holds the key of links, as an alternative to a file; the supervisor gives it to both parts. */
export const LINK_KEY = 'TWAPD_LINK_KEY';

/** Holds the bearer token for metrics of individual portfolios, as an alternative to a file. */
export const METRICS_TOKEN = 'TWAPD_METRICS_TOKEN';

/** The folder in which systemd gives a service its credentials. */
export const CREDENTIALS_DIRECTORY = 'CREDENTIALS_DIRECTORY';

/** Where the parts on other machines reach this engine: it differs from one to the next under the same file. */
export const LINK_ADDRESS = 'TWAPD_LINK_ADDRESS';

/** Overrides of the daemon. */
export const OVERRIDES: readonly Override[] = [
  { variable: 'TWAPD_HOST', path: ['service', 'host'], isNumber: false },
  { variable: 'TWAPD_PORT', path: ['service', 'port'], isNumber: true },
  { variable: 'TWAPD_DATA_DIR', path: ['service', 'dataDir'], isNumber: false },
  { variable: LINK_ADDRESS, path: ['service', 'link.address'], isNumber: false },
  { variable: LINK_KEY, path: ['service', 'link.key'], isNumber: false },
  { variable: 'REDIS_URL', path: ['redis', 'url'], isNumber: false },
  { variable: 'DATABASE_URL', path: ['database', 'url'], isNumber: false },
  { variable: METRICS_TOKEN, path: ['metrics', 'token'], isNumber: false },
  { variable: KEYS_SECRET, path: ['gateway', 'keysSecret'], isNumber: false },
];

/** Overrides of a stand-alone exchange, which may run alongside a daemon in the same environment. */
export const EXCHANGE_OVERRIDES: readonly Override[] = [
  { variable: 'TWAPD_EXCHANGE_HOST', path: ['service', 'host'], isNumber: false },
  { variable: 'TWAPD_EXCHANGE_PORT', path: ['service', 'port'], isNumber: true },
  { variable: 'TWAPD_EXCHANGE_DATA_DIR', path: ['service', 'dataDir'], isNumber: false },
];

/** Looks up a variable; an empty one counts as absent. */
export type Environment = (variable: string) => string | undefined;

export const processEnvironment: Environment = (variable) => {
  const text = process.env[variable];
  return text === undefined || text === '' ? undefined : text;
};
