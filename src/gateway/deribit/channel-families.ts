// The families of channels, in the order in which they are tried: the first one that knows a name opens it.
import type { OpenFamily } from './channels/deribit-channel.ts';
import { MarketFamily } from './channels/market-family.ts';
import { UserFamily } from './channels/user-family.ts';

export const CHANNEL_FAMILIES: readonly OpenFamily[] = [
  (parts) => new MarketFamily(parts),
  (parts) => new UserFamily(parts),
];
