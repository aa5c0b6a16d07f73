// Combos of the paper exchange behind the venue port.
import type { Exchange } from '../../exchange/exchange.ts';
import type { ComboRecord } from '../../exchange/model/combo-registry.ts';
import type {
  Combo,
  ComboDesk,
  LegPrices,
  NewCombo,
  StructurePrice,
} from '../../ports/combo-desk.ts';
import type { Reply } from '../../ports/trading-desk.ts';
import type { AttachedAccounts } from './attached-accounts.ts';
import { done, refusedReply } from './order-shapes.ts';
import type { PaperExchange } from './paper-exchange.ts';
import type { RequestLine } from './request-line.ts';

interface ComboDeskParts {
  readonly exchange: Exchange;
  readonly paper: PaperExchange;
  readonly line: RequestLine;
}

export class PaperComboDesk implements ComboDesk {
  readonly #parts: ComboDeskParts;
  readonly #accounts: AttachedAccounts;

  constructor(parts: ComboDeskParts, accounts: AttachedAccounts) {
    this.#parts = parts;
    this.#accounts = accounts;
  }

  /** Rejects if the exchange no longer answers. */
  async combos(): Promise<readonly Combo[]> {
    const { line, paper, exchange } = this.#parts;
    const seen = await line.request((now) => {
      paper.settle(now);
      return { kind: 'seen' as const, combos: exchange.combos().map(comboOf) };
    });
    if (seen.kind === 'seen') return seen.combos;
    throw new Error(`no answer about combos: ${seen.reason}`);
  }

  async create({ account, trades }: NewCombo): Promise<Reply<Combo>> {
    const refused = this.#accounts.refusalOf(account);
    if (refused !== undefined) return refused;
    const { line, paper } = this.#parts;
    return await line.request((now): Reply<Combo> => {
      const answer = paper.request({ kind: 'create_combo', now, account, trades });
      return answer.kind === 'refused' ? refusedReply(answer) : done(comboOf(answer.combo));
    });
  }

  async legPrices({ account, ...structure }: StructurePrice): Promise<Reply<LegPrices>> {
    const refused = this.#accounts.refusalOf(account);
    if (refused !== undefined) return refused;
    const { line, paper, exchange } = this.#parts;
    return await line.request((now): Reply<LegPrices> => {
      paper.settle(now);
      for (const { instrument } of structure.legs) paper.touch(instrument, now);
      const answer = exchange.legPrices(structure);
      if (answer.kind === 'refused') return refusedReply(answer);
      const { kind: _, ...value } = answer;
      return done(value);
    });
  }
}

const comboOf = ({ isEnded: _, ...combo }: ComboRecord): Combo => combo;
