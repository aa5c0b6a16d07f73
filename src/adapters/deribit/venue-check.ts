// Whether what answers is the venue that was meant. Real money is at stake at `production`, at `coinbase`, and at any
// address beyond this machine whose answers do not say that they come from a test network.

export type Expected =
  /** test.deribit.com, or another test network. */
  | 'test'
  | 'production'
  /** An address of the configuration: whatever answers. */
  | 'any';

export interface CheckOptions {
  readonly expected: Expected;
  readonly url: string;
  /** Whether orders with real money were requested explicitly. */
  readonly allowsLive: boolean;
}

export class WrongVenue extends Error {
  override readonly name = 'WrongVenue';
}

/** Whether orders there move real money; `testnet` is what its answers say. */
export const isLive = (
  { expected, url }: Pick<CheckOptions, 'expected' | 'url'>,
  testnet: boolean | undefined,
): boolean => expected === 'production' || (testnet !== true && !isLoopback(url));

/** @throws WrongVenue */
export function checkVenue(options: CheckOptions, testnet: boolean | undefined): void {
  const { expected, url, allowsLive } = options;
  const { host } = new URL(url);
  if (expected === 'test' && testnet !== true) {
    throw new WrongVenue(`${host} does not say that it is a test network; configured: test`);
  }
  if (expected === 'production' && testnet === true) {
    throw new WrongVenue(`${host} says that it is a test network; configured: production`);
  }
  if (isLive(options, testnet) && !allowsLive) {
    throw new WrongVenue(
      `${host} trades real money: its answers do not say that it is a test network; start with --live to trade there`,
    );
  }
}

export function isLoopback(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}
