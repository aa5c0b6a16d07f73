// Checks before the start whether the port is free, and what the operator should know about the listening
// address.
import { createServer } from 'node:net';
import type { Log } from '../../adapters/telemetry/log/logger.ts';
import type { ServerTls } from '../../gateway/tls/tls-server.ts';
import type { Config } from '../config/config.ts';
import { OVERRIDES, type Override } from '../config/environment.ts';
import { whyNoDeribit } from '../config/rules/gateway-limits.ts';
import { certificateWarnings } from '../config/secrets/read-certificates.ts';

export class CannotListen extends Error {
  override readonly name = 'CannotListen';
}

export interface Listening {
  readonly config: Pick<Config, 'service' | 'path'>;
  /** The overrides of this process, for naming the variables. */
  readonly overrides: readonly Override[];
}

/**
 * @throws CannotListen with what to change. If another process takes the port right after this check,
 * `listen` itself reports it.
 */
export async function requireFreePort({ config, overrides }: Listening): Promise<void> {
  const { host, port } = config.service;
  const server = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host, port, exclusive: true }, resolve);
    });
  } catch (error) {
    throw cannotListen(error, { config, overrides });
  }
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
}

/** Converts an error of `listen` into one the operator understands; returns other errors unchanged. */
export function cannotListen(error: unknown, { config, overrides }: Listening): unknown {
  const { host, port } = config.service;
  const option = (name: 'host' | 'port'): string => {
    const variable = overrides.find(({ path }) => path.join('.') === `service.${name}`)?.variable;
    return `service.${name} in ${config.path}${variable === undefined ? '' : `, or ${variable}`}`;
  };
  const { code } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'EADDRINUSE':
      return new CannotListen(
        `port ${port} of ${host} is in use by another process; stop that one, or set another port: ${option('port')}`,
      );
    case 'EACCES':
      return new CannotListen(
        `port ${port} of ${host} needs rights this process does not have; accepted: a port from 1024 on: ${option('port')}`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new CannotListen(
        `${host} is not an address of this machine (${code}); accepted: 127.0.0.1, 0.0.0.0, or one that it has: ${option('host')}`,
      );
    default:
      return error;
  }
}

/**
 * What is checked and said before clients are served.
 *
 * @throws CannotListen
 */
export async function beforeListening(
  config: Config,
  logger: Pick<Log['logger'], 'info' | 'warn'>,
): Promise<void> {
  await requireFreePort({ config, overrides: OVERRIDES });
  for (const warning of listeningWarnings(config)) logger.warn(warning);
  const why = whyNoDeribit(config);
  if (why !== undefined) logger.info(`clients of Deribit's API are not served: ${why}`);
}

/** Warnings about what clients are served with; empty if there are none. */
export const listeningWarnings = ({ tls }: Pick<Config, 'tls'>): readonly string[] =>
  certificateWarnings(tls, Date.now());

/** Where clients reach a process that listens on the port. */
export const servedAt = ({ service: { host }, tls }: Config, port: number): string =>
  `${tls === undefined ? 'http' : 'https'}://${host}:${port}`;

/** The certificates as the server takes them; `undefined`: without TLS. */
export const servedTls = ({ tls }: Pick<Config, 'tls'>): ServerTls | undefined =>
  tls && { ...tls, key: tls.key.reveal() };
