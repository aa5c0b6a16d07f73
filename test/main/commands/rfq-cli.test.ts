// Block RFQs on the command line, by both roles against a real gateway; the maker watches in a process of its own.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  readHedge,
  readLeg,
  readPrices,
  readShare,
} from '../../../src/main/commands/rfq/rfq-arguments.ts';
import { must } from '../../../src/values/assert.ts';
import { until } from '../../adapters/until.ts';
import { RidStage } from '../../gateway/order-api/rid-stage.ts';
import { demoKeys, type Ran, twapd } from '../cli-world.ts';
import { warmCli } from '../warm-cli.ts';

let stage: RidStage;
beforeAll(async () => {
  const keys = demoKeys();
  stage = await RidStage.start({}, undefined, undefined, { find: (id) => keys.get(id) });
  // The makers' first seconds end only when the test says so, however long a process takes to start.
  stage.holdTime();
  // Commands sign with the clock of the machine.
  Object.defineProperty(stage.gateway, 'nowMs', { get: () => Date.now() });
});
afterAll(async () => {
  await stage.close();
});

const TAKER = ['--key', 'demo-taker'];
const MAKER = ['--key', 'demo-maker'];

const wordsOf = (words: readonly string[]): string[] => [
  'rfq',
  ...words,
  '--url',
  stage.gateway.url,
];

const rfq = (words: readonly string[]): Promise<Ran> => warmCli.run(wordsOf(words));

// biome-ignore lint/suspicious/noExplicitAny: tests look into documents of every shape
async function json(words: readonly string[]): Promise<any> {
  const { code, out, err } = await rfq([...words, '--json']);
  if (code !== 0) throw new Error(err);
  return JSON.parse(out);
}

describe('twapd rfq', () => {
  test('an RFQ can be created, quoted, traded and listed by taker and maker through the command line', async () => {
    let seen = '';
    const onOut = (out: string): void => {
      seen = out;
    };
    const watching = twapd(wordsOf(['watch', ...MAKER]), { onOut });
    await until(() => seen.includes('watching account 10002'));
    const leg = 'buy:200000:BTC-PERPETUAL';
    const created = await rfq(['create', leg, '--makers', 'MAKER1', '--label', 'mine', ...TAKER]);
    expect(created).toMatchObject({ code: 0, err: '' });
    expect(created.out).toContain('200000 × BTC-PERPETUAL');
    expect(created.out).toContain('requested from MAKER1; ends in 05:00');
    await until(() => seen.includes(' open 200000 × BTC-PERPETUAL'));
    const id = must(/asked (\d+) open/.exec(seen)?.[1], "the maker's id");
    const quoted = await rfq(['quote', id, '--spread', '0.1', ...MAKER]);
    expect(quoted.out).toMatch(/BUY .*\n.*SELL/);
    const [own] = await json(['list', ...TAKER]);
    const early = await rfq(['trade', own.blockRfqId, '--buy', ...TAKER]);
    expect(early.code).toBe(1);
    expect(early.err).toContain('the first five seconds belong to the makers');
    stage.jumpAhead(5_000);
    const traded = await rfq(['trade', own.blockRfqId, '--buy', ...TAKER]);
    expect(traded).toMatchObject({ code: 0, err: '' });
    expect(traded.out).toMatch(/BLOCK-1 .*BUY .*200000 .*MAKER1/);
    await until(() => seen.includes('filled SELL 200000'));
    const [trade] = await json(['trades', own.blockRfqId, ...TAKER]);
    expect(trade).toMatchObject({ blockRfqId: own.blockRfqId, quantity: '200000' });
    const again = await rfq(['trade', own.blockRfqId, '--buy', ...TAKER]);
    expect(again.err).toContain(`RFQ ${own.blockRfqId} is filled`);
    expect(await json(['list', '--status', 'filled', ...TAKER])).toHaveLength(1);
    await stage.gateway.close();
    expect((await watching).code).toBe(3);
    const away = await rfq(['makers', ...TAKER]);
    expect(away).toMatchObject({ code: 3 });
    expect(away.err).toContain('is it running?');
  }, 480_000);
});

describe('the arguments of rfq commands', () => {
  test('legs, hedges, prices and shares are parsed, and repeated options accumulate', () => {
    const first = readLeg('buy:25:BTC-27NOV26-90000-C');
    expect(readLeg('sell:12.5:BTC_USDC', first)).toEqual([
      { side: 'buy', quantity: '25', instrumentName: 'BTC-27NOV26-90000-C' },
      { side: 'sell', quantity: '12.5', instrumentName: 'BTC_USDC' },
    ]);
    expect(readHedge('sell:500000:BTC-PERPETUAL@88000.5')).toEqual({
      side: 'sell',
      quantity: '500000',
      instrumentName: 'BTC-PERPETUAL',
      price: '88000.5',
    });
    expect(readPrices('0.051/-0.02')).toEqual(['0.051', '-0.02']);
    expect(readShare('1002=15', readShare('1001=10'))).toEqual([
      { userId: 1001, amount: '10' },
      { userId: 1002, amount: '15' },
    ]);
  });

  test.each([
    [() => readLeg('25 BTC-PERPETUAL'), 'side:size:instrument'],
    [() => readLeg('hold:25:BTC-PERPETUAL'), 'side:size:instrument'],
    [() => readHedge('sell:1:BTC-PERPETUAL'), '@price'],
    [() => readPrices('1//2'), 'a price per leg'],
    [() => readShare('me=1'), 'user=amount'],
  ])('an invalid argument is refused with what is accepted (%#)', (read, accepted) => {
    expect(read).toThrow(accepted);
  });
});
