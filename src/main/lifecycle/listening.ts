// Before anything is started: whether the port can be listened on, and what an operator should know of how it is.
import { createServer } from 'node:net';
import type { Config } from '../config/config.ts';
import type { Override } from '../config/environment.ts';
import { isLoopback } from '../config/secrets/demo-keys.ts';

export class CannotListen extends Error {
  override readonly name = 'CannotListen';
}

export interface Listening {
  readonly config: Pick<Config, 'service' | 'path'>;
  /** Those of this process: their variables are named. */
  readonly overrides: readonly Override[];
}

/** @throws CannotListen with what to change. What another process takes right after this is told by `listen` itself. */
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

/** What an error of listening means to whoever starts the process; other errors as they are. */
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
        `${host} is no address of this machine (${code}); accepted: 127.0.0.1, 0.0.0.0, or one that it has: ${option('host')}`,
      );
    default:
      return error;
  }
}

/** What should be known of where it listens; empty when there is nothing. */
export function listeningWarnings({ service }: Pick<Config, 'service'>): readonly string[] {
  if (isLoopback(service.host) || service.plainHttp) return [];
  return [
    `plain HTTP on ${service.host}: signatures, orders and positions cross the network unencrypted; put a proxy with TLS in front and set service.plainHttp: true, or listen on 127.0.0.1`,
  ];
}
