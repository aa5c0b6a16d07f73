// A call of a venue about a child: how long it took and how it was answered goes to the observer, and an adapter that throws
// has given no answer.
import { type Unknown, whyNot } from '../../core/order/answer-class.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Observer, VenueMethod } from '../../ports/observer.ts';
import type { Reply } from '../../ports/trading-desk.ts';
import type { Venue } from '../../ports/venue.ts';
import type { ChildLabel, PortfolioId } from '../../values/ids.ts';

interface Witnesses {
  readonly clock: Clock;
  readonly observer: Observer;
}

interface Call {
  readonly venue: Venue;
  readonly method: VenueMethod;
  readonly label: ChildLabel;
}

export async function venueCall<T>(
  { clock, observer }: Witnesses,
  portfolio: PortfolioId,
  { venue, method, label }: Call,
  send: () => Promise<Reply<T>>,
): Promise<Reply<T>> {
  const from = clock.monotonicMs();
  const answer = await send().catch(
    // An adapter that throws has broken its contract; what it sent cannot be known.
    (error: unknown): Unknown => {
      observer.observe({ event: 'failed', where: `venue_call.${method}`, error, portfolio });
      return { kind: 'unknown', reason: `adapter failed: ${String(error)}` };
    },
  );
  observer.observe({
    event: 'venue_answered',
    venue: venue.name,
    method,
    class: answerName(answer),
    elapsedMs: clock.monotonicMs() - from,
    portfolio,
    label,
    detail: answer.kind === 'done' ? undefined : whyNot(answer),
  });
  return answer;
}

function answerName(answer: Reply<unknown>) {
  if (answer.kind === 'refused') return answer.class;
  return answer.kind === 'unknown' ? ('unknown' as const) : ('ok' as const);
}
