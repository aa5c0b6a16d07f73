// Decides with a few file reads whether anything is missing, and only then loads and runs the slow part. That
// runs under a lock, so that two first starts in one clone install once.
import { missingParts } from './missing-parts.mjs';

/**
 * Returns once packages, Node 24 and, if needed, a Redis server are installed; ends the process if they
 * cannot be.
 */
export async function prepare(invocation) {
  if (missingParts(invocation).length === 0) return;
  const { setUp } = await import('./set-up.mjs');
  await setUp(invocation);
}
