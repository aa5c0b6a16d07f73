// Connects commands to the daemon: address and key come from the options or the configuration, and every
// reply either carries a value or ends the command.

import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import {
  type Client,
  type ClientOptions,
  type ClientTls,
  connect,
  type Result,
} from '../../gateway/client/client.ts';
import { assert } from '../../values/assert.ts';
import { throwProgrammingError } from '../../values/errors/programming-error.ts';
import { printable, printableData } from '../../values/printable.ts';
import { CommandFailure } from '../command-failure.ts';
import { type ClientConfig, type ClientKey, quickClientConfig } from '../config/client-config.ts';
import type { KeyConfig } from '../config/config.ts';
import { processEnvironment } from '../config/environment.ts';
import type { LoadOptions } from '../config/load-config.ts';
import { type Fault, faultText } from '../fault.ts';
import { configOption, fromCaller } from './caller-path.ts';
import type { FileSubmission } from './submission-file.ts';

export interface ConnectionOptions {
  readonly config: string;
  readonly url?: string;
  readonly key?: string;
  readonly ca?: string;
  readonly cert?: string;
  readonly certKey?: string;
  readonly json?: boolean;
}

export interface Daemon {
  /** Its replies are printable, except with --json, which passes them through unchanged. */
  readonly client: Client;
  readonly url: string;
  /** For clients of the daemon's other interfaces. */
  readonly access: ClientOptions;
  /** For its metrics of individual portfolios. */
  readonly metricsToken?: string | undefined;
  /** Accounts of the key. */
  readonly accounts: readonly string[];
}

const DEMO_KEY = 'demo-taker';

export const withConnection = (command: Command): Command =>
  withTls(
    command
      .option(...configOption)
      .option('-u, --url <address>', 'address of the daemon (default: host and port of the config)')
      .option(
        '-k, --key <id>',
        'key to sign with, from the config (default: demo-taker, or the first)',
      )
      .hook('preAction', (_, action) => prepareConfig(action.opts<ConnectionOptions>())),
  );

/** The options that {@link tlsOf} reads. */
export const withTls = (command: Command): Command =>
  command
    .option('--ca <file>', 'authorities that the certificate of the daemon is of; or TWAPD_CA')
    .option('--cert <file>', 'certificate of this client, with --cert-key; or TWAPD_CERT')
    .option('--cert-key <file>', 'its private key; or TWAPD_CERT_KEY');

/** By the paths under which commands name them. */
const prepared = new Map<string, ClientConfig | CommandFailure>();

/** Reads the configuration before the command runs; what is wrong with it ends a command that needs it. */
async function prepareConfig({ config, key }: ConnectionOptions): Promise<void> {
  const at = fromCaller(config);
  prepared.set(config, quickClientConfig(at) ?? (await wholeConfig(at, key)));
}

/** Reads it by the schema, which is loaded only here. */
async function wholeConfig(
  path: string,
  wanted: string | undefined,
): Promise<ClientConfig | CommandFailure> {
  const { loadConfig } = await import('../config/load-config.ts');
  const { runNoCommand, runSecretCommand } = await import('../config/secrets/secret-command.ts');
  const read = (options: LoadOptions) => loadConfig(path, options);
  const named = read({ onUnset: () => undefined, runCommand: runNoCommand });
  if (named.kind === 'faulty') return refusal(named.faults);
  const used = named.value.keys.indexOf(chosenKey(named.value, wanted) as KeyConfig);
  const unset = new Set<string>();
  // Of commands that print secrets only those are run whose secrets this command uses.
  const isUsed = ([section, at]: readonly (string | number)[]): boolean =>
    section === 'metrics' || (section === 'keys' && at === used);
  const reading = read({
    onUnset: ({ field }) => unset.add(field),
    runCommand: (words, at) => (isUsed(at) ? runSecretCommand : runNoCommand)(words, at),
  });
  if (reading.kind === 'faulty') return refusal(reading.faults);
  const isUnset = (at: number): boolean =>
    [...unset].some((field) => field.startsWith(`keys[${at}].`));
  const keys = reading.value.keys.map((key, at) => ({
    ...key,
    secret: isUnset(at) ? undefined : key.secret,
  }));
  return { ...reading.value, keys };
}

const refusal = (faults: readonly Fault[]): CommandFailure =>
  new CommandFailure('refused', faults.map(faultText));

export function reachDaemon(options: ConnectionOptions): Daemon {
  const config = prepared.get(options.config);
  assert(config !== undefined, 'a command with a connection prepares its configuration');
  if (config instanceof CommandFailure) throw config;
  const key = chosenKey(config, options.key);
  const url = (options.url ?? urlOf(config)).replace(/\/+$/, '');
  const daemon = daemonAt(url, { config, key, tls: tlsOf(options, config) });
  return options.json ? daemon : { ...daemon, client: printableClient(daemon.client) };
}

/**
 * The daemon on the port that it has, for the process that runs it with this configuration; `undefined`: there is no key to
 * sign with.
 */
export function ownDaemon(config: ClientConfig, port: number): Daemon | undefined {
  if (config.keys.length === 0) return undefined;
  const { host } = config.service;
  const url = urlOf({ service: { host, port }, gateway: config.gateway });
  return daemonAt(url, { config, key: chosenKey(config, undefined), tls: tlsOf({}, config) });
}

interface DaemonParts {
  readonly config: ClientConfig;
  readonly key: ClientKey;
  readonly tls: ClientTls | undefined;
}

function daemonAt(url: string, { config, key, tls }: DaemonParts): Daemon {
  const { id: keyId, secret, bindBody, accounts } = key;
  if (secret === undefined) {
    throw new CommandFailure('refused', [
      `the secret of key ${keyId} is not set in this environment; see ${config.path}`,
    ]);
  }
  const access = { baseUrl: url, tls, keyId, secret: secret.reveal(), bindBody };
  const metricsToken = config.metricsToken?.reveal();
  return { client: connect(access), access, url, accounts, metricsToken };
}

function chosenKey(config: ClientConfig, wanted: string | undefined): ClientKey {
  const key =
    config.keys.find((one) => one.id === (wanted ?? DEMO_KEY)) ??
    (wanted === undefined ? config.keys[0] : undefined);
  if (key !== undefined) return key;
  const known = config.keys.map((one) => one.id).join(', ');
  throw new CommandFailure('usage', [
    `--key ${wanted}: no such key in ${config.path}; accepted: ${known}`,
  ]);
}

/**
 * How the daemon is trusted: by the authorities that are named, otherwise by Node's, or because it has the very certificate that
 * the configuration gives it.
 *
 * @throws CommandFailure for a file that cannot be read, or half of a certificate with its key
 */
export function tlsOf(
  options: Pick<ConnectionOptions, 'ca' | 'cert' | 'certKey'>,
  { tls }: Pick<ClientConfig, 'tls'>,
): ClientTls | undefined {
  const ca = pemOf(options.ca ?? processEnvironment('TWAPD_CA'), '--ca');
  const cert = pemOf(options.cert ?? processEnvironment('TWAPD_CERT'), '--cert');
  const key = pemOf(options.certKey ?? processEnvironment('TWAPD_CERT_KEY'), '--cert-key');
  if ((cert === undefined) !== (key === undefined)) {
    throw new CommandFailure('usage', [
      '--cert and --cert-key belong together; accepted: both, or neither',
    ]);
  }
  const known = tls?.cert;
  const isAnyGiven = [ca, cert, known].some((one) => one !== undefined);
  return isAnyGiven ? { ca, cert, key, known } : undefined;
}

function pemOf(path: string | undefined, option: string): string | undefined {
  if (path === undefined) return undefined;
  try {
    return readFileSync(fromCaller(path), 'utf8');
  } catch (error) {
    throwProgrammingError(error);
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandFailure('usage', [
      `${option}: ${path} cannot be read (${code}); accepted: a file in PEM`,
    ]);
  }
}

export function urlOf({ service, gateway }: Pick<ClientConfig, 'service' | 'gateway'>): string {
  const host = service.host === '0.0.0.0' || service.host === '::' ? '127.0.0.1' : service.host;
  const scheme = gateway?.tls === undefined ? 'http' : 'https';
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${service.port}`;
}

/** Seconds after which a request refused by the rate limit may be sent again; `undefined` for other replies. */
export function rateLimitedSec<T>(result: Result<T>): number | undefined {
  if (result.kind !== 'refused' || result.status !== 429) return undefined;
  return result.retryAfterSec ?? 1;
}

export const rateLimitedText = (seconds: number): string =>
  `rate limited by the daemon; retrying in ${seconds} s`;

/**
 * Returns the value of a reply; anything else ends the command and prints every reason, with its place in the file that
 * was sent.
 */
export function valueOrFail<T>(result: Result<T>, faultOf?: FileSubmission['faultOf']): T {
  switch (result.kind) {
    case 'done':
      return result.value;
    case 'refused': {
      const lines = result.errors.map(({ field, message }) => {
        if (faultOf !== undefined) return faultText(faultOf(field, message));
        return field === '' ? message : `${field}: ${message}`;
      });
      const told = lines.length > 0 ? lines : [result.message];
      throw new CommandFailure('refused', [
        `refused (code ${result.code})`,
        ...told.map((line) => `  ${printable(line)}`),
      ]);
    }
    case 'unreachable':
      throw notReached(result.message);
  }
}

/** Ends a command whose daemon gave no answer. */
export const notReached = (reason: string): CommandFailure =>
  new CommandFailure('unreachable', [
    `the daemon does not answer: ${printable(reason)}`,
    'is it running? start it with: npm start',
  ]);

/** Returns the same client; its values are copies with every string made printable. */
const printableClient = (client: Client): Client =>
  new Proxy(client, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return (...words: readonly unknown[]) => shown(member.apply(target, words) as Given);
    },
  });

type Given = Promise<unknown> | AsyncGenerator<unknown, void>;

const shown = (given: Given): Given =>
  given instanceof Promise ? given.then(printableData) : shownItems(given);

async function* shownItems(items: AsyncGenerator<unknown, void>): AsyncGenerator<unknown, void> {
  for await (const item of items) yield printableData(item);
}
