// The published demo keys. Their secrets are public, so they are accepted only for the paper exchange on a
// loopback address.

const PUBLISHED: ReadonlyMap<string, string> = new Map([
  ['demo-taker', 'dHdhcGQtZGVtby10YWtlci1zZWNyZXQtMDEyMzQ1Njc4OQ=='],
  ['demo-maker', 'dHdhcGQtZGVtby1tYWtlci1zZWNyZXQtMDEyMzQ1Njc4OQ=='],
  ['demo-maker2', 'dHdhcGQtZGVtby1tYWtlcjItc2VjcmV0LTAxMjM0NTY3ODk='],
  ['demo-reader', 'dHdhcGQtZGVtby1yZWFkZXItc2VjcmV0LTAxMjM0NTY3ODk='],
]);

const SECRETS: ReadonlySet<string> = new Set(PUBLISHED.values());

/** True for a demo key with its own published secret: the only secret a file may carry in plain text. */
export const isDemoPair = (id: string, secret: string): boolean => PUBLISHED.get(id) === secret;

/** True for a published secret, under any key id. */
export const isPublished = (secret: string): boolean => SECRETS.has(secret);

/** True for addresses that only this machine can reach. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);

/** The same of a URL; strips the brackets of an IPv6 address. */
export const isThisMachine = (url: string): boolean =>
  isLoopback(new URL(url).hostname.replace(/^\[|\]$/g, ''));
