// What a run would have to install first. Asked before every run, so it costs a few file reads and no more.
import process from 'node:process';
import { packagesInPlace } from './packages-check.mjs';
import { findRedisServer } from './redis-server-path.mjs';

/** Names of the missing parts, of `packages` and `redis`. A REDIS_URL makes a server of our own unnecessary. */
export function missingParts({ root, needsRedis }) {
  const missing = [];
  if (!packagesInPlace(root)) missing.push('packages');
  if (needsRedis && !process.env.REDIS_URL && findRedisServer() === undefined)
    missing.push('redis');
  return missing;
}
