// Fetches every secret a configuration names and wraps it immediately.
import { createPrivateKey } from 'node:crypto';
import { linkKeyOf } from '../../../adapters/engine-link/link-secret.ts';
import { looksRandom, masterFault } from '../../../gateway/auth/key-seal.ts';
import type {
  ArchiveBucketConfig,
  DeribitCredentials,
  KeyConfig,
  NotifyConfig,
  NotifyReach,
  TlsConfig,
  VenueConfig,
  WitnessConfig,
} from '../config.ts';
import type { ConfigFile } from '../config-schema.ts';
import { type Environment, KEYS_SECRET, LINK_KEY, METRICS_TOKEN } from '../environment.ts';
import type { Finding } from '../finding.ts';
import type {
  DeribitCredentialsSection,
  DeribitVenueSection,
} from '../sections/deribit-section.ts';
import type { NotifyChannelSection } from '../sections/notify-section.ts';
import { secretLocation } from '../sections/secret-location.ts';
import { DATABASE_URL, REDIS_URL, urlFault } from '../sections/stores-section.ts';
import { noticeUrlFault } from './notice-address.ts';
import { readCertificates } from './read-certificates.ts';
import { Secret } from './secret.ts';
import type { RunCommand } from './secret-command.ts';
import {
  absent,
  type Fetched,
  fromCredential,
  fromFile,
  fromVariable,
  isKeySecret,
} from './secret-sources.ts';

export interface FetchedSecrets {
  /** Secrets that were read but are unusable. */
  readonly findings: readonly Finding[];
  /** Secrets whose source is unset; they are empty here too. */
  readonly unset: readonly Finding[];
  readonly keys: readonly KeyConfig[];
  readonly keysSecret: Secret | undefined;
  readonly linkKey: Secret | undefined;
  readonly metricsToken: Secret | undefined;
  readonly proxySecret: Secret | undefined;
  readonly tls: TlsConfig | undefined;
  readonly venues: Readonly<Record<string, VenueConfig>>;
  readonly notify: NotifyConfig;
  readonly witness: WitnessConfig | undefined;
  readonly archiveBucket: ArchiveBucketConfig | undefined;
  readonly redis: { readonly url?: Secret | undefined };
  readonly database: { readonly url?: Secret | undefined; readonly connectionsMax: number };
}

type Path = readonly (string | number)[];

/** Whose secrets: those with which clients sign, or the engine's, for accounts at venues and for channels that notify people. */
export type SecretsOf = 'clients' | 'engine';

export interface Fetching {
  readonly environment: Environment;
  readonly runCommand: RunCommand;
  /** Secrets that are not fetched and are empty in the result. */
  readonly without?: SecretsOf | undefined;
}

/** Fetches in the order of the result, so that findings stand in the same order each time. */
export function fetchSecrets(file: ConfigFile, fetching: Fetching): FetchedSecrets {
  const found = new SecretFetch(file, fetching);
  return {
    keys: found.keys(),
    venues: found.venues(),
    notify: found.notify(),
    metricsToken: found.metricsToken(),
    ...found.sealing(),
    proxySecret: found.proxySecret(),
    tls: found.tls(),
    witness: found.witness(),
    archiveBucket: found.archiveBucket(),
    redis: { url: found.store('redis') },
    database: { url: found.store('database'), connectionsMax: file.database.connectionsMax },
    findings: found.findings,
    unset: found.unset,
  };
}

class SecretFetch {
  readonly findings: Finding[] = [];
  readonly unset: Finding[] = [];
  readonly #file: ConfigFile;
  readonly #environment: Environment;
  readonly #runCommand: RunCommand;
  readonly #without: SecretsOf | undefined;

  constructor(file: ConfigFile, { environment, runCommand, without }: Fetching) {
    this.#file = file;
    this.#environment = environment;
    this.#runCommand = runCommand;
    this.#without = without;
  }

  keys(): readonly KeyConfig[] {
    return this.#file.keys.map((entry, index) => {
      if (this.#without === 'clients') return { ...entry, secret: NO_SECRET };
      const secret = this.#read(['keys', index, 'secret'], entry.secret, keyFault);
      return { ...entry, secret };
    });
  }

  venues(): Readonly<Record<string, VenueConfig>> {
    const venues = Object.entries(this.#file.venues).map(([name, venue]): [string, VenueConfig] => {
      if (venue.kind === 'paper') return [name, venue];
      const path = ['venues', name, 'credentials'];
      const each = venue.credentials.map((entry, index) =>
        this.#deribit([...path, index], entry, venue.environment),
      );
      return [name, { ...venue, credentials: each }];
    });
    return Object.fromEntries(venues);
  }

  #deribit(
    path: Path,
    entry: DeribitCredentialsSection,
    environment: DeribitVenueSection['environment'],
  ): DeribitCredentials {
    const { account } = entry;
    const part = (field: 'clientId' | 'clientSecret', check = noFault): Secret =>
      this.#ofEngine([...path, field], entry[field], check);
    if (environment !== 'coinbase') {
      const key = { clientId: part('clientId'), clientSecret: part('clientSecret', ownKeyFault) };
      return { account, key: { kind: 'deribit', ...key } };
    }
    const privateKey = part('clientSecret', privateKeyFault);
    const name = part('clientId');
    return { account, key: { kind: 'coinbase', name, privateKey: privateKey.map(withLineEnds) } };
  }

  notify(): NotifyConfig {
    const { notify } = this.#file;
    const channels = Object.entries(notify.channels).map(([name, rules]) => [
      name,
      { rules, reach: this.#reach(['notify', 'channels', name], rules) },
    ]);
    return { ...notify, channels: Object.fromEntries(channels) };
  }

  #reach(path: Path, entry: NotifyChannelSection): NotifyReach {
    const urlOf = (url: Written): Secret =>
      this.#ofEngine([...path, 'url'], url, (text) => noticeUrlFault(text, this.#file.notify));
    switch (entry.kind) {
      case 'webhook': {
        const url = urlOf(entry.url);
        const secret = this.#ofEngine([...path, 'secret'], entry.secret, signingFault);
        return { kind: entry.kind, url, secret };
      }
      case 'slack':
        return { kind: entry.kind, url: urlOf(entry.url) };
      case 'telegram': {
        const token = this.#ofEngine([...path, 'token'], entry.token);
        return { kind: entry.kind, url: entry.apiUrl, chat: entry.chat, token };
      }
      case 'email': {
        const { kind, host, port, encryption, from, to, user, password } = entry;
        const login =
          user === undefined || password === undefined
            ? undefined
            : { user, password: this.#ofEngine([...path, 'password'], password) };
        return { kind, host, port, encryption, from, to, login };
      }
    }
  }

  metricsToken(): Secret | undefined {
    if (this.#without === 'clients') return undefined;
    const path = ['metrics', 'token'];
    const fetched = this.#variableOr(METRICS_TOKEN, path, this.#file.metrics.token);
    return fetched && this.#take(path, fetched, tokenFault);
  }

  /** The engine derives the key of links from the master secret, and keeps the key alone. */
  sealing(): Pick<FetchedSecrets, 'keysSecret' | 'linkKey'> {
    const { service, gateway } = this.#file;
    const isEngine = this.#without === 'clients';
    const linkPath = ['service', 'link', 'key'];
    const given = this.#variableOr(LINK_KEY, linkPath, service.link.key);
    const linkKey = given && this.#take(linkPath, given, linkKeyFault);
    if (isEngine && linkKey !== undefined) return { keysSecret: undefined, linkKey };
    const path = ['gateway', 'keysSecret'];
    const fetched = this.#variableOr(KEYS_SECRET, path, gateway.keysSecret);
    if (fetched === undefined) return { keysSecret: undefined, linkKey };
    const master = this.#take(path, isEngine ? orLinkKey(fetched) : fetched, masterFault);
    const derived = master.reveal() === '' ? undefined : master.map(linkKeyOf);
    return { keysSecret: isEngine ? undefined : master, linkKey: linkKey ?? derived };
  }

  proxySecret(): Secret | undefined {
    const { proxySignIn } = this.#file.gateway.page;
    if (proxySignIn === undefined || this.#without === 'clients') return undefined;
    return this.#read(
      ['gateway', 'page', 'proxySignIn', 'secret'],
      proxySignIn.secret,
      signingFault,
    );
  }

  tls(): TlsConfig | undefined {
    const { tls } = this.#file.gateway;
    if (tls === undefined || this.#without === 'clients') return undefined;
    return readCertificates(tls, this.#environment, this);
  }

  witness(): WitnessConfig | undefined {
    const section = this.#file.ledger.witness;
    if (section === undefined) return undefined;
    const { everyMinutes, place } = section;
    const path = ['ledger', 'witness', 'key'];
    const key = this.#ofEngine(path, section.key, witnessKeyFault).map(withLineEnds);
    return { everyMinutes, key, place };
  }

  /** Archived days are read for clients. */
  archiveBucket(): ArchiveBucketConfig | undefined {
    const section = this.#file.ledger.archiveBucket;
    if (section === undefined) return undefined;
    if (this.#without === 'clients') return { ...section, secretKey: NO_SECRET };
    const path = ['ledger', 'archiveBucket', 'secretKey'];
    return { ...section, secretKey: this.#read(path, section.secretKey) };
  }

  store(section: 'redis' | 'database'): Secret | undefined {
    const { variable, check } = STORES[section];
    const override = this.#environment(variable);
    if (override !== undefined) return new Secret(override);
    const { url } = this.#file[section];
    return url === undefined ? undefined : this.#read([section, 'url'], url, check);
  }

  #ofEngine(path: Path, written: Written, check = noFault): Secret {
    return this.#without === 'engine' ? NO_SECRET : this.#read(path, written, check);
  }

  #read(path: Path, written: Written, check = noFault): Secret {
    return this.#take(path, this.#fetched(path, written), check);
  }

  #take(path: Path, fetched: Fetched, check = noFault): Secret {
    const message = fetched.kind === 'absent' ? fetched.message : check(fetched.text);
    const found = fetched.kind === 'absent' && fetched.unset ? this.unset : this.findings;
    if (message !== undefined) found.push({ path, message });
    return new Secret(fetched.kind === 'fetched' ? fetched.text : '');
  }

  /** `undefined`: neither the variable nor the option is set. */
  #variableOr(variable: string, path: Path, written: Written | undefined): Fetched | undefined {
    const text = this.#environment(variable);
    if (text !== undefined) return { kind: 'fetched', text };
    return written === undefined ? undefined : this.#fetched(path, written);
  }

  #fetched(path: Path, written: Written): Fetched {
    const location = secretLocation(written);
    switch (location.kind) {
      case 'plain':
        return { kind: 'fetched', text: location.text };
      case 'variable':
        return fromVariable(location.text, this.#environment);
      case 'file':
        return fromFile(location.text);
      case 'credential':
        return fromCredential(location.text, this.#environment);
      case 'command':
        return this.#runCommand(location.words, path);
    }
  }
}

type Written = string | readonly string[];

const NO_SECRET = new Secret('');

/** The variables that hold secrets, by whose they are; one that both use is in neither list. */
export function secretVariables(
  file: Pick<ConfigFile, 'keys' | 'venues' | 'notify' | 'ledger' | 'gateway' | 'metrics'>,
): Readonly<Record<SecretsOf, readonly string[]>> {
  const venues = Object.values(file.venues).flatMap((venue) =>
    venue.kind === 'deribit'
      ? venue.credentials.flatMap(({ clientId, clientSecret }) => [clientId, clientSecret])
      : [],
  );
  const { witness, archiveBucket } = file.ledger;
  const notices = Object.values(file.notify.channels).flatMap(noticeSecrets);
  const engine = [...venues, ...notices, witness?.key].flatMap(variableIn);
  const ofKeys = file.keys.map(({ secret }) => secret);
  const { keysSecret, page } = file.gateway;
  const more = [archiveBucket?.secretKey, page.proxySignIn?.secret, keysSecret, file.metrics.token];
  const clients = [...[...ofKeys, ...more].flatMap(variableIn), KEYS_SECRET, METRICS_TOKEN];
  const ofEngine = new Set(engine);
  const ofClients = new Set(clients);
  return {
    clients: clients.filter((one) => !ofEngine.has(one)),
    engine: engine.filter((one) => !ofClients.has(one)),
  };
}

function noticeSecrets(channel: NotifyChannelSection): readonly (Written | undefined)[] {
  switch (channel.kind) {
    case 'webhook':
      return [channel.url, channel.secret];
    case 'slack':
      return [channel.url];
    case 'telegram':
      return [channel.token];
    case 'email':
      return [channel.password];
  }
}

function variableIn(written: Written | undefined): readonly string[] {
  const location = written === undefined ? undefined : secretLocation(written);
  return location?.kind === 'variable' ? [location.text] : [];
}

const noFault = (_text: string): string | undefined => undefined;

const keyFault = (text: string): string | undefined =>
  isKeySecret(text)
    ? undefined
    : 'gives no usable secret; accepted: canonical base64 of at least 16 random bytes, for example of: openssl rand -base64 32';

const linkKeyFault = (text: string): string | undefined =>
  masterFault(text) === undefined
    ? undefined
    : 'gives no usable key; accepted: canonical base64 of at least 32 random bytes, for example of: openssl rand -base64 32';

/** What an engine that lacks the master secret may have instead. */
const orLinkKey = (fetched: Fetched): Fetched =>
  fetched.kind === 'fetched'
    ? fetched
    : absent(`${fetched.message}, or ${LINK_KEY} for an engine without it`, fetched.unset);

const SIGNING_LENGTH_MIN = 16;

const signingFault = (text: string): string | undefined =>
  text.length >= SIGNING_LENGTH_MIN && looksRandom(Buffer.from(text))
    ? undefined
    : 'gives no usable secret; accepted: at least 16 random characters, for example of: openssl rand -hex 32';

/** A variable may carry the lines of a key with `\n` between them. */
const withLineEnds = (text: string): string => text.replaceAll('\\n', '\n');

const PRIVATE_KEY_ACCEPTED = 'gives no usable private key; accepted: EC (P-256) or Ed25519, in PEM';

const ownKeyFault = (text: string): string | undefined =>
  /^-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text)
    ? 'is the private key of a Coinbase key; accepted: with environment: coinbase'
    : undefined;

function privateKeyFault(text: string): string | undefined {
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = createPrivateKey(withLineEnds(text));
    const isUsable =
      asymmetricKeyType === 'ed25519' || asymmetricKeyDetails?.namedCurve === 'prime256v1';
    return isUsable ? undefined : PRIVATE_KEY_ACCEPTED;
  } catch {
    // Unexamined: what OpenSSL says about a text that is no key may quote it.
    return PRIVATE_KEY_ACCEPTED;
  }
}

function witnessKeyFault(text: string): string | undefined {
  const accepted =
    'gives no usable key; accepted: an Ed25519 private key in PEM, as of: twapd ledger key';
  try {
    const { asymmetricKeyType } = createPrivateKey(withLineEnds(text));
    return asymmetricKeyType === 'ed25519' ? undefined : accepted;
  } catch {
    // Unexamined: what OpenSSL says about a text that is no key may quote it.
    return accepted;
  }
}

const TOKEN = /^[\w.~+/=-]{16,512}$/;

const tokenFault = (text: string): string | undefined =>
  TOKEN.test(text) && looksRandom(Buffer.from(text))
    ? undefined
    : 'gives no usable token; accepted: 16 to 512 letters and digits, for example of: openssl rand -hex 24';

const STORES = {
  redis: {
    variable: 'REDIS_URL',
    check: (text: string) => urlFault(text, REDIS_URL.protocols, REDIS_URL.example),
  },
  database: {
    variable: 'DATABASE_URL',
    check: (text: string) => urlFault(text, DATABASE_URL.protocols, DATABASE_URL.example),
  },
} as const;
