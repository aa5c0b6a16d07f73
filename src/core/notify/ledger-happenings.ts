// What people are notified of from the ledger: ends, pauses and contradictions of portfolios, and settings of trading switches.

import { isZero, quantity } from '../../values/amounts.ts';
import { type AccountId, accountId, type PortfolioId, portfolioId } from '../../values/ids.ts';
import { instant } from '../../values/instant.ts';
import { counted } from '../../values/text/written-figures.ts';
import type { EventKind, PortfolioEvent } from '../portfolio/aggregate/portfolio-event.ts';
import type { LegSummary, PortfolioSummary } from '../portfolio/summary/portfolio-summary.ts';
import { CONTROL_ACTOR } from '../risk/gate/repeated-execution.ts';
import type { SwitchSetting } from '../risk/trading-switch.ts';
import type { Happening, HappeningKind } from './happening.ts';

/** The events that {@link portfolioHappening} has something to say about. */
export const NOTABLE_EVENTS = [
  'filled',
  'cancelled',
  'paused',
  'assumption_broken',
  'hedge_left_open',
] as const satisfies readonly EventKind[];

/** An event with the record of its portfolio. */
export interface NotableEvent {
  readonly portfolio: PortfolioId;
  readonly account: AccountId;
  /** Of the portfolio after the event. */
  readonly version: number;
  readonly event: PortfolioEvent;
  readonly record: PortfolioSummary;
}

/** `undefined` for what is not reported: other events, pauses by a person, and shadows, which only repeat. */
export function portfolioHappening(of: NotableEvent): Happening | undefined {
  const { portfolio, account, version, event, record } = of;
  if (record.mirrorOf !== undefined) return undefined;
  const said = sayingOf(event, portfolio);
  if (said === undefined) return undefined;
  return {
    kind: said.kind,
    key: `portfolio/${portfolio}/${version}`,
    at: instant(event.at),
    title: said.title,
    detail: [...(said.why === undefined ? [] : [said.why]), ...describe(record)].join('; '),
    account,
    portfolio,
  };
}

interface Saying {
  readonly kind: HappeningKind;
  readonly title: string;
  readonly why?: string;
}

function sayingOf(event: PortfolioEvent, portfolio: PortfolioId): Saying | undefined {
  switch (event.kind) {
    case 'filled':
      return { kind: 'filled', title: `portfolio ${portfolio} is filled` };
    case 'cancelled': {
      const isWhole = event.residual.every((left) => isZero(quantity(left)));
      const end = `ended: ${event.reason}`;
      return isWhole
        ? { kind: 'filled', title: `portfolio ${portfolio} ${end}` }
        : { kind: 'residual', title: `portfolio ${portfolio} ${end}, with a residual` };
    }
    case 'paused':
      return event.by === CONTROL_ACTOR.uid
        ? {
            kind: 'paused',
            title: `portfolio ${portfolio} was paused by a control`,
            why: 'it waits until a person resumes it; the log line control_refused says why',
          }
        : undefined;
    case 'assumption_broken':
      return {
        kind: 'contradiction',
        title: `the venue contradicted what was proven about portfolio ${portfolio}`,
        why: event.what,
      };
    case 'hedge_left_open':
      return {
        kind: 'hedge_open',
        title: `portfolio ${portfolio} is not hedged: leg ${event.leg + 1} lacks ${event.quantity}`,
        why: 'its other legs were filled, and the hedge did not follow',
      };
    default:
      return undefined;
  }
}

const LEGS_SHOWN = 5;

function describe(record: PortfolioSummary): readonly string[] {
  const { account, strategy, note, legs } = record;
  const more = legs.length - LEGS_SHOWN;
  return [
    `account ${account}`,
    ...(strategy === undefined ? [] : [`strategy ${strategy}`]),
    ...(note === '' ? [] : [`note ${note}`]),
    ...legs.slice(0, LEGS_SHOWN).map(legText),
    ...(more > 0 ? [counted(more, 'more leg')] : []),
  ];
}

function legText({
  side,
  filled,
  quantity: all,
  quantityIn,
  instrument,
  averagePrice,
}: LegSummary) {
  const at = isZero(quantity(filled)) ? '' : ` at ${averagePrice}`;
  return `${side} ${filled} of ${all} ${quantityIn} ${instrument}${at}`;
}

export function switchHappening(setting: SwitchSetting & { readonly number: number }): Happening {
  const { scope, of, state, by, reason, at, number } = setting;
  const what = scope === 'deployment' ? 'of the deployment' : `of ${scope} ${of}`;
  return {
    kind: 'switch_set',
    key: `switch/${number}`,
    at,
    title: `the trading switch ${what} is ${state}`,
    detail: `set by ${by.nickname || by.uid}: ${reason}`,
    ...(scope === 'account' && { account: accountId(of) }),
    ...(scope === 'portfolio' && { portfolio: portfolioId(of) }),
  };
}
