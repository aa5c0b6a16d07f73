// New size and price of an open order, before the dialog that says what the edit will do.
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { OwnOrder } from '../../model/desk/followed-orders.ts';
import { askEdit } from '../../model/desk/order-actions.ts';
import { Dialog } from '../portfolio/dialog.tsx';
import { Text } from './order-form.tsx';

export const editing = signal<OwnOrder | undefined>(undefined);
const quantity = signal('');
const price = signal('');

const close = (): void => {
  editing.value = undefined;
};

export function EditDialog({ order }: { readonly order: OwnOrder }) {
  useEffect(() => {
    quantity.value = order.quantity;
    price.value = order.price;
  }, [order.orderId]);
  const next = { quantity: quantity.value, price: price.value };
  const hasChanged = next.quantity !== order.quantity || next.price !== order.price;
  return (
    <Dialog title={`Edit order ${order.orderId}`} onClose={close}>
      <form
        method="dialog"
        onSubmit={(event) => {
          event.preventDefault();
          if (!hasChanged) return;
          close();
          askEdit(order, next);
        }}
      >
        <Text label="Size, with what is filled" of={quantity} />
        <Text label="Limit price" of={price} />
        <div class="acts">
          <button type="button" onClick={close}>
            Back
          </button>
          <button type="submit" disabled={!hasChanged}>
            What it will do…
          </button>
        </div>
      </form>
    </Dialog>
  );
}
