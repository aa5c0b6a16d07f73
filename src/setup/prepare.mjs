// Decides in a few file reads whether anything is missing; only then loads and runs the slow part.
// The slow part runs under a lock, so two first starts in one clone install once.
import { packagesInPlace } from './packages-check.mjs';
import { findRedisServer } from './redis-server-path.mjs';

/** Returns when packages, Node 24 and, where needed, a Redis server are there; ends the process when they cannot be. */
export async function prepare(invocation) {
  const missing = missingParts(invocation);
  if (missing.length === 0) return;
  const { setUp } = await import('./set-up.mjs');
  await setUp(invocation);
}

/** Names of the parts a run would have to install first. */
export function missingParts({ root, needsRedis }) {
  const missing = [];
  if (!packagesInPlace(root)) missing.push('packages');
  if (needsRedis && !process.env.REDIS_URL && findRedisServer() === undefined)
    missing.push('redis');
  return missing;
}
