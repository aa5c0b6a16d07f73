// Combos of Deribit: listed, and created. A new one is known at once, without waiting for the next list of instruments.
//
// To be measured (docs/deribit.md): a leg without a size is requested as one contract; a combo that is listed, but not
// among the instruments, is requested by its name, and left out if that is not answered.

import type {
  Combo,
  ComboDesk,
  LegPrices,
  NamedLeg,
  NewCombo,
  StructurePrice,
} from '../../../ports/combo-desk.ts';
import {
  Fields,
  fieldsOfEach,
  MalformedMessage,
} from '../../../ports/deribit-wire/message-fields.ts';
import {
  comboIn,
  type ListedCombo,
  legPricesIn,
} from '../../../ports/deribit-wire/wire-combo-rows.ts';
import type { Reply } from '../../../ports/trading-desk.ts';
import { quantity } from '../../../values/amounts.ts';
import type { Instrument } from '../../../values/instrument.ts';
import type { Params } from '../outcome.ts';
import type { Questions, ReadResult } from '../session/questions.ts';
import { numberOf } from '../wire/amount-numbers.ts';
import type { InstrumentCatalogue } from './instrument-catalogue.ts';

export interface ComboDeskOptions {
  readonly questions: Questions;
  readonly instruments: InstrumentCatalogue;
}

const ONE_CONTRACT = quantity('1');
/** Requested by name in one listing; the rest are in a later one. */
const ASKED_MAX = 20;

export class DeribitComboDesk implements ComboDesk {
  readonly #parts: ComboDeskOptions;

  constructor(parts: ComboDeskOptions) {
    this.#parts = parts;
  }

  /** Rejects if the venue does not list them. */
  async combos(): Promise<readonly Combo[]> {
    const reply = await this.#parts.questions.ofMarket({
      method: 'public/get_combos',
      params: { currency: 'any' },
      read: combosIn,
    });
    if (reply.kind !== 'done') {
      throw new Error(`combos: ${reply.kind === 'refused' ? reply.message : reply.reason}`);
    }
    const combos: Combo[] = [];
    let asked = 0;
    for (const listed of reply.value) {
      const known = this.#parts.instruments.known(listed.name);
      if (known === undefined) asked += 1;
      const instrument = known ?? (asked > ASKED_MAX ? undefined : await this.#termsOf(listed));
      if (instrument !== undefined) combos.push(comboOf(listed, instrument));
    }
    return combos.sort((a, b) => a.createdAt - b.createdAt);
  }

  async create({ account, trades }: NewCombo): Promise<Reply<Combo>> {
    const reply = await this.#parts.questions.ofAccount(account, {
      method: 'private/create_combo',
      params: { trades: trades.map((trade) => this.#legParams(trade)) },
      read: createdIn,
    });
    if (reply.kind !== 'done') return reply;
    const instrument = await this.#termsOf(reply.value);
    return instrument === undefined
      ? { kind: 'unknown', reason: `the terms of ${reply.value.name} cannot be read` }
      : { kind: 'done', value: comboOf(reply.value, instrument) };
  }

  legPrices({ account, legs, price }: StructurePrice): Promise<Reply<LegPrices>> {
    return this.#parts.questions.ofAccount(account, {
      method: 'private/get_leg_prices',
      params: { legs: legs.map((leg) => this.#legParams(leg)), price: numberOf(price) },
      read: (value, what, tally) => legPricesIn(new Fields(what, value, tally)),
    });
  }

  #legParams({ instrument, side, quantity: size }: NamedLeg): Params {
    const contract = this.#parts.instruments.known(instrument)?.contractSize ?? ONE_CONTRACT;
    return { instrument_name: instrument, direction: side, amount: numberOf(size ?? contract) };
  }

  async #termsOf({ name, legs }: ListedCombo): Promise<Instrument | undefined> {
    const { questions, instruments } = this.#parts;
    const reply = await questions.ofMarket({
      method: 'public/get_instrument',
      params: { instrument_name: name },
      read: (value, what, tally) => instruments.learnCombo(new Fields(what, value, tally), legs),
    });
    return reply.kind === 'done' ? reply.value : undefined;
  }
}

const comboOf = ({ name: _, legs: __, ...listed }: ListedCombo, instrument: Instrument): Combo => ({
  ...listed,
  instrument,
});

const combosIn: ReadResult<readonly ListedCombo[]> = (value, what, tally) =>
  fieldsOfEach(what, value, tally).flatMap((one) => comboIn(one) ?? []);

const createdIn: ReadResult<ListedCombo> = (value, what, tally) => {
  const combo = comboIn(new Fields(what, value, tally));
  if (combo !== undefined) return combo;
  throw new MalformedMessage(`${what} is no combo of several legs`);
};
