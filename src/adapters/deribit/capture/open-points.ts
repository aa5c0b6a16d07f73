// Every open point about the venue, as docs/deribit.md counts them: those that a capture tests, and those that need more than one account of a test
// network.
import { ACCOUNT_POINTS } from './account-points.ts';
import { BUMP_POINTS } from './bump-points.ts';
import type { CapturePoint, OpenPoint } from './capture-point.ts';
import { PUBLIC_DATA_POINTS } from './public-data-points.ts';

export const CAPTURE_POINTS: readonly CapturePoint[] = [
  ...PUBLIC_DATA_POINTS,
  ...ACCOUNT_POINTS,
  ...BUMP_POINTS,
];

const SECOND_MEMBER = 'needs a maker and a taker that are members of Block RFQ';
const NEEDS_WAIT = 'happens at a time that the venue chooses';

export const POINTS_LEFT: readonly OpenPoint[] = [
  {
    name: 'Coinbase key',
    assumed: 'The audience of the token is the host and the path of the gateway.',
    reliesOn: 'src/adapters/deribit/session/login.ts',
    whyNot: 'there is no test network of that environment',
  },
  {
    name: 'RFQ grace',
    assumed:
      'An open Block RFQ younger than five seconds and without levels is in its grace period.',
    reliesOn: 'src/ports/deribit-wire/block-rfq-rows.ts',
    whyNot: SECOND_MEMBER,
  },
  {
    name: 'RFQ ends',
    assumed:
      'A maker reads `filled` of an RFQ that others filled, and its own name only on its own fills; the reason of an end is that of the state.',
    reliesOn: 'src/ports/deribit-wire/block-rfq-rows.ts',
    whyNot: SECOND_MEMBER,
  },
  {
    name: 'block maker',
    assumed: 'The name of a maker belongs to the fill of the same size.',
    reliesOn: 'src/adapters/deribit/rfq/own-block-trades.ts',
    whyNot: SECOND_MEMBER,
  },
  {
    name: 'quote edit',
    assumed: 'An edit of a quote takes `execution_instruction` and `expires_at`.',
    reliesOn: 'src/adapters/deribit/rfq/block-rfq-params.ts',
    whyNot: SECOND_MEMBER,
  },
  {
    name: 'block trades',
    assumed:
      'Trades of a block carry `block_trade_id` and the id of the RFQ, and are listed within a minute of its expiry.',
    reliesOn: 'src/adapters/deribit/rfq/block-trade-reads.ts',
    whyNot: SECOND_MEMBER,
  },
  {
    name: 'block tape',
    assumed: 'Directions on the tape of Block RFQs are those of the taker.',
    reliesOn: 'src/adapters/deribit/rfq/tape-message.ts',
    whyNot: SECOND_MEMBER,
  },
  {
    name: 'block volume',
    assumed: 'A block, and the leg of a combo, is published among the trades of its instrument.',
    reliesOn: 'src/adapters/deribit/market/live-market.ts',
    whyNot: SECOND_MEMBER,
  },
  {
    name: 'group quotes',
    assumed: 'A named group of protection is of mass quotes only.',
    reliesOn: 'src/adapters/deribit/account/protection-state.ts',
    whyNot: 'needs a key that may send mass quotes',
  },
  {
    name: 'combo trades',
    assumed: 'The trade of a combo comes in `user.changes`, in `user.combo_trades`, or in both.',
    reliesOn: 'src/adapters/deribit/account/account-feed.ts',
    whyNot: 'needs a combo with a book, whose smallest trade is beyond the limits',
  },
  {
    name: 'bump repeat',
    assumed:
      'A cancel by id of an order in its speed bump is answered with the order open, and a second one with 11044.',
    reliesOn: 'src/ports/deribit-wire/order-rows.ts',
    whyNot: 'the id is known only when the bump is over',
  },
  {
    name: 'combo legs',
    assumed: 'A leg without a size is requested as one contract.',
    reliesOn: 'src/adapters/deribit/market/deribit-combo-desk.ts',
    whyNot: 'would list a new combo, which cannot be undone',
  },
  {
    name: 'settlement',
    assumed: 'Books and best prices are published unchanged during a settlement.',
    reliesOn: 'src/adapters/deribit/market/quote-board.ts',
    whyNot: NEEDS_WAIT,
  },
  {
    name: 'maintenance',
    assumed: 'A maintenance ends with a message, or with the connection that reported it.',
    reliesOn: 'src/adapters/deribit/market/platform-state.ts',
    whyNot: NEEDS_WAIT,
  },
];
