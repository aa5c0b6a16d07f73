// One leg of the short form: instrument, side, size, and a price only where it is priced at one.

import { grouped } from '../../../values/text/written-figures.ts';
import { NO_FIGURE } from '../../model/formatting.ts';
import { instrumentOf } from '../../model/instruments/listed-instruments.ts';
import type { Instrument } from '../../model/instruments/option-chain.ts';
import { tickers } from '../../model/instruments/tickers.ts';
import {
  bare,
  type FieldSchema,
  pathText,
  type WrittenObject,
} from '../../model/ticket/form-schema.ts';
import { sizeByHand } from '../../model/ticket/hedging.ts';
import { priceOptionsOf, textAt } from '../../model/ticket/patience.ts';
import { chooseSide, isHedge, removeItem, sideOf } from '../../model/ticket/ticket-draft.ts';
import { Field, FieldFrame, marksOf } from './field.tsx';
import { InstrumentField } from './instrument-field.tsx';

interface RowProps {
  readonly at: number;
  readonly written: WrittenObject;
  readonly schema: FieldSchema;
  /** It has a title of its own where there are several. */
  readonly title: string;
  readonly isOnly: boolean;
  readonly onPick: () => void;
}

export function LegRow({ at, written, schema, title, isOnly, onPick }: RowProps) {
  const { properties = {} } = bare(schema);
  const of = (name: string): FieldSchema => properties[name] ?? {};
  const instrument = instrumentOf(textAt(written, 'instrument'));
  const isLimit = textAt(priceOptionsOf(written), 'priceType') === 'LIMIT';
  const price = bare(of('priceOptions')).properties?.['price'] ?? {};
  return (
    <fieldset
      class={isOnly ? 'leg-row only' : 'leg-row'}
      onInput={isHedge(written) ? sizeByHand : undefined}
    >
      <legend>{title}</legend>
      {!isOnly && !isHedge(written) && (
        <button
          type="button"
          class="remove"
          aria-label={`Remove leg ${at + 1}`}
          onClick={() => removeItem(['legs'], at)}
        >
          Remove
        </button>
      )}
      <InstrumentField at={at} schema={of('instrument')} onPick={onPick} />
      {instrument !== undefined && <Market of={instrument} />}
      <div class="pairs">
        <SideField at={at} written={written} schema={of('side')} />
        <Field
          path={['legs', at, 'quantity']}
          schema={of('quantity')}
          unit={instrument?.quantityUnit}
        />
      </div>
      {isLimit && (
        <Field
          path={['legs', at, 'priceOptions', 'price']}
          schema={price}
          unit={textAt(priceOptionsOf(written), 'priceIn')}
        />
      )}
    </fieldset>
  );
}

const SIDES = [
  ['BUY', 'Buy', 'b', 'buy'],
  ['SELL', 'Sell', 's', 'sell'],
] as const;

/** Also by the letters b and s while it has the focus. */
function SideField({ at, written, schema }: Pick<RowProps, 'at' | 'written' | 'schema'>) {
  const path = ['legs', at, 'side'];
  const { id, ...marks } = marksOf(path);
  const side = sideOf(written);
  const choose = (value: 'BUY' | 'SELL'): void => {
    if (isHedge(written)) sizeByHand();
    chooseSide(at, value);
  };
  const press = (event: KeyboardEvent): void => {
    const pressed = SIDES.find(([, , letter]) => letter === event.key.toLowerCase());
    if (pressed === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    choose(pressed[0]);
    const group = event.currentTarget as HTMLElement;
    group.querySelectorAll('input')[SIDES.indexOf(pressed)]?.focus();
  };
  return (
    <FieldFrame path={path} schema={schema} groupLabel="Side">
      <div
        {...marks}
        id={id}
        role="radiogroup"
        aria-label="Side"
        class="side-choice"
        onKeyDown={press}
      >
        {SIDES.map(([value, word, , tone]) => (
          <label key={value} class={`side-${tone}`}>
            <input
              type="radio"
              name={pathText(path)}
              checked={side === value}
              onChange={() => choose(value)}
            />
            {word}
          </label>
        ))}
      </div>
    </FieldFrame>
  );
}

/** What one needs to size and price it. */
function Market({ of }: { readonly of: Instrument }) {
  const seen = tickers.value.get(of.instrumentName);
  const text = (price: string | null | undefined): string => grouped(price ?? NO_FIGURE);
  return (
    <p class="sub market">
      Bid {text(seen?.bestBidPrice)} · ask {text(seen?.bestAskPrice)} {of.quoteCurrency}
      {seen?.markIv !== undefined && ` · IV ${seen.markIv} %`}
      {seen?.greeks?.delta !== undefined && ` · delta ${seen.greeks.delta}`} · steps of{' '}
      {grouped(of.qtyTickSize)} from {grouped(of.minTradeAmount)}
    </p>
  );
}
