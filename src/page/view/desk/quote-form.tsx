// A quote on an RFQ, new or edited: quantity and a price for each leg, before the dialog that says what it will do.
import { type Signal, signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { askEditQuote, askQuote } from '../../model/desk/rfq-actions.ts';
import type { Quote, Rfq } from '../../model/desk/rfqs.ts';
import { Dialog } from '../portfolio/dialog.tsx';

const DECIMAL = /^-?\d+(\.\d+)?$/;

const areDecimals = (quantity: string, prices: readonly string[]): boolean =>
  DECIMAL.test(quantity) && prices.every((price) => DECIMAL.test(price));

export function QuoteForm({ rfq }: { readonly rfq: Rfq }) {
  const quantity = useSignal(rfq.quantity);
  const prices = useSignal<readonly string[]>(rfq.legs.map(() => ''));
  const isComplete = areDecimals(quantity.value, prices.value);
  const review = (side: 'buy' | 'sell') => (): void =>
    askQuote(rfq, { side, quantity: quantity.value, prices: prices.value });
  return (
    <form class="quote" onSubmit={(event) => event.preventDefault()}>
      <QuoteFields legs={rfq.legs} quantity={quantity} prices={prices} />
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

interface QuoteFieldsProps {
  readonly legs: readonly { readonly instrumentName: string }[];
  readonly quantity: Signal<string>;
  readonly prices: Signal<readonly string[]>;
}

function QuoteFields({ legs, quantity, prices }: QuoteFieldsProps) {
  return (
    <>
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
      {legs.map(({ instrumentName }, index) => (
        <label key={instrumentName}>
          Price of {instrumentName}
          <input
            inputMode="decimal"
            value={prices.value[index] ?? ''}
            onInput={({ currentTarget }) => {
              prices.value = prices.value.with(index, currentTarget.value.trim());
            }}
          />
        </label>
      ))}
    </>
  );
}

/** The own quote whose edit is being written. */
export const editedQuote = signal<Quote | undefined>(undefined);

const close = (): void => {
  editedQuote.value = undefined;
};

export function EditQuoteDialog({ quote }: { readonly quote: Quote }) {
  const quantity = useSignal(quote.quantity);
  const prices = useSignal<readonly string[]>(quote.legs.map(({ price }) => price));
  useEffect(() => {
    quantity.value = quote.quantity;
    prices.value = quote.legs.map(({ price }) => price);
  }, [quote.quoteId]);
  const hasChanged =
    quantity.value !== quote.quantity ||
    quote.legs.some(({ price }, index) => price !== prices.value[index]);
  const mayAsk = hasChanged && areDecimals(quantity.value, prices.value);
  return (
    <Dialog title={`Edit quote ${quote.quoteId}`} onClose={close}>
      <form
        method="dialog"
        onSubmit={(event) => {
          event.preventDefault();
          if (!mayAsk) return;
          close();
          askEditQuote(quote, { quantity: quantity.value, prices: prices.value });
        }}
      >
        <QuoteFields legs={quote.legs} quantity={quantity} prices={prices} />
        <div class="acts">
          <button type="button" onClick={close}>
            Back
          </button>
          <button type="submit" disabled={!mayAsk}>
            What it will do…
          </button>
        </div>
      </form>
    </Dialog>
  );
}
