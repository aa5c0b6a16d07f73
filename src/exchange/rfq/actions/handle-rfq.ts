// The entry point for Block RFQ commands: first due expiries are applied, then the command, then the changes
// are published.
import { must } from '../../../values/assert.ts';
import type { Instant } from '../../../values/instant.ts';
import { assertProgress } from '../../../values/progress.ts';
import type {
  AnswerOf,
  AnswersByKind,
  CommandsByKind,
  DoneAnswer,
} from '../../exchange-command.ts';
import type { ExchangeState } from '../../exchange-state.ts';
import type { Refusal } from '../../model/refusal.ts';
import { shownQuote, shownTrade } from '../queries/quote-shown.ts';
import { shownRfq } from '../queries/rfq-shown.ts';
import type { Rfq } from '../rfq.ts';
import type {
  RfqAcceptedAnswer,
  RfqAnswer,
  RfqCommand,
  RfqQuoteAnswer,
  SeatRfqMakersCommand,
} from '../rfq-command.ts';
import { endQuote, endRfq } from '../rfq-end.ts';
import { type AcceptOutcome, acceptRfq, cancelRfq, cancelTrigger } from './accept-rfq.ts';
import { createRfq } from './create-rfq.ts';
import { cancelQuote, cancelQuotes, editQuote, quoteRfq } from './quote-rfq.ts';

export function handleRfq<C extends RfqCommand>(state: ExchangeState, command: C): AnswerOf<C> {
  advanceRfqs(state);
  state.rfqs.forget((state.now - state.settings.ordersMs) as typeof state.now);
  const answer = (PERFORM[command.kind] as unknown as Perform<C>)(state, command);
  for (const event of state.rfqs.takeChanges(state.now)) state.outbox.emit(event);
  return answer;
}

type Perform<C extends RfqCommand> = (state: ExchangeState, command: C) => AnswerOf<C>;

const PERFORM: {
  readonly [K in RfqCommand['kind']]: (
    state: ExchangeState,
    command: CommandsByKind[K],
  ) => AnswersByKind[K];
} = {
  create_rfq: (state, command) => takersAnswer(state, createRfq(state, command)),
  cancel_rfq: (state, command) => takersAnswer(state, cancelRfq(state, command)),
  cancel_rfq_trigger: (state, command) => takersAnswer(state, cancelTrigger(state, command)),
  accept_rfq: (state, command) => acceptedAnswer(state, acceptRfq(state, command)),
  quote_rfq: (state, command) => quoteAnswer(state, quoteRfq(state, command)),
  edit_rfq_quote: (state, command) => quoteAnswer(state, editQuote(state, command)),
  cancel_rfq_quote: (state, command) => quoteAnswer(state, cancelQuote(state, command)),
  cancel_rfq_quotes: (state, command) => {
    const count = cancelQuotes(state, command);
    return typeof count === 'number' ? { kind: 'count', count } : count;
  },
  advance_rfqs: () => ({ kind: 'done' }),
  seat_rfq_makers: seatMakers,
};

const takersAnswer = (state: ExchangeState, rfq: Rfq | Refusal): RfqAnswer | Refusal =>
  'code' in rfq ? rfq : { kind: 'rfq', rfq: shownRfq(state, rfq, rfq.taker) };

function acceptedAnswer(
  state: ExchangeState,
  outcome: AcceptOutcome | Refusal,
): RfqAcceptedAnswer | Refusal {
  if ('code' in outcome) return outcome;
  const { rfq, trades, trigger } = outcome;
  return {
    kind: 'rfq_accepted',
    rfq: shownRfq(state, rfq, rfq.taker),
    blockTrades: trades.map((trade) => shownTrade(trade, rfq.taker)),
    ...(trigger !== undefined && {
      trigger: { state: trigger.state, side: trigger.side, price: trigger.price },
    }),
  };
}

function quoteAnswer(state: ExchangeState, id: string | Refusal): RfqQuoteAnswer | Refusal {
  if (typeof id !== 'string') return id;
  const quote = must(state.rfqs.quote(id), 'a changed quote exists');
  return { kind: 'rfq_quote', quote: shownQuote(state.rfqs.get(quote.rfq), quote) };
}

function seatMakers(
  state: ExchangeState,
  { now, makers, unseated = [] }: SeatRfqMakersCommand,
): DoneAnswer {
  for (const account of unseated) {
    cancelQuotes(state, { kind: 'cancel_rfq_quotes', now, account });
    state.rfqs.makers.delete(account);
  }
  for (const { account, alias } of makers) state.rfqs.makers.set(account, alias);
  return { kind: 'done' };
}

/**
 * Applies what is due by the clock: the ends of grace periods, of quotes with their own expiry, and of RFQs.
 * They are applied in chronological order and as of their due instants, however late the exchange processes
 * them.
 */
function advanceRfqs(state: ExchangeState): void {
  const { rfqs } = state;
  for (;;) {
    const at = rfqs.dueAt();
    if (at === undefined || at > state.now) return;
    for (const rfq of rfqs.live()) advance(state, rfq, at);
    const next = rfqs.dueAt();
    assertProgress(next === undefined || next > at, `the Block RFQ expiries due at ${at}`);
  }
}

function advance(state: ExchangeState, rfq: Rfq, at: Instant): void {
  for (const quote of state.rfqs.openQuotes(rfq.number)) {
    if (quote.expiresAt !== undefined && quote.expiresAt <= at) {
      endQuote(state, quote, { status: 'expired', reason: 'quote_expired', at });
    }
  }
  if (rfq.expiresAt <= at) endRfq(state, rfq, { status: 'expired', at });
  else if (rfq.status === 'created' && rfq.opensAt <= at) {
    state.rfqs.change({ ...rfq, status: 'open', updatedAt: at });
  }
}
