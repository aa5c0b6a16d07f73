// The invariants to check after any storm. Every fault found is reported as one line.

import type { PortfolioEvent } from '../../../src/core/portfolio/aggregate/portfolio-event.ts';
import {
  isTerminal,
  type PortfolioState,
} from '../../../src/core/portfolio/aggregate/portfolio-state.ts';
import { hasUnsettled } from '../../../src/core/portfolio/aggregate/positions.ts';
import { fold } from '../../../src/core/portfolio/aggregate/replay.ts';
import { equals, isMore, plus, text, ZERO_QUANTITY } from '../../../src/values/amounts.ts';
import { type PortfolioId, parseChildLabel } from '../../../src/values/ids.ts';
import { plainState } from '../plain-state.ts';
import { eventsOf, type StormResult } from './storm.ts';

/** Failures that the injected faults are meant to cause and that are handled where they occur. */
const HANDLED = new Set(['ledger', 'sweep', 'venue.open_orders']);

export async function faultsOf(result: StormResult): Promise<readonly string[]> {
  const faults = [...venueFaults(result), ...processFaults(result)];
  const stored = await storedPortfolios(result);
  for (const portfolio of stored) faults.push(...(await portfolioFaults(result, portfolio)));
  return faults;
}

async function storedPortfolios({ ledger, portfolios }: StormResult): Promise<PortfolioId[]> {
  const all = new Set<PortfolioId>(portfolios);
  for (const portfolio of portfolios) {
    const [first] = await eventsOf(ledger, portfolio);
    if (first?.kind !== 'submitted') continue;
    for (const mirror of first.spec.mirrors) all.add(mirror as PortfolioId);
  }
  return [...all];
}

function venueFaults({ venue, endedAfterMs }: StormResult): string[] {
  const faults: string[] = [];
  if (!Number.isFinite(endedAfterMs)) faults.push('I19: a portfolio never ended');
  const labels = venue.kept.map(({ order }) => order.label);
  const twice = labels.filter((label, index) => labels.indexOf(label) !== index);
  if (twice.length > 0) faults.push(`I2: placed twice: ${twice.join(' ')}`);
  const open = venue.kept.filter(({ order }) => order.state === 'open');
  if (open.length > 0) faults.push(`I6: left open: ${open.map(({ order }) => order.label)}`);
  return faults;
}

function processFaults({ worlds, broken }: StormResult): string[] {
  const failures = worlds.flatMap(({ observer }) => observer.failures);
  const unexpected = failures.filter(({ where }) => !HANDLED.has(where));
  const foreign = worlds.flatMap(({ observer }) => observer.foreign);
  return [
    ...broken.map((error) => `crash: ${String(error)}`),
    ...unexpected.map(({ where, error }) => `failure in ${where}: ${String(error)}`),
    ...foreign.map((label) => `I4: ${label} was treated as foreign`),
  ];
}

async function portfolioFaults(result: StormResult, portfolio: PortfolioId): Promise<string[]> {
  const events = await eventsOf(result.ledger, portfolio);
  const state = fold(portfolio, events);
  if (state === undefined) return [`${portfolio} is not stored`];
  return [
    ...endFaults(state),
    ...replayFaults(state, events),
    ...orderFaults(events),
    ...fillFaults(result, state),
    ...newsFaults(result, state, events),
  ].map((fault) => `${portfolio}: ${fault}`);
}

function endFaults(state: PortfolioState): string[] {
  const faults: string[] = [];
  if (!isTerminal(state.status)) faults.push(`I19: is still ${state.status}`);
  if (hasUnsettled(state)) faults.push('I6: has an unsettled child');
  if (state.broken) faults.push('assumption broken');
  return faults;
}

function replayFaults(state: PortfolioState, events: readonly PortfolioEvent[]): string[] {
  const again = fold(state.id, JSON.parse(JSON.stringify(events)) as PortfolioEvent[]);
  return again && plainState(again) === plainState(state) ? [] : ['I15: replay differs'];
}

/**
 * The log of a portfolio is in order: after CANCELLING only hedges are intended, of fills that came before or of orders under
 * way, and there is one end with nothing after it.
 */
function orderFaults(events: readonly PortfolioEvent[]): string[] {
  const faults: string[] = [];
  const kinds = events.map(({ kind }) => kind);
  const ends = events.filter(({ kind }) => kind === 'cancelled' || kind === 'filled');
  const cancelling = kinds.indexOf('cancelling');
  if (ends.length !== 1) faults.push(`I8: ended ${ends.length} times`);
  if (kinds.filter((kind) => kind === 'cancelling').length > 1) faults.push('I8: two cancellings');
  const [first] = events;
  const isHedge = (leg: number): boolean =>
    first?.kind === 'submitted' && first.spec.legs[leg]?.hedge === true;
  const late = cancelling < 0 ? [] : events.slice(cancelling);
  if (late.some((event) => event.kind === 'child_intended' && !isHedge(event.leg))) {
    faults.push('I6: a child that hedges nothing was intended after CANCELLING');
  }
  if (events.at(-1) !== ends[0]) faults.push(`something follows the end: ${kinds.slice(-3)}`);
  return faults;
}

/** Venue and ledger agree on every leg, and no leg exceeds its total. */
function fillFaults({ venue }: StormResult, state: PortfolioState): string[] {
  const isShadow = state.spec.mirrorOf !== undefined;
  const owner = state.spec.mirrorOf ?? state.id;
  return state.legs.flatMap((leg, index) => {
    const atVenue = venue.kept
      .filter(({ order }) => {
        const address = parseChildLabel(order.label);
        return address?.portfolio === owner && address.leg === index;
      })
      .reduce((sum, { order }) => plus(sum, order.filledQuantity), ZERO_QUANTITY);
    const total = state.spec.legs[index]?.quantity ?? ZERO_QUANTITY;
    const faults: string[] = [];
    if (isMore(atVenue, total)) faults.push(`I1: leg ${index} overfilled: ${text(atVenue)}`);
    // A shadow that was cancelled on its own stops copying.
    const isOwnEnd = isShadow && state.reason === 'cancel_all';
    if (!equals(leg.filled, atVenue) && !isOwnEnd) {
      faults.push(`I5: leg ${index} has ${text(leg.filled)}, the venue ${text(atVenue)}`);
    }
    return faults;
  });
}

/** Each event is published at most once, and all are published unless a process died. */
function newsFaults(
  { news, deaths, processes }: StormResult,
  state: PortfolioState,
  events: readonly PortfolioEvent[],
): string[] {
  const pairs = [
    ['cancelling', 'PORTFOLIO_CANCELLING'],
    ['cancelled', 'PORTFOLIO_CANCELLED'],
    ['filled', 'PORTFOLIO_FILLED'],
  ] as const;
  return pairs.flatMap(([kind, type]) => {
    const happened = events.filter((event) => event.kind === kind).length;
    const own = news.filter((one) => one.portfolio === state.id && one.messageType === type);
    // Two processes may publish one event if the ledger left one of them in doubt about its commit.
    const told = new Set(own.map((one) => (processes > 1 ? one.version : one))).size;
    const isRight = deaths > 0 ? told <= happened : told === happened;
    return isRight ? [] : [`I8: ${type} told ${told} times, happened ${happened} times`];
  });
}
