// Connects commands to the daemon: address and key come from the options or the configuration, and every
// reply either carries a value or ends the command.
import type { Command } from 'commander';
import {
  type Client,
  type ClientOptions,
  connect,
  type Result,
} from '../../gateway/client/client.ts';
import { assert } from '../../values/assert.ts';
import { printable, printableData } from '../../values/printable.ts';
import { CommandFailure } from '../command-failure.ts';
import { type ClientConfig, type ClientKey, quickClientConfig } from '../config/client-config.ts';
import { faultText } from '../fault.ts';
import { configOption, fromCaller } from './caller-path.ts';
import type { FileSubmission } from './submission-file.ts';

export interface ConnectionOptions {
  readonly config: string;
  readonly url?: string;
  readonly key?: string;
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
  command
    .option(...configOption)
    .option('-u, --url <address>', 'address of the daemon (default: host and port of the config)')
    .option(
      '-k, --key <id>',
      'key to sign with, from the config (default: demo-taker, or the first)',
    )
    .hook('preAction', (_, action) => prepareConfig(action.opts<ConnectionOptions>().config));

/** By the paths under which commands name them. */
const prepared = new Map<string, ClientConfig | CommandFailure>();

/** Reads the configuration before the command runs; what is wrong with it ends a command that needs it. */
async function prepareConfig(path: string): Promise<void> {
  const at = fromCaller(path);
  prepared.set(path, quickClientConfig(at) ?? (await wholeConfig(at)));
}

/** Reads it by the schema, which is loaded only here. */
async function wholeConfig(path: string): Promise<ClientConfig | CommandFailure> {
  const { loadConfig } = await import('../config/load-config.ts');
  const unset = new Set<string>();
  const reading = loadConfig(path, { onUnset: ({ field }) => unset.add(field) });
  if (reading.kind === 'faulty') {
    return new CommandFailure('refused', reading.faults.map(faultText));
  }
  const isUnset = (at: number): boolean =>
    [...unset].some((field) => field.startsWith(`keys[${at}].`));
  const keys = reading.value.keys.map((key, at) => ({
    ...key,
    secret: isUnset(at) ? undefined : key.secret,
  }));
  return { ...reading.value, keys };
}

export function reachDaemon(options: ConnectionOptions): Daemon {
  const config = prepared.get(options.config);
  assert(config !== undefined, 'a command with a connection prepares its configuration');
  if (config instanceof CommandFailure) throw config;
  const key = chosenKey(config, options.key);
  if (key.secret === undefined) {
    throw new CommandFailure('refused', [
      `the secret of key ${key.id} is not set in this environment; see ${config.path}`,
    ]);
  }
  const url = (options.url ?? urlOf(config)).replace(/\/+$/, '');
  const { id: keyId, secret, bindBody, accounts } = key;
  const access = { baseUrl: url, keyId, secret: secret.reveal(), bindBody };
  const client = connect(access);
  const metricsToken = config.metricsToken?.reveal();
  const shown = options.json ? client : printableClient(client);
  return { client: shown, access, url, accounts, metricsToken };
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

export function urlOf({ service }: Pick<ClientConfig, 'service'>): string {
  const host = service.host === '0.0.0.0' || service.host === '::' ? '127.0.0.1' : service.host;
  return `http://${host.includes(':') ? `[${host}]` : host}:${service.port}`;
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
