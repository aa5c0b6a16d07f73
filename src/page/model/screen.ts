// Which screen the page shows, by its address: a reload, a bookmark and the browser's way back keep it.
import { signal } from '@preact/signals';

export const SCREENS = {
  blotter: 'Blotter',
  ticket: 'Ticket',
  risk: 'Risk and operations',
  strategies: 'Strategies',
  positions: 'Positions',
  chain: 'Option chain',
  orders: 'Ladder and orders',
  rfq: 'Block RFQ',
} as const;

export type Screen = keyof typeof SCREENS;

const NAME = 'screen';

export const screen = signal<Screen>('blotter');

export const screenAddress = (name: Screen): string =>
  name === 'blotter' ? '#' : `#${NAME}=${name}`;

const isScreen = (name: string): name is Screen => Object.hasOwn(SCREENS, name);

/** Call once the session has been opened, because a link that opens one has its code in the same place. */
export function followScreen(): void {
  const read = (): void => {
    const name = new URLSearchParams(location.hash.slice(1)).get(NAME) ?? '';
    screen.value = isScreen(name) ? name : 'blotter';
  };
  addEventListener('hashchange', read);
  addEventListener('popstate', read);
  read();
}
