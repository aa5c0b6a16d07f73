// The screens of a trader's desk, and the dialog that their actions share.
import { ChainScreen } from './chain-screen.tsx';
import { OrdersScreen } from './orders-screen.tsx';
import { RfqScreen } from './rfq-screen.tsx';
import { SendDialog } from './send-dialog.tsx';

export type DeskScreenName = 'chain' | 'orders' | 'rfq';

export function DeskScreen({ name }: { readonly name: DeskScreenName }) {
  return (
    <>
      {name === 'chain' && <ChainScreen />}
      {name === 'orders' && <OrdersScreen />}
      {name === 'rfq' && <RfqScreen />}
      <SendDialog />
    </>
  );
}
