// Traces a slice from due to done: the slice is the root span, each of its child orders a span below it, and
// what happens to an order (live, repriced, filled, lost) an event on its span. Built from the portfolio's
// events alone, after they are durable. What started before the process did is not traced.
import { ROOT_CONTEXT, type Span, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api';
import type { PortfolioEvent } from '../../../core/portfolio/aggregate/portfolio-event.ts';
import type { PortfolioState } from '../../../core/portfolio/aggregate/portfolio-state.ts';

type ChildEvent = Extract<PortfolioEvent, { readonly label: string }>;
type Of<K extends PortfolioEvent['kind']> = Extract<PortfolioEvent, { readonly kind: K }>;

/** Maximum number of open spans; beyond it nothing is traced. */
const OPEN_MAX = 20_000;

export class SliceSpans {
  readonly #tracer: Tracer;
  /** By portfolio and leg: a leg works on one slice at a time. */
  readonly #slices = new Map<string, Span>();
  readonly #children = new Map<string, Span>();

  constructor(tracer: Tracer) {
    this.#tracer = tracer;
  }

  /** `state` is the portfolio after the event's turn. */
  see(event: PortfolioEvent, state: PortfolioState): void {
    if (event.kind === 'slice_started') this.#sliceStarted(event, state);
    else if (event.kind === 'slice_waiting') {
      const { reason } = event;
      this.#slices.get(keyOf(state, event.leg))?.addEvent('waiting', { reason }, event.at);
    } else if (event.kind === 'slice_ended') this.#sliceEnded(event, state);
    else if (event.kind === 'filled' || event.kind === 'cancelled') this.#over(event.at, state);
    else if ('label' in event) this.#seeChild(event, state);
  }

  #sliceStarted(event: Of<'slice_started'>, state: PortfolioState): void {
    if (this.#slices.size >= OPEN_MAX) return;
    const { leg, slice, planned, quantity } = event;
    const instrument = state.spec.legs[leg]?.instrument ?? '';
    const span = this.#tracer.startSpan(
      'slice',
      {
        startTime: event.dueAt,
        attributes: {
          'twapd.portfolio': state.id,
          'twapd.account': state.spec.accountId,
          'twapd.leg': leg,
          'twapd.slice': slice,
          'twapd.instrument': instrument,
          'twapd.planned': planned,
          'twapd.quantity': quantity,
        },
      },
      ROOT_CONTEXT,
    );
    span.addEvent('started', {}, event.at);
    this.#slices.set(keyOf(state, leg), span);
  }

  #sliceEnded({ leg, at, filled, returned }: Of<'slice_ended'>, state: PortfolioState): void {
    const key = keyOf(state, leg);
    const span = this.#slices.get(key);
    span?.setAttributes({ 'twapd.filled': filled, 'twapd.returned': returned });
    span?.end(at);
    this.#slices.delete(key);
  }

  #seeChild(event: ChildEvent, state: PortfolioState): void {
    if (event.kind === 'child_intended') return this.#intended(event, state);
    const span = this.#children.get(event.label);
    if (span === undefined) return;
    switch (event.kind) {
      case 'fill_booked': {
        const { quantity, price, liquidity, tradeId } = event;
        span.addEvent('fill', { quantity, price, liquidity, tradeId }, event.at);
        return;
      }
      case 'child_rejected':
        return this.#ended(event, span, event.message);
      case 'child_unsent':
        return this.#ended(event, span, 'never reached the venue');
      case 'child_closed':
        span.setAttributes({ 'twapd.state': event.state, 'twapd.filled': event.filled });
        return this.#ended(event, span, undefined);
      default:
        span.addEvent(event.kind, {}, event.at);
    }
  }

  #intended(event: Of<'child_intended'>, state: PortfolioState): void {
    const parent = this.#slices.get(keyOf(state, event.leg));
    if (parent === undefined || this.#children.size >= OPEN_MAX) return;
    const { label, attempt, side, quantity, price } = event;
    const span = this.#tracer.startSpan(
      'child order',
      {
        startTime: event.at,
        attributes: {
          'twapd.label': label,
          'twapd.attempt': attempt,
          'twapd.side': side,
          'twapd.quantity': quantity,
          'twapd.price': price,
        },
      },
      trace.setSpan(ROOT_CONTEXT, parent),
    );
    this.#children.set(label, span);
  }

  #ended({ label, at }: ChildEvent, span: Span, fault: string | undefined): void {
    if (fault !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: fault });
    span.end(at);
    this.#children.delete(label);
  }

  #over(at: number, state: PortfolioState): void {
    for (let leg = 0; leg < state.legs.length; leg += 1) {
      const key = keyOf(state, leg);
      this.#slices.get(key)?.end(at);
      this.#slices.delete(key);
    }
  }
}

const keyOf = ({ id }: PortfolioState, leg: number): string => `${id}/${leg}`;
