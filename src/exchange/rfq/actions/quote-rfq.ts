// Makers' operations: quote, edit, cancel one, cancel many. Each new price may trigger a waiting accept of
// the taker.
import { checkLabel } from '../../checks/order-checks.ts';
import type { ExchangeState } from '../../exchange-state.ts';
import type { Refusal } from '../../model/refusal.ts';
import { affordsQuote } from '../blocks/block-funds.ts';
import type { RfqQuote } from '../maker-quote.ts';
import { checkBeside, quotedTerms } from '../quote-checks.ts';
import type { Rfq } from '../rfq.ts';
import { checkBooks, makersRfq, seatedRfq } from '../rfq-access.ts';
import type {
  CancelRfqQuoteCommand,
  CancelRfqQuotesCommand,
  EditRfqQuoteCommand,
  QuoteName,
  QuoteRfqCommand,
} from '../rfq-command.ts';
import { endQuote } from '../rfq-end.ts';
import * as refusal from '../rfq-refusal.ts';
import { fireTriggers } from './accept-rfq.ts';

/** Returns the id of the new quote, which may already be filled. */
export function quoteRfq(state: ExchangeState, command: QuoteRfqCommand): string | Refusal {
  const { account: maker, side, label, expiresAt, mmpGroup } = command;
  const rfq = makersRfq(state, command);
  if ('code' in rfq) return rfq;
  const refused = checkBooks(state, rfq) ?? checkLabel(label);
  if (refused !== undefined) return refused;
  const terms = quotedTerms(state, rfq, command);
  if ('code' in terms) return terms;
  const quote: RfqQuote = {
    ...state.rfqs.nextQuote(),
    rfq: rfq.number,
    maker,
    label,
    side,
    ...terms,
    filledUnits: 0,
    instruction: command.executionInstruction,
    status: 'open',
    replaced: false,
    createdAt: state.now,
    updatedAt: state.now,
    ...(expiresAt !== undefined && { expiresAt }),
    ...(mmpGroup !== undefined && { mmpGroup }),
  };
  return entered(state, rfq, quote);
}

/** `expiresAt` and `mmpGroup` keep their values if absent; everything else is replaced. */
export function editQuote(state: ExchangeState, command: EditRfqQuoteCommand): string | Refusal {
  const before = ownOpenQuote(state, command);
  if ('code' in before) return before;
  const rfq = state.rfqs.get(before.rfq);
  const books = checkBooks(state, rfq);
  if (books !== undefined) return books;
  const terms = quotedTerms(state, rfq, command);
  if ('code' in terms) return terms;
  const { executionInstruction: instruction, expiresAt, mmpGroup } = command;
  return entered(state, rfq, {
    ...before,
    ...terms,
    instruction,
    replaced: true,
    updatedAt: state.now,
    rank: state.rfqs.nextRank(),
    ...(expiresAt !== undefined && { expiresAt }),
    ...(mmpGroup !== undefined && { mmpGroup }),
  });
}

function entered(state: ExchangeState, rfq: Rfq, quote: RfqQuote): string | Refusal {
  const refused =
    checkBeside(state, rfq, { ...quote, without: quote.id }) ?? affordsQuote(state, rfq, quote);
  if (refused !== undefined) return refused;
  state.rfqs.changeQuote(quote);
  fireTriggers(state, rfq.number);
  return quote.id;
}

export function cancelQuote(
  state: ExchangeState,
  command: CancelRfqQuoteCommand,
): string | Refusal {
  const quote = ownOpenQuote(state, command);
  if ('code' in quote) return quote;
  endQuote(state, quote, { status: 'cancelled', reason: 'user_request', at: state.now });
  return quote.id;
}

export function cancelQuotes(
  state: ExchangeState,
  command: CancelRfqQuotesCommand,
): number | Refusal {
  const { account, rfqId, mmpGroup, reason = 'user_request' } = command;
  const named = rfqId === undefined ? undefined : seatedRfq(state, { account, rfqId });
  if (named !== undefined && 'code' in named) return named;
  const rfqs = named === undefined ? state.rfqs.live() : [named];
  const own = rfqs
    .flatMap(({ number }) => state.rfqs.openQuotes(number))
    .filter(
      (quote) => quote.maker === account && (mmpGroup === undefined || quote.mmpGroup === mmpGroup),
    );
  for (const quote of own) endQuote(state, quote, { status: 'cancelled', reason, at: state.now });
  return own.length;
}

interface Named {
  readonly account: QuoteRfqCommand['account'];
  readonly of: QuoteName;
}

const unknownQuote = (): Refusal =>
  refusal.notFound(
    'quoteId',
    'no such quote of this account; accepted: quoteId, or blockRfqId and label',
  );

function ownOpenQuote(state: ExchangeState, { account, of }: Named): RfqQuote | Refusal {
  if ('quoteId' in of) {
    const quote = state.rfqs.quote(of.quoteId);
    if (quote?.maker !== account) return unknownQuote();
    return quote.status === 'open'
      ? quote
      : refusal.alreadyClosed('quoteId', `the quote is ${quote.status}`);
  }
  const rfq = state.rfqs.find(account, of.rfqId);
  const labelled = (rfq === undefined ? [] : state.rfqs.openQuotes(rfq.number)).filter(
    ({ maker, label }) => maker === account && label === of.label,
  );
  if (labelled.length > 1) {
    return refusal.ambiguousLabel(
      'label',
      `${labelled.length} open quotes have it; accepted: a quoteId`,
    );
  }
  return labelled[0] ?? unknownQuote();
}
