// Passes the venues' notices about residual RFQs to the portfolio named in their label, if this process has it in
// memory. Missed notices do no harm, because every open RFQ is polled each second. An RFQ that no portfolio owns is
// cancelled.
import type { PortfolioState } from '../../core/portfolio/aggregate/portfolio-state.ts';
import type { RfqIntent } from '../../core/portfolio/aggregate/residual-rfq-intent.ts';
import { openRfq, requestedRfq } from '../../core/portfolio/aggregate/residual-rfq-state.ts';
import type { RfqDesk, RfqNews } from '../../ports/block-rfq.ts';
import type { Clock } from '../../ports/clock.ts';
import {
  type DeploymentId,
  type PortfolioId,
  parseRfqLabel,
  type RfqLabel,
} from '../../values/ids.ts';
import { later } from '../../values/instant.ts';
import type { Engine } from '../engine.ts';
import { venueRfq } from './read-residual-rfq.ts';

type TakerNews = Extract<RfqNews, { kind: 'rfq' }>;

export interface ResidualRfqNoticesOptions {
  readonly rfqs: Pick<RfqDesk, 'listen'>;
  readonly clock: Clock;
  readonly deployment: DeploymentId;
  readonly engine: { readonly turns: Pick<Engine['turns'], 'run' | 'peek' | 'states' | 'stored'> };
  readonly onFault: (error: unknown) => void;
  readonly perform: (state: PortfolioState, intent: RfqIntent) => Promise<void>;
}

/** The time for another process to store what it knows of the RFQ. */
const STRAY_MS = 2_000;

/** Handles notices until the returned function is called. */
export function subscribeResidualRfqs(parts: ResidualRfqNoticesOptions): () => void {
  return parts.rfqs.listen((news) => {
    if (news.kind === 'reconnected') queryAll(parts);
    else if (news.kind === 'rfq' && news.rfq.role === 'taker') receive(parts, news);
  });
}

function receive(parts: ResidualRfqNoticesOptions, news: TakerNews): void {
  const { label = '', id: rfqId } = news.rfq;
  const address = parseRfqLabel(label);
  if (address?.deployment !== parts.deployment) return;
  const rfq = venueRfq(news.rfq);
  const state = parts.engine.turns.peek(address.portfolio);
  if (state === undefined && rfq.status === 'live')
    return strayCame(parts, address.portfolio, news);
  if (state?.spec.accountId !== news.account) return;
  const rfqLabel = label as RfqLabel;
  // The notice does not contain the trades.
  if (rfq.status === 'filled') void parts.perform(state, { kind: 'ask_rfq', rfqLabel, rfqId });
  else
    void parts.engine.turns.run(state.id, {
      kind: 'record_rfq',
      now: parts.clock.now(),
      rfqLabel,
      rfq,
    });
}

/** The RFQ reached the venue after it was presumed not sent: it would never be accepted, yet makers can see it. */
function strayCame(
  parts: ResidualRfqNoticesOptions,
  portfolio: PortfolioId,
  news: TakerNews,
): void {
  const { clock, onFault } = parts;
  const check = (): void => void cancelForeignOrder(parts, portfolio, news).catch(onFault);
  clock.at(later(clock.now(), STRAY_MS), check);
}

async function cancelForeignOrder(
  { engine, perform }: ResidualRfqNoticesOptions,
  portfolio: PortfolioId,
  { account, rfq }: TakerNews,
): Promise<void> {
  const state = await engine.turns.stored(portfolio);
  const own = state && requestedRfq(state);
  if (state === undefined || own === undefined || state.spec.accountId !== account) return;
  if (own.label !== rfq.label || own.outcome !== 'unsent') return;
  await perform(state, { kind: 'cancel_rfq', rfqLabel: own.label, rfqId: rfq.id });
}

function queryAll({ engine, perform }: ResidualRfqNoticesOptions): void {
  for (const state of engine.turns.states()) {
    const rfq = openRfq(state);
    if (rfq === undefined) continue;
    void perform(state, { kind: 'ask_rfq', rfqLabel: rfq.label, rfqId: rfq.id });
  }
}
