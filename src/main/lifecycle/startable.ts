// What would end a start is found before the daemon is loaded: where the package is installed, no set-up step comes before.
import { findRedisProgram } from '../../adapters/redis/redis-server-program.ts';
import type { Config } from '../config/config.ts';
import { OVERRIDES } from '../config/environment.ts';
import { requireFreePort } from './listening.ts';

/**
 * @throws Error that names what to install or to set: no Redis program where none is configured to connect to, or a port
 * that cannot be listened on
 */
export async function requireStartable(
  config: Pick<Config, 'redis' | 'service' | 'path'>,
): Promise<void> {
  if (config.redis.url === undefined) findRedisProgram();
  await requireFreePort({ config, overrides: OVERRIDES });
}
