// How current a panel is, in words: what is not read yet, why, and since when what is shown may have changed.

import type { ComponentChildren } from 'preact';
import { timeText } from '../model/formatting.ts';
import type { Shown } from '../model/panel-state.ts';
import { nowMs, tickMs } from './page-clock.ts';

/** Of an instant by the browser's own clock. */
export const sinceText = (sinceMs: number): string =>
  `${timeText(nowMs.value - (tickMs.value - sinceMs))} UTC`;

/** Nothing, if the panel is current. */
export function PanelFreshness({ shown }: { readonly shown: Shown<unknown> }) {
  switch (shown.kind) {
    case 'read':
      return null;
    case 'unread':
      return shown.fault === '' ? (
        <p role="status">Being read.</p>
      ) : (
        <p class="bad" role="alert">
          Not read: {shown.fault}
        </p>
      );
    case 'partial':
      return (
        <p class="bad" role="status">
          ▲ Incomplete{shown.fault !== '' && `: not read of ${shown.fault}`}
        </p>
      );
    case 'stale':
      return (
        <p class="bad" role="status">
          ▲ Not current since {sinceText(shown.sinceMs)}
          {shown.fault !== '' && `: ${shown.fault}`}
        </p>
      );
  }
}

/** In place of an empty list: of one that is not current, what it was when it was read. */
export function None({
  shown,
  children,
}: {
  readonly shown: Shown<unknown>;
  readonly children: ComponentChildren;
}) {
  if (shown.kind === 'unread' || shown.kind === 'partial') return null;
  return (
    <p class="none">
      {shown.kind === 'stale' && 'When last read: '}
      {children}
    </p>
  );
}
