// Open points about an account: margins, Block RFQs that do not exist, and its market-maker protection.
import { answerOfCode } from '../../../core/order/answer-class.ts';
import { type Outcome, whyFailed } from '../outcome.ts';
import type { CapturePoint, CaptureScene } from './capture-point.ts';
import { agrees, answersTo, differs, ofResult, placedIn, textIn, undecided } from './judging.ts';

const BUY = 'private/buy';
const CANCEL = 'private/cancel';
const MARGINS = 'private/get_margins';
const ORDER_MARGINS = 'private/get_order_margin_by_ids';
const RFQS = 'private/get_block_rfqs';
const SET_PROTECTION = 'private/set_mmp_config';

const INVALID_PARAMS = -32602;
const NOT_FOUND = 13020;
/** The first of the venue, which belongs to somebody else. */
const OLD_RFQ = 1;

const priceBand: CapturePoint = {
  name: 'price band',
  assumed: 'A price band has bounds above 0; a bound of 0 is none.',
  reliesOn: 'src/adapters/deribit/account/deribit-margin-desk.ts',
  needs: 'reads',
  async capture({ request, buyParams, perpetual }) {
    const { instrument_name, amount, price } = buyParams({
      instrument: perpetual,
      at: 'far',
    });
    await request(MARGINS, { instrument_name, amount, price });
  },
  judge: ([margins]) =>
    ofResult(margins, (of) => {
      const bounds = ['min_price', 'max_price'].map((name) => of.in('result').digitsIf(name));
      const seen = `from ${bounds[0] ?? 'no bound'} to ${bounds[1] ?? 'no bound'}`;
      return bounds.every((one) => one !== undefined && Number(one) > 0)
        ? agrees(seen)
        : undecided(`${seen}: orders at other prices were not tried`);
    }),
};

/** The id in the answer to an order. */
const orderIdIn = (outcome: Outcome): string | undefined => textIn(placedIn(outcome), 'order_id');

const closedMargin: CapturePoint = {
  name: 'closed margin',
  assumed:
    'Asked for the margin of an open and of a closed order, the venue answers that of the open one, or that an order is not found.',
  reliesOn: 'src/adapters/deribit/account/deribit-margin-desk.ts',
  needs: 'order',
  async capture({ request, buyParams, perpetual }) {
    const params = buyParams({ instrument: perpetual, at: 'far' });
    const open = orderIdIn(await request(BUY, params));
    const closed = orderIdIn(await request(BUY, params));
    if (open === undefined || closed === undefined) return;
    await request(CANCEL, { order_id: closed });
    await request(ORDER_MARGINS, { ids: [open, closed] });
  },
  judge(answers) {
    const [answer] = answersTo(answers, ORDER_MARGINS);
    if (answer?.outcome.kind === 'error') {
      const { code, message, details } = answer.outcome;
      const read = answerOfCode(code, message, details);
      const seen = `refused: ${whyFailed(answer.outcome)}`;
      return read.kind === 'refused' && read.class === 'done' ? agrees(seen) : differs(seen);
    }
    return ofResult(answer, (of) => {
      const ids = of.each('result').map((one) => one.text('order_id'));
      const [open] = (answer?.params['ids'] ?? []) as readonly string[];
      const seen = `${ids.length} of 2 answered`;
      return ids.length === 1 && ids[0] === open ? agrees(seen) : differs(seen);
    });
  },
};

const unknownRfq: CapturePoint = {
  name: 'unknown RFQ',
  assumed:
    'A Block RFQ that the account does not have is refused with 13020, or answered with an empty list.',
  reliesOn: 'src/adapters/deribit/rfq/deribit-rfq-desk.ts',
  needs: 'reads',
  async capture({ request }) {
    await request(RFQS, { block_rfq_id: OLD_RFQ });
  },
  judge([answer]) {
    if (answer?.outcome.kind === 'error') {
      const seen = `refused: ${whyFailed(answer.outcome)}`;
      if (answer.outcome.code === NOT_FOUND) return agrees(seen);
      return FORBIDDEN.has(answer.outcome.code) ? undecided(seen) : differs(seen);
    }
    return ofResult(answer, (of) => {
      const found = of.in('result').list('block_rfqs').length;
      return found === 0 ? agrees('an empty list') : differs(`a list of ${found}`);
    });
  },
};

/** The key has no right to it. */
const FORBIDDEN: ReadonlySet<number> = new Set([13021, 13009]);

/** One second, and a quantity that no order of a test reaches. */
const protectionOf = (group: string, { perpetual }: CaptureScene) => ({
  index_name: perpetual.indexName,
  mmp_group: group,
  interval: 1,
  frozen_time: 1,
  quantity_limit: 1,
});

const removal = (group: string, { perpetual }: CaptureScene) => ({
  index_name: perpetual.indexName,
  mmp_group: group,
  interval: 0,
  frozen_time: 0,
  quantity_limit: 1,
  max_quote_quantity: 1,
});

const quoteLimit: CapturePoint = {
  name: 'MMP required',
  assumed: '`max_quote_quantity` is required: a configuration without it is refused.',
  reliesOn: 'src/adapters/deribit/account/venue-protection.ts',
  needs: 'protection',
  async capture(scene) {
    await scene.request(SET_PROTECTION, protectionOf(scene.label, scene));
    await scene.request(SET_PROTECTION, removal(scene.label, scene));
  },
  judge([answer]) {
    if (answer?.outcome.kind !== 'error') {
      return ofResult(answer, () => differs('accepted without it'));
    }
    const seen = `refused: ${whyFailed(answer.outcome)}`;
    return answer.outcome.code === INVALID_PARAMS ? agrees(seen) : undecided(seen);
  },
};

const GROUP = 'mmp_group';

const omittedLimits: CapturePoint = {
  name: 'MMP omitted',
  assumed: 'A limit that a new configuration omits is kept or removed; the answer says which.',
  reliesOn: 'src/adapters/deribit/account/venue-protection.ts',
  needs: 'protection',
  async capture(scene) {
    const kept = { ...protectionOf(scene.label, scene), max_quote_quantity: 1 };
    await scene.request(SET_PROTECTION, { ...kept, delta_limit: 1 });
    await scene.request(SET_PROTECTION, kept);
    await scene.request(SET_PROTECTION, removal(scene.label, scene));
  },
  judge(answers) {
    const [first, second] = answersTo(answers, SET_PROTECTION);
    const group = first?.params[GROUP];
    return ofResult(second, (of) => {
      const ours = of.each('result').find((one) => one.textIf(GROUP) === group);
      if (ours === undefined) return differs('the answer does not name the group');
      const limit = ours.digitsIf('delta_limit');
      return agrees(limit === undefined || Number(limit) === 0 ? 'removed' : `kept: ${limit}`);
    });
  },
};

export const ACCOUNT_POINTS: readonly CapturePoint[] = [
  priceBand,
  unknownRfq,
  closedMargin,
  quoteLimit,
  omittedLimits,
];
