// Keys of the blotter: one searches, goes from row to row, and opens the row that has the focus. They can be switched off,
// because programs that speak or are spoken to use single characters too.
import { signal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';
import type { BlotterRow } from '../../model/blotter-row.ts';
import { Dialog } from '../portfolio/dialog.tsx';

const STORE = 'twapd.keys';
const OFF = 'off';
const KEYS = [
  ['/', 'Search portfolios'],
  ['j', 'Next portfolio'],
  ['k', 'Portfolio before'],
  ['Enter', 'Open the portfolio that has the focus'],
  ['Esc', 'Back to the blotter'],
  ['?', 'These keys'],
] as const;

const isHelpShown = signal(false);
const isOn = signal(localStorage.getItem(STORE) !== OFF);

interface KeysOf {
  readonly rows: readonly BlotterRow[];
  readonly rowPx: number;
  readonly scroller: RefObject<HTMLElement | null>;
}

export function useBlotterKeys({ rows, rowPx, scroller }: KeysOf): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTaken(event.target)) return;
      if (event.key === '?') isHelpShown.value = true;
      if (!isOn.value) return;
      if (event.key === '/') focusOn('input[type="search"]');
      else if (event.key === 'j') goTo(1);
      else if (event.key === 'k') goTo(-1);
      else return;
      event.preventDefault();
    };
    const goTo = (step: 1 | -1): void => {
      const element = scroller.current;
      if (element === null) return;
      const now = document.activeElement?.closest<HTMLElement>('[data-portfolio]');
      const at = rows.findIndex(({ id }) => id === now?.dataset['portfolio']);
      const next = at < 0 ? Math.ceil(element.scrollTop / rowPx) : at + step;
      const row = rows[next];
      if (row === undefined) return;
      const [top, bottom] = [next * rowPx, (next + 1) * rowPx];
      if (top < element.scrollTop) element.scrollTop = top;
      if (bottom > element.scrollTop + element.clientHeight) {
        element.scrollTop = bottom - element.clientHeight;
      }
      focusOn(`[data-portfolio="${row.id}"] a`);
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [rows, rowPx]);
}

const focusOn = (selector: string): void =>
  document.querySelector<HTMLElement>(selector)?.focus({ preventScroll: true });

/** What is typed belongs to a field, and what is pressed to an open dialog. */
const isTaken = (target: EventTarget | null): boolean =>
  document.querySelector('dialog[open]') !== null ||
  (target instanceof HTMLElement && /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName));

export function KeysHelp() {
  if (!isHelpShown.value) return null;
  return (
    <Dialog
      title="Keys of the blotter"
      onClose={() => {
        isHelpShown.value = false;
      }}
    >
      <dl class="keys">
        {KEYS.map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <label class="tick">
        <input
          type="checkbox"
          checked={isOn.value}
          onChange={(event) => {
            isOn.value = event.currentTarget.checked;
            localStorage.setItem(STORE, isOn.value ? 'on' : OFF);
          }}
        />{' '}
        Use the keys of single characters
      </label>
    </Dialog>
  );
}
