// Determines what a run must install first. Runs before every command, so it costs only a few file reads.
import process from 'node:process';
import { isPageBuilt } from './build-page.mjs';
import { canBuildProgram, isProgram, isProgramBuilt } from './build-program.mjs';
import { packagesInPlace } from './packages-check.mjs';
import { findRedisServer } from './redis-server-path.mjs';

/**
 * Names of the missing parts, of `packages`, `redis`, `page` and `program`. With a REDIS_URL no private server is needed; what
 * only reads needs no page.
 */
export function missingParts({ root, entry, test, needsRedis }) {
  const missing = [];
  if (!packagesInPlace(root)) missing.push('packages');
  if (needsRedis && !process.env.REDIS_URL && findRedisServer() === undefined)
    missing.push('redis');
  if (needsRedis && !isPageBuilt(root)) missing.push('page');
  // Tests start it; other tools of the project do not.
  const isStarted = test ? entry.endsWith('vitest.mjs') : isProgram(root, entry);
  if (isStarted && canBuildProgram(root)) {
    // Which one it is depends on the packages.
    if (missing.includes('packages') || !isProgramBuilt(root)) missing.push('program');
  }
  return missing;
}
