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

export function fetchSecrets(
  file: ConfigFile,
  { environment, runCommand, without }: Fetching,
): FetchedSecrets {
  const findings: Finding[] = [];
  const unset: Finding[] = [];
  const take = (path: Path, fetched: Fetched, check = noFault): Secret => {
    const message = fetched.kind === 'absent' ? fetched.message : check(fetched.text);
    const found = fetched.kind === 'absent' && fetched.unset ? unset : findings;
    if (message !== undefined) found.push({ path, message });
    return new Secret(fetched.kind === 'fetched' ? fetched.text : '');
  };
  const source = (path: Path, entry: object, stem: string): readonly [Path, Fetched] => {
    const plain: unknown = Reflect.get(entry, stem);
    if (typeof plain === 'string') return [[...path, stem], { kind: 'fetched', text: plain }];
    return named(path, entry, stem) ?? [[...path, `${stem}File`], fromFile('')];
  };
  /** What the entry names as the place of the secret; `undefined` if it names none. */
  const named = (path: Path, entry: object, stem: string): readonly [Path, Fetched] | undefined => {
    const of = entry as Readonly<Record<string, string | readonly string[] | undefined>>;
    for (const [kind, fetch] of Object.entries(SOURCES)) {
      const given = of[`${stem}${kind}`];
      if (given === undefined) continue;
      const at = [...path, `${stem}${kind}`];
      return [at, fetch(given, at)];
    }
    return undefined;
  };
  const SOURCES: Readonly<
    Record<string, (given: string | readonly string[], at: Path) => Fetched>
  > = {
    Env: (variable) => fromVariable(String(variable), environment),
    File: (path) => fromFile(String(path)),
    Command: (words, at) => runCommand(typeof words === 'string' ? [words] : words, at),
    Credential: (name) => fromCredential(String(name), environment),
  };
  const keys = file.keys.map((entry, index) => {
    const {
      secret: _plain,
      secretEnv: _env,
      secretFile: _file,
      secretCommand: _command,
      secretCredential: _credential,
      ...key
    } = entry;
    if (without === 'clients') return { ...key, secret: NO_SECRET };
    return { ...key, secret: take(...source(['keys', index], entry, 'secret'), keyFault) };
  });
  const deribit = (
    path: Path,
    entry: DeribitCredentialsSection,
    environment: DeribitVenueSection['environment'],
  ): DeribitCredentials => {
    const part = (stem: string, check = noFault): Secret =>
      without === 'engine' ? NO_SECRET : take(...source(path, entry, stem), check);
    const { account } = entry;
    if (environment !== 'coinbase') {
      const key = { clientId: part('clientId'), clientSecret: part('clientSecret') };
      return { account, key: { kind: 'deribit', ...key } };
    }
    const privateKey = part('privateKey', privateKeyFault).map(withLineEnds);
    return { account, key: { kind: 'coinbase', name: part('keyName'), privateKey } };
  };
  const venues = Object.entries(file.venues).map(([name, venue]): [string, VenueConfig] => {
    if (venue.kind === 'paper') return [name, venue];
    const path = ['venues', name, 'credentials'];
    const each = venue.credentials.map((entry, index) =>
      deribit([...path, index], entry, venue.environment),
    );
    return [name, { ...venue, credentials: each }];
  });
  const reach = (path: Path, entry: NotifyChannelSection): NotifyReach => {
    const part = (stem: string, check = noFault): Secret =>
      without === 'engine' ? NO_SECRET : take(...source(path, entry, stem), check);
    const url = (): Secret => part('url', (text) => noticeUrlFault(text, entry));
    switch (entry.kind) {
      case 'webhook':
        return { kind: entry.kind, url: url(), secret: part('secret', signingFault) };
      case 'slack':
        return { kind: entry.kind, url: url() };
      case 'telegram':
        return { kind: entry.kind, url: entry.apiUrl, chat: entry.chat, token: part('token') };
      case 'email': {
        const { kind, host, port, encryption, from, to, user } = entry;
        const login = user === undefined ? undefined : { user, password: part('password') };
        return { kind, host, port, encryption, from, to, login };
      }
    }
  };
  const channels = Object.entries(file.notify.channels).map(([name, rules]) => [
    name,
    { rules, reach: reach(['notify', 'channels', name], rules) },
  ]);
  const store = (section: 'redis' | 'database'): Secret | undefined => {
    const { variable, check } = STORES[section];
    const override = environment(variable) ?? file[section].url;
    if (override !== undefined) return new Secret(override);
    const found = named([section], file[section], 'url');
    return found && take(...found, check);
  };
  const variableOr = (
    variable: string,
    path: Path,
    entry: object,
    stem: string,
  ): readonly [Path, Fetched] | undefined => {
    const text = environment(variable);
    return text === undefined
      ? named(path, entry, stem)
      : [[...path, `${stem}File`], { kind: 'fetched', text }];
  };
  /** The engine derives the key of links from the master secret, and keeps the key alone. */
  const sealing = (): Pick<FetchedSecrets, 'keysSecret' | 'linkKey'> => {
    const isEngine = without === 'clients';
    const given = variableOr(LINK_KEY, ['service', 'link'], file.service.link, 'key');
    const linkKey = given && take(...given, linkKeyFault);
    if (isEngine && linkKey !== undefined) return { keysSecret: undefined, linkKey };
    const from = variableOr(KEYS_SECRET, ['gateway'], file.gateway, 'keysSecret');
    if (from === undefined) return { keysSecret: undefined, linkKey };
    const [path, fetched] = from;
    const master = take(path, isEngine ? orLinkKey(fetched) : fetched, masterFault);
    const derived = master.reveal() === '' ? undefined : master.map(linkKeyOf);
    return { keysSecret: isEngine ? undefined : master, linkKey: linkKey ?? derived };
  };
  const witnessed = (): WitnessConfig | undefined => {
    const section = file.ledger.witness;
    if (section === undefined) return undefined;
    const path = ['ledger', 'witness'];
    const part = (at: Path, entry: object, stem: string, check = noFault): Secret =>
      without === 'engine' ? NO_SECRET : take(...source(at, entry, stem), check);
    const { everyMinutes, file: to, webhook, bucket } = section;
    const key = part(path, section, 'key', witnessKeyFault).map(withLineEnds);
    return {
      everyMinutes,
      key,
      file: to,
      webhook,
      bucket: bucket && {
        ...bucket,
        secretKey: part([...path, 'bucket'], bucket, 'secretKey'),
      },
    };
  };
  /** Archived days are read for clients. */
  const archived = (): ArchiveBucketConfig | undefined => {
    const section = file.ledger.archiveBucket;
    if (section === undefined) return undefined;
    if (without === 'clients') return { ...section, secretKey: NO_SECRET };
    const secretKey = take(...source(['ledger', 'archiveBucket'], section, 'secretKey'));
    return { ...section, secretKey };
  };
  const { proxySignIn } = file.gateway.page;
  const tokenFrom =
    without === 'clients'
      ? undefined
      : variableOr(METRICS_TOKEN, ['metrics'], file.metrics, 'token');
  return {
    keys,
    metricsToken: tokenFrom && take(...tokenFrom, tokenFault),
    ...sealing(),
    proxySecret:
      proxySignIn === undefined || without === 'clients'
        ? undefined
        : take(...source(['gateway', 'page', 'proxySignIn'], proxySignIn, 'secret'), signingFault),
    tls:
      file.gateway.tls === undefined || without === 'clients'
        ? undefined
        : readCertificates(file.gateway.tls, environment, { findings, unset }),
    venues: Object.fromEntries(venues),
    notify: { ...file.notify, channels: Object.fromEntries(channels) },
    witness: witnessed(),
    archiveBucket: archived(),
    redis: { url: store('redis') },
    database: { url: store('database'), connectionsMax: file.database.connectionsMax },
    findings,
    unset,
  };
}

const NO_SECRET = new Secret('');

/** The variables that hold secrets, by whose they are; one that both use is in neither list. */
export function secretVariables(
  file: Pick<ConfigFile, 'keys' | 'venues' | 'notify' | 'ledger' | 'gateway'>,
): Readonly<Record<SecretsOf, readonly string[]>> {
  const named = (entry: object): readonly string[] =>
    Object.entries(entry).flatMap(([field, value]) =>
      field.endsWith('Env') && typeof value === 'string' ? [value] : [],
    );
  const venues = Object.values(file.venues).flatMap((venue) =>
    venue.kind === 'deribit' ? venue.credentials.flatMap(named) : [],
  );
  const { witness, archiveBucket = {} } = file.ledger;
  const ofWitness = [witness, witness?.bucket].flatMap((entry) => named(entry ?? {}));
  const notices = Object.values(file.notify.channels).flatMap(named);
  const engine = [...venues, ...notices, ...ofWitness];
  const ofProxy = named(file.gateway.page.proxySignIn ?? {});
  const ofKeys = [...file.keys, archiveBucket].flatMap(named);
  const clients = [...ofKeys, ...ofProxy, KEYS_SECRET, METRICS_TOKEN];
  const ofEngine = new Set(engine);
  const ofClients = new Set(clients);
  return {
    clients: clients.filter((one) => !ofEngine.has(one)),
    engine: engine.filter((one) => !ofClients.has(one)),
  };
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
