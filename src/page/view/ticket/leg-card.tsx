// One leg of the ticket: its instrument, side, quantity and price, and what else a leg may have.
import { instrumentOf } from '../../model/instruments/listed-instruments.ts';
import type { Instrument } from '../../model/instruments/option-chain.ts';
import { tickers } from '../../model/instruments/tickers.ts';
import { bare, type FieldSchema, type WrittenObject } from '../../model/ticket/form-schema.ts';
import { removeItem } from '../../model/ticket/ticket-draft.ts';
import { Field, Fields, Folded } from './field.tsx';

const FIRST = ['instrument', 'instrumentType', 'side', 'quantity'];
const PRICE = 'priceOptions';

interface LegProps {
  readonly at: number;
  readonly written: WrittenObject;
  readonly schema: FieldSchema;
  readonly onPick: () => void;
}

export function LegCard({ at, written, schema, onPick }: LegProps) {
  const { properties = {}, required = [] } = bare(schema);
  const path = ['legs', at];
  const { instrument: named } = written;
  const name = typeof named === 'string' ? named : '';
  const rest = Object.keys(properties).filter((one) => !FIRST.includes(one) && one !== PRICE);
  const instrument = instrumentOf(name);
  return (
    <fieldset class="leg">
      <legend>
        Leg {at + 1} {name}
      </legend>
      <div class="acts">
        <button type="button" aria-label={`Pick the instrument of leg ${at + 1}`} onClick={onPick}>
          Pick…
        </button>
        <button
          type="button"
          aria-label={`Remove leg ${at + 1}`}
          onClick={() => removeItem(['legs'], at)}
        >
          Remove
        </button>
      </div>
      {instrument !== undefined && <Market of={instrument} />}
      <div class="fields">
        {FIRST.map((one) => (
          <Field
            key={one}
            path={[...path, one]}
            schema={properties[one] ?? {}}
            isRequired={required.includes(one)}
          />
        ))}
      </div>
      <div class="fields">
        <Fields path={[...path, PRICE]} schema={properties[PRICE] ?? {}} />
      </div>
      <Folded
        title={`More of leg ${at + 1}`}
        paths={rest.map((one): readonly (string | number)[] => [...path, one])}
      >
        <Fields path={path} schema={schema} but={[...FIRST, PRICE]} />
      </Folded>
    </fieldset>
  );
}

/** What one needs to size and price it. */
function Market({ of }: { readonly of: Instrument }) {
  const seen = tickers.value.get(of.instrumentName);
  return (
    <p class="sub">
      Bid {seen?.bestBidPrice ?? '–'}, ask {seen?.bestAskPrice ?? '–'}
      {seen?.markIv !== undefined && `, IV ${seen.markIv} %`}
      {seen?.greeks?.delta !== undefined && `, delta ${seen.greeks.delta}`}; quantity in{' '}
      {of.quantityUnit}, at least {of.minTradeAmount} in steps of {of.qtyTickSize}
    </p>
  );
}
