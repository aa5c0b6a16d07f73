// Mutants of the Deribit adapter and its session: what is said of a request, and what becomes of the notices of an account,
// when the line breaks in the middle.
import { type Mutant, one } from './mutant.ts';

const DERIBIT = 'src/adapters/deribit';
const REQUESTS = `${DERIBIT}/session/requests.ts`;
const ORDER_ROWS = 'src/ports/deribit-wire/order-rows.ts';
const SESSION = `${DERIBIT}/session/rpc-session.ts`;

const wire = (...[name, what, change, within]: Parameters<typeof one>): Mutant => ({
  ...one(name, what, change, within),
  profile: 'wire',
});

export const WIRE: readonly Mutant[] = [
  wire(
    'break-is-unsent',
    'a request on a connection that breaks counts as not sent',
    [REQUESTS, "this.answer(id, { kind: 'unknown', reason });", 'this.answer(id, unsent(reason));'],
    500,
  ),
  wire(
    'no-answer-is-unsent',
    'a request without an answer in time counts as not sent',
    [
      REQUESTS,
      "end({ kind: 'unknown', reason: `no answer",
      "end({ kind: 'unsent', reason: `no answer",
    ],
    500,
  ),
  wire(
    'sent-twice',
    'every order is sent twice',
    [
      REQUESTS,
      "if (!send(frame)) return Promise.resolve(unsent('the connection takes nothing'));",
      "const isOrder = /^private.(buy|sell)$/.test(method);\n    if (!send(frame) || (isOrder && !send(frame))) return Promise.resolve(unsent('the connection takes nothing'));",
    ],
    50,
  ),
  wire(
    'answer-of-another',
    'an answer ends the oldest request, whatever its id',
    [
      REQUESTS,
      'const waiting = this.#waiting.get(id);',
      'const [first = id] = this.#waiting.keys();\n    const waiting = this.#waiting.get(first);',
    ],
    200,
  ),
  wire(
    'order-without-deadline',
    'an order has no instant from which it must be refused',
    [
      `${DERIBIT}/orders/order-request.ts`,
      'valid_until: order.validUntil ?? validUntil,',
      'valid_until: undefined,',
    ],
    5_000,
  ),
  wire(
    'gap-not-announced',
    'an account that is connected again is not compared',
    [
      `${DERIBIT}/open-deribit-venue.ts`,
      'upcoming.venue().publishReconnected(account);\n      checkUp();',
      'checkUp();',
    ],
    500,
  ),
  wire(
    'lost-notice-forgotten',
    'a notice that cannot be read is passed over',
    [
      `${DERIBIT}/account/account-feed.ts`,
      'this.#parts.onFault(error);\n      this.#parts.onGap(account);',
      'this.#parts.onFault(error);',
    ],
    1_000,
  ),
  wire(
    'second-lost-notice-forgotten',
    'what is lost soon after a comparison is never compared',
    [`${DERIBIT}/sparse-comparisons.ts`, 'if (isDue === true) this.lost(subject);', 'void isDue;'],
    2_000,
  ),
  wire(
    'unreadable-frame-forgotten',
    'a frame that is not JSON is passed over',
    [SESSION, 'this.#parts.onUnreadable();', ''],
    3_000,
  ),
  wire(
    'silent-line-believed',
    'a connection that does not answer is not ended',
    [SESSION, 'socket.end(`the venue does not answer: ', 'void (`the venue does not answer: '],
    500,
  ),
  wire(
    'history-not-read',
    'an order that the look-up by label does not know is taken for none',
    [
      `${DERIBIT}/orders/reconcile.ts`,
      "if (reply.kind !== 'done') return reply;\n    for (const order of reply.value) found.set(order.orderId, order);",
      "if (reply.kind !== 'done') break;\n    for (const order of reply.value) found.set(order.orderId, order);",
    ],
    500,
  ),
  wire(
    'trades-of-order-incomplete',
    'the trades of an order are taken as they are listed, complete or not',
    [
      `${DERIBIT}/orders/reconcile.ts`,
      "if (isZero(filledQuantity)) return { kind: 'done', value: [] };",
      "if (isZero(filledQuantity) || order.state === 'filled') return { kind: 'done', value: [] };",
    ],
    1_000,
  ),
  wire(
    'waiting-order-is-closed',
    'an order in its speed bump counts as cancelled',
    [
      ORDER_ROWS,
      "return state === 'speed_bumped' ? 'open' : state;",
      "return state === 'speed_bumped' ? 'cancelled' : state;",
    ],
    2_000,
  ),
  wire(
    'origin-of-order-lost',
    'a started order does not name what it replaces',
    [ORDER_ROWS, "field('trigger_order_id', 'triggerOrderId', ORDER_ID_IF),", ''],
    300,
  ),
  wire(
    'linked-orders-dropped',
    'an order is sent without its linked orders',
    [
      `${DERIBIT}/orders/order-request.ts`,
      'linked_order_type: order.link?.kind,\n    trigger_fill_condition: order.link?.fillCondition,\n    otoco_config: order.link?.others.map((other) => ({',
      'otoco_config: undefined && order.link?.others.map((other) => ({',
    ],
    300,
  ),
  wire(
    'protection-flag-dropped',
    'an order is sent without its flag `mmp`',
    [`${DERIBIT}/orders/order-request.ts`, 'mmp: order.mmp || undefined,', 'mmp: undefined,'],
    300,
  ),
  wire(
    'mass-cancel-too-narrow',
    'a mass cancel covers one currency only',
    [
      `${DERIBIT}/orders/deribit-order-desk.ts`,
      "const params = { currency: currency ?? 'any', kind, type };",
      "const params = { currency: currency ?? 'ETH', kind, type };",
    ],
    1_000,
  ),
  wire(
    'balances-not-announced',
    'a change of balances is not passed on',
    [
      `${DERIBIT}/account/account-feed.ts`,
      "else if (channel.startsWith('user.portfolio.'))\n      this.#parts.notify(account, { kind: 'account', account });",
      "else if (channel.startsWith('user.portfolio.')) return true;",
    ],
    300,
  ),
  wire(
    'combo-trades-not-passed-on',
    'the trades of combos are not passed on',
    [
      `${DERIBIT}/account/account-feed.ts`,
      'if (trade === undefined || (trade.legs !== undefined && this.#wasPassedOn(trade))) return;',
      'if (trade === undefined || trade.legs !== undefined) return;',
    ],
    2_000,
  ),
  wire(
    'rfq-gap-not-announced',
    'a gap in news of Block RFQs is not announced',
    [
      `${DERIBIT}/deribit-venue.ts`,
      "this.rfqs.notify({ kind: 'reconnected' });",
      'void this.rfqs;',
    ],
    1_000,
  ),
  wire(
    'accept-without-answer-is-refused',
    'an accept without an answer counts as refused',
    [
      `${DERIBIT}/rfq/deribit-rfq-desk.ts`,
      "if (answer.kind !== 'done') return answer;",
      "if (answer.kind === 'unknown') return NO_SUCH_RFQ;\n    if (answer.kind !== 'done') return answer;",
    ],
    2_000,
  ),
  wire(
    'missed-book-change-ignored',
    'a change of a book is applied to a book that it does not follow',
    [
      `${DERIBIT}/market/level-book.ts`,
      'if (frame.prevChangeId !== before.changeId) {',
      'if (frame.prevChangeId === undefined) {',
    ],
    200,
  ),
];
