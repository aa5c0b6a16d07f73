// A quote on an RFQ: side, quantity and a price for each leg, before the dialog that says what it will do.
import { useSignal } from '@preact/signals';
import { askQuote } from '../../model/desk/rfq-actions.ts';
import type { Rfq } from '../../model/desk/rfqs.ts';

const DECIMAL = /^-?\d+(\.\d+)?$/;

export function QuoteForm({ rfq }: { readonly rfq: Rfq }) {
  const quantity = useSignal(rfq.quantity);
  const prices = useSignal<readonly string[]>(rfq.legs.map(() => ''));
  const isComplete =
    DECIMAL.test(quantity.value) && prices.value.every((price) => DECIMAL.test(price));
  const review = (side: 'buy' | 'sell') => (): void =>
    askQuote(rfq, { side, quantity: quantity.value, prices: prices.value });
  return (
    <form class="quote" onSubmit={(event) => event.preventDefault()}>
      <label>
        Quantity
        <input
          inputMode="decimal"
          value={quantity.value}
          onInput={({ currentTarget }) => {
            quantity.value = currentTarget.value.trim();
          }}
        />
      </label>
      {rfq.legs.map(({ instrumentName }, index) => (
        <label key={instrumentName}>
          Price of {instrumentName}
          <input
            inputMode="decimal"
            value={prices.value[index]}
            onInput={({ currentTarget }) => {
              prices.value = prices.value.with(index, currentTarget.value.trim());
            }}
          />
        </label>
      ))}
      <div class="acts">
        <button type="button" disabled={!isComplete} onClick={review('buy')}>
          Bid…
        </button>
        <button type="button" disabled={!isComplete} onClick={review('sell')}>
          Offer…
        </button>
      </div>
    </form>
  );
}
