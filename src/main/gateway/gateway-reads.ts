// The portfolio operations that a gateway answers without its engine, which is another process: portfolios that are over,
// pages, and plans. They cost the engine nothing.
import { isTerminal } from '../../core/portfolio/aggregate/portfolio-state.ts';
import type { PortfolioForm } from '../../core/terms/form.ts';
import { isChoice } from '../../core/terms/instrument-choice.ts';
import type { Operations } from '../../engine/interface/operations.ts';
import type { Ledger } from '../../ports/ledger.ts';
import { portfolioId } from '../../values/ids.ts';

type Reads = Pick<Operations, 'info' | 'page' | 'plan'>;

export interface GatewayReadsOptions {
  /** Answers what depends on the state or the limits of the engine. */
  readonly engine: Pick<Operations, 'info' | 'plan'>;
  readonly ledger: Pick<Ledger, 'page' | 'row'>;
  readonly plan: Operations['plan'];
}

export function gatewayReads({ engine, ledger, plan }: GatewayReadsOptions): Reads {
  return {
    plan: (form, by) => (isPlannedHere(form) ? plan(form, by) : engine.plan(form, by)),
    info: async (portfolio) => {
      const row = await ledger.row(portfolio);
      // The engine knows an active one as of this moment.
      if (row === undefined || !isTerminal(row.status)) return await engine.info(portfolio);
      const { record } = row;
      if (record.mirrors.length === 0) return record;
      const mirrors = await Promise.all(record.mirrors.map((id) => ledger.row(portfolioId(id))));
      const over = mirrors.filter((one) => one !== undefined && isTerminal(one.status));
      if (over.length < mirrors.length) return await engine.info(portfolio);
      return { ...record, mirrored: over.flatMap((one) => one?.record ?? []) };
    },
    page: async (query) => {
      const { total, rows } = await ledger.page(query);
      return { total, rows: rows.map(({ record }) => record) };
    },
  };
}

/** Rules for instruments, and groups of market-maker protection, are looked up where they are in force. */
const isPlannedHere = ({ legs, execution }: PortfolioForm): boolean =>
  execution.mmpGroup === undefined && !legs.some(({ instrument }) => isChoice(instrument));
