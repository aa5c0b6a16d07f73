// The portfolio operations of a gateway whose engine is another process: what is read and planned is read and planned here,
// so that it costs the engine nothing; everything else is passed to the engine.
import { isTerminal } from '../../core/portfolio/aggregate/portfolio-state.ts';
import type { PortfolioForm } from '../../core/terms/form.ts';
import { isChoice } from '../../core/terms/instrument-choice.ts';
import type { Actor } from '../../core/terms/spec.ts';
import type { EngineApi } from '../../engine/interface/engine-api.ts';
import type { Operations } from '../../engine/interface/operations.ts';
import type { Ledger } from '../../ports/ledger.ts';
import { portfolioId } from '../../values/ids.ts';

export interface GatewayOperationsOptions {
  readonly engine: EngineApi['portfolios'];
  readonly ledger: Pick<Ledger, 'page' | 'row'>;
  readonly plan: Operations['plan'];
}

export function gatewayOperations(parts: GatewayOperationsOptions): Operations {
  const { engine, ledger } = parts;
  return {
    submit: (form, by, key) => engine.submit(form, by, key),
    plan: (form, by) => (isPlannedHere(form) ? parts.plan(form, by) : planned(engine, form, by)),
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
    cancel: (portfolio, by, account) => engine.cancel(portfolio, by, account),
    cancelAll: (filter, by) => engine.cancelAll(filter, by),
    pause: (portfolio, by, account) => engine.pause(portfolio, by, account),
    resume: (portfolio, by, account) => engine.resume(portfolio, by, account),
    amend: (request) => engine.amend(request),
  };
}

/** Rules for instruments, and groups of market-maker protection, are looked up where they are in force. */
const isPlannedHere = ({ legs, execution }: PortfolioForm): boolean =>
  execution.mmpGroup === undefined && !legs.some(({ instrument }) => isChoice(instrument));

const planned = async (engine: EngineApi['portfolios'], form: PortfolioForm, by: Actor) =>
  await engine.plan(form, by);
