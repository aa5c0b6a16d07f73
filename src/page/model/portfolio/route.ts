// Which portfolio the page shows, by its address: a reload, a bookmark and the browser's way back keep it.
import { signal } from '@preact/signals';

const NAME = 'portfolio';
const ID = /^\d{1,19}$/;

/** Id of the portfolio that is shown; `undefined`: the blotter. */
export const shownPortfolio = signal<string | undefined>(undefined);

/** The one that was shown before the blotter: its row takes the focus. */
let left: string | undefined;
let isFromBlotter = false;

export const portfolioAddress = (id: string): string => `#${NAME}=${id}`;

/** Call once the session has been opened, because a link that opens one has its code in the same place. */
export function followAddress(): void {
  const read = (): void => {
    const id = new URLSearchParams(location.hash.slice(1)).get(NAME) ?? '';
    const next = ID.test(id) ? id : undefined;
    if (next === shownPortfolio.value) return;
    isFromBlotter = next !== undefined && shownPortfolio.value === undefined;
    left = shownPortfolio.value;
    shownPortfolio.value = next;
  };
  addEventListener('hashchange', read);
  addEventListener('popstate', read);
  read();
  isFromBlotter = false;
}

/** Goes back in the browser's history if the blotter is there. */
export function showBlotter(): void {
  if (isFromBlotter) history.back();
  else location.hash = '';
}

/** Once: the id of the portfolio from which the blotter is returned to. */
export function takeLeft(): string | undefined {
  const id = left;
  left = undefined;
  return id;
}
