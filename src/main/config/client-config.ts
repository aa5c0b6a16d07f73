// What a client of the daemon needs of the configuration: its address, and the keys with their accounts. Read without the
// schema, which costs a short command more than all the rest; whatever is not as usual is left to `load-config.ts`, which
// explains it.

import { readFileSync } from 'node:fs';
import { throwProgrammingError } from '../../values/errors/programming-error.ts';
import { readYaml } from '../yaml-document.ts';
import type { Config, KeyConfig } from './config.ts';
import type { ConfigFile } from './config-schema.ts';
import { METRICS_TOKEN, processEnvironment } from './environment.ts';
import { isDemoPair } from './secrets/demo-keys.ts';
import { Secret } from './secrets/secret.ts';
import { type Fetched, fromFile, fromVariable, isKeySecret } from './secrets/secret-sources.ts';
import { type SecretLocation, secretLocation } from './sections/secret-location.ts';

export interface ClientKey extends Pick<KeyConfig, 'id' | 'accounts' | 'bindBody'> {
  /** `undefined`: this environment lacks it. */
  readonly secret: Secret | undefined;
}

export interface ClientConfig {
  readonly path: string;
  readonly service: { readonly host: string; readonly port: number };
  /** Without it, it serves plain HTTP. */
  readonly gateway?: Pick<Config['gateway'], 'tls'> | undefined;
  /** What the gateway serves TLS with. */
  readonly tls?: Config['tls'];
  readonly keys: readonly ClientKey[];
  readonly metricsToken?: Secret | undefined;
}

const SECTIONS: Readonly<Record<keyof ConfigFile, true>> = {
  service: true,
  redis: true,
  database: true,
  engine: true,
  limits: true,
  controls: true,
  gateway: true,
  venues: true,
  accounts: true,
  keys: true,
  notify: true,
  log: true,
  metrics: true,
  ledger: true,
};
const HOST_DEFAULT = '127.0.0.1';
const PORT_DEFAULT = 8080;
const PORT_MAX = 65_535;

/** `undefined`: the file has faults, or options that only the whole schema can judge. */
export function quickClientConfig(path: string): ClientConfig | undefined {
  const file = documentIn(path);
  if (file === undefined || !Object.keys(file).every((name) => Object.hasOwn(SECTIONS, name))) {
    return undefined;
  }
  const { service = {}, metrics = {}, gateway = {}, keys: entries } = file;
  if (!isBlock(service) || !isBlock(metrics) || !isBlock(gateway) || !Array.isArray(entries)) {
    return undefined;
  }
  if (gateway['tls'] !== undefined || metrics['token'] !== undefined) return undefined;
  if (processEnvironment(METRICS_TOKEN) !== undefined) return undefined;
  const host = processEnvironment('TWAPD_HOST') ?? service['host'] ?? HOST_DEFAULT;
  const port = portOf(processEnvironment('TWAPD_PORT') ?? service['port'] ?? PORT_DEFAULT);
  const keys = entries.flatMap((entry) => keyIn(entry) ?? []);
  const isWhole = keys.length > 0 && keys.length === entries.length;
  const isDistinct = new Set(keys.map(({ id }) => id)).size === keys.length;
  if (typeof host !== 'string' || host === '' || port === undefined) return undefined;
  return isWhole && isDistinct ? { path, service: { host, port }, keys } : undefined;
}

type Block = Readonly<Record<string, unknown>>;

const isBlock = (value: unknown): value is Block =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function documentIn(path: string): Block | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throwProgrammingError(error);
    return undefined;
  }
  const document = readYaml(text, path);
  if (document.kind === 'faulty') return undefined;
  const { value } = document.value;
  return isBlock(value) ? value : undefined;
}

function portOf(written: unknown): number | undefined {
  if (typeof written === 'string' && !/^\d{1,5}$/.test(written)) return undefined;
  const port = Number(written);
  return Number.isInteger(port) && port >= 0 && port <= PORT_MAX ? port : undefined;
}

function keyIn(entry: unknown): ClientKey | undefined {
  if (!isBlock(entry)) return undefined;
  const { id, accounts, bindBody = false } = entry;
  const isUsual =
    typeof id === 'string' &&
    /^[\w.-]{1,64}$/.test(id) &&
    typeof bindBody === 'boolean' &&
    Array.isArray(accounts) &&
    accounts.length > 0 &&
    accounts.every((account) => typeof account === 'string' && /^[1-9]\d{0,14}$/.test(account));
  if (!isUsual) return undefined;
  const secret = secretOf(id, entry);
  return secret === undefined ? undefined : { id, accounts, bindBody, ...secret };
}

/** `undefined`: its source is left to the whole schema, or what it gives is unusable. */
function secretOf(id: string, { secret }: Block): Pick<ClientKey, 'secret'> | undefined {
  if (typeof secret !== 'string' || secret === '') return undefined;
  const location = secretLocation(secret);
  const fetched = fetchedFrom(location);
  if (fetched === undefined) return undefined;
  if (fetched.kind === 'absent') return fetched.unset ? { secret: undefined } : undefined;
  const isAllowed =
    isKeySecret(fetched.text) && (location.kind !== 'plain' || isDemoPair(id, fetched.text));
  return isAllowed ? { secret: new Secret(fetched.text) } : undefined;
}

function fetchedFrom(location: SecretLocation): Fetched | undefined {
  switch (location.kind) {
    case 'plain':
      return { kind: 'fetched', text: location.text };
    case 'variable':
      return fromVariable(location.text, processEnvironment);
    case 'file':
      return fromFile(location.text);
    case 'credential':
    case 'command':
      return undefined;
  }
}
