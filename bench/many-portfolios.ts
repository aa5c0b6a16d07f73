// What the benches with many portfolios share: a daemon that accepts them as fast as it can, their legs, and their submission.
import process from 'node:process';
import type { PortfolioBody } from '../src/gateway/client/client.ts';
import type { Daemon } from '../test/support/daemon/daemon-process.ts';

const SUBMITS_AT_ONCE = 16;
const SHOWN_EVERY = 10_000;

const INSTRUMENTS = ['BTC-PERPETUAL', 'ETH-PERPETUAL', 'BTC_USDC-PERPETUAL', 'ETH_USDC-PERPETUAL'];
const UNLIMITED = 1_000_000;

/** For the end of a configuration: a client may submit and read without limit. */
export const NO_RATE_LIMITS = `
gateway:
  perKey: { submit: ${UNLIMITED}, read: ${UNLIMITED}, work: ${UNLIMITED} }
  perAddress: { connections: 100000 }
`;

/**
 * One leg at market in turn on four perpetuals, bought and sold by turns.
 * @param tens quantity in tens of USD; a ten-thousandth of it in coins where the contract is in coins
 */
export function marketLegs(index: number, tens: number): PortfolioBody['legs'] {
  return [
    {
      instrument: INSTRUMENTS[index % INSTRUMENTS.length] as string,
      instrumentType: 'PERPETUAL',
      side: index % 2 === 0 ? 1 : 2,
      quantity: index % 4 < 2 ? `${tens}0` : (tens / 1_000).toFixed(2),
      priceOptions: { priceType: 'MARKET' },
    },
  ];
}

/** Returns the ids, in the order of the answers. */
export async function submitMany(
  { client }: Daemon,
  count: number,
  bodyOf: (index: number) => PortfolioBody,
): Promise<readonly string[]> {
  const ids: string[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < count) {
      const index = next;
      next += 1;
      const answer = await client.submit(bodyOf(index));
      if (answer.kind !== 'done') throw new Error(JSON.stringify(answer));
      ids.push(String(answer.value.portfolioId));
      if (ids.length % SHOWN_EVERY === 0) process.stderr.write(`   ${ids.length} submitted\n`);
    }
  };
  await Promise.all(Array.from({ length: SUBMITS_AT_ONCE }, work));
  return ids;
}
