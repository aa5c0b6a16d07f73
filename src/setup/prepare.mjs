// Decides in a few file reads whether anything is missing; only then loads and runs the slow part.
// The slow part runs under a lock, so two first starts in one clone install once.
import { missingParts } from './missing-parts.mjs';

/** Returns when packages, Node 24 and, where needed, a Redis server are there; ends the process when they cannot be. */
export async function prepare(invocation) {
  if (missingParts(invocation).length === 0) return;
  const { setUp } = await import('./set-up.mjs');
  await setUp(invocation);
}
