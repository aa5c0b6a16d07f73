// The form of an order. Nothing is sent from here: it opens the dialog that says what the order will do.
import { signal } from '@preact/signals';
import { positionOf } from '../../model/desk/held-positions.ts';
import { details, ladder } from '../../model/desk/ladder.ts';
import { askOrder } from '../../model/desk/order-actions.ts';
import { AccountSelect, chosenAccount } from './account-select.tsx';

const account = signal('');
const quantity = signal('');
const price = signal('');
const kind = signal<'limit' | 'market'>('limit');
const postOnly = signal(false);
const reduceOnly = signal(false);

const DECIMAL = /^\d+(\.\d+)?$/;

/** Puts a price of the ladder into the form. */
export const useShownPrice = () => (text: string) => {
  price.value = text;
  kind.value = 'limit';
};

export function OrderForm({ name }: { readonly name: string }) {
  const of = chosenAccount(account);
  const listed = details.value;
  const isLimit = kind.value === 'limit';
  const isComplete =
    listed !== undefined && DECIMAL.test(quantity.value) && (!isLimit || DECIMAL.test(price.value));
  const review = (side: 'buy' | 'sell') => (): void => {
    const wish = {
      account: of,
      instrumentName: name,
      side,
      quantity: quantity.value,
      price: isLimit ? price.value : undefined,
      postOnly: isLimit && postOnly.value,
      reduceOnly: reduceOnly.value,
    };
    const { book, ticker } = ladder.value;
    askOrder(wish, { listed, book, ticker, position: positionOf(of, name) });
  };
  return (
    <section class="sheet order-form" aria-labelledby="order-title">
      <h2 id="order-title">Order</h2>
      <form onSubmit={(event) => event.preventDefault()}>
        <AccountSelect chosen={account} />
        <TypeSelect />
        <Text
          label={`Size${listed === undefined ? '' : ` in ${listed.quantityUnit}`}`}
          of={quantity}
        />
        {isLimit && <Text label="Limit price" of={price} />}
        {listed !== undefined && (
          <p class="count">
            Sizes in steps of {listed.qtyTickSize} from {listed.minTradeAmount} on, prices in steps
            of {listed.tickSize}
          </p>
        )}
        {isLimit && <Tick label="Post only" of={postOnly} />}
        <Tick label="Reduce only" of={reduceOnly} />
        <div class="acts">
          <button type="button" disabled={!isComplete} onClick={review('buy')}>
            Buy…
          </button>
          <button type="button" disabled={!isComplete} onClick={review('sell')}>
            Sell…
          </button>
        </div>
      </form>
    </section>
  );
}

function TypeSelect() {
  return (
    <label>
      Type
      <select
        value={kind.value}
        onChange={({ currentTarget }) => {
          kind.value = currentTarget.value === 'market' ? 'market' : 'limit';
        }}
      >
        <option value="limit">limit</option>
        <option value="market">market</option>
      </select>
    </label>
  );
}

interface FieldProps<T> {
  readonly label: string;
  readonly of: { value: T };
}

export function Text({ label, of }: FieldProps<string>) {
  return (
    <label>
      {label}
      <input
        inputMode="decimal"
        autoComplete="off"
        value={of.value}
        onInput={({ currentTarget }) => {
          of.value = currentTarget.value.trim();
        }}
      />
    </label>
  );
}

export function Tick({ label, of }: FieldProps<boolean>) {
  return (
    <label class="tick">
      <input
        type="checkbox"
        checked={of.value}
        onChange={({ currentTarget }) => {
          of.value = currentTarget.checked;
        }}
      />{' '}
      {label}
    </label>
  );
}
