// ccxt's own client of Deribit, unmodified, pointed at an address. Only its class for Deribit is loaded: the package
// as a whole loads a hundred exchanges.
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ClientKey } from './client-stage.ts';
import { clientRequire } from './newest-clients.ts';

// biome-ignore lint/suspicious/noExplicitAny: the package has no types for a class loaded alone
export type Ccxt = any;

const root = dirname(clientRequire.resolve('ccxt'));
const load = async (path: string): Promise<Ccxt> =>
  await import(pathToFileURL(join(root, '../js/src', path)).href);

/** ccxt's error classes by name. */
export const ccxtErrors = (): Promise<Readonly<Record<string, new () => Error>>> =>
  load('base/errors.js');

/** One object for REST and WebSocket; without a key it is anonymous. */
export async function ccxtDeribit(
  url: string,
  key?: Pick<ClientKey, 'id' | 'secret'>,
): Promise<Ccxt> {
  const { default: Deribit } = await load('pro/deribit.js');
  const exchange = new Deribit({
    ...(key === undefined ? {} : { apiKey: key.id, secret: key.secret }),
    enableRateLimit: false,
    // Nothing here is about how long an answer takes.
    timeout: 60_000,
  });
  exchange.urls.api = { rest: url, ws: `${url.replace('http', 'ws')}/ws/api/v2` };
  // Without it ccxt refuses addresses that begin with ws://.
  await exchange.loadHttpProxyAgent();
  return exchange;
}
