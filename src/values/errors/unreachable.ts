// Errors of the network that say that a server is not there now: the same connection may succeed later.

const CODES: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
  // A host name may be registered later, as that of a container is.
  'ENOTFOUND',
  // The socket of a server that is not running.
  'ENOENT',
]);

interface NetworkError extends Error {
  readonly code?: string;
  readonly hostname?: string;
}

export function isUnreachable(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isUnreachable);
  return error instanceof Error && CODES.has((error as NetworkError).code ?? '');
}

/** What a host name without an address means; `undefined` for any other error. */
export function unresolvedText(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, hostname, message } = error as NetworkError;
  if (code !== 'ENOTFOUND' && code !== 'EAI_AGAIN') return undefined;
  const name = hostname === undefined ? 'the host name' : `the host name ${hostname}`;
  return `${name} cannot be resolved to an address: ${message}`;
}
