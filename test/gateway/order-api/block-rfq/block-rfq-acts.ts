// Block RFQs through the gateway: requests of a taker and a maker with typical values.
import { must } from '../../../../src/values/assert.ts';
import { SECOND_MAKER, STRANGER, TAKER } from '../../gateway-under-test.ts';
import { BTC, type RidAnswer, type RidStage } from '../rid-stage.ts';

export const MAKER = STRANGER;
export { SECOND_MAKER };
export const BLOCK = '200000';
export const GRACE_MS = 5_000;

type Fields = Readonly<Record<string, unknown>>;

export const rfqParams = (changes: Fields = {}): Fields => ({
  legs: [{ instrumentName: BTC, quantity: BLOCK, side: 'buy' }],
  makers: ['MAKER1', 'MAKER2'],
  ...changes,
});

// biome-ignore lint/suspicious/noExplicitAny: tests look into results of every shape
export function resultOf(answer: RidAnswer): any {
  if (answer.error === undefined) return answer.result;
  throw new Error(JSON.stringify(answer.error));
}

export class RfqTraders {
  readonly stage: RidStage;

  constructor(stage: RidStage) {
    this.stage = stage;
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests look into results of every shape
  async created(changes: Fields = {}): Promise<any> {
    return resultOf(await this.stage.post('block/rfqs/create_rfq', rfqParams(changes)));
  }

  /** The id by which the maker knows the newest RFQ. */
  async makersId(by = MAKER): Promise<string> {
    const params = { role: 'maker', count: 1 };
    const { blockRfqs } = resultOf(await this.stage.post('block/rfqs/get_rfqs', params, by));
    return must(blockRfqs[0], 'the maker was asked').blockRfqId;
  }

  /** Params of a quote on the newest RFQ of the perpetual, 50 above its mark price. */
  async quoteParams(changes: Fields = {}, by = MAKER): Promise<Fields> {
    const ticker = await this.stage.post('public/ticker', { instrumentName: BTC }, null);
    const price = String(Math.round(Number(ticker.result.markPrice)) + 50);
    return {
      blockRfqId: await this.makersId(by),
      side: 'sell',
      quantity: BLOCK,
      executionInstruction: 'any_part_of',
      legs: [{ instrumentName: BTC, ratio: '1', side: 'buy', price }],
      ...changes,
    };
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests look into results of every shape
  async quoted(changes: Fields = {}, by = MAKER): Promise<any> {
    const params = await this.quoteParams(changes, by);
    return resultOf(await this.stage.post('block/rfqs/create_quote', params, by));
  }

  /** Creates an RFQ with a quote, and the params that accept it. */
  async offered(changes: Fields = {}) {
    const rfq = await this.created(changes);
    const quote = await this.quoted();
    this.stage.jumpAhead(GRACE_MS);
    const accept = {
      blockRfqId: rfq.blockRfqId,
      side: 'buy',
      quantity: rfq.quantity,
      price: quote.price,
    };
    return { rfq, quote, accept };
  }

  trade(accept: Fields): Promise<RidAnswer> {
    return this.stage.post('block/rfqs/trade', accept, TAKER);
  }
}
