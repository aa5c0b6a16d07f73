// What stands in place of what a panel would show, or above it: a picture each for what is being read, could not be read, is
// incomplete, is no longer current, and for what was read and is empty.

import type { ComponentChildren } from 'preact';
import { timeText } from '../model/formatting.ts';
import type { Shown } from '../model/panel-state.ts';
import { nowMs, tickMs } from './page-clock.ts';

/** Of an instant by the browser's own clock. */
export const sinceText = (sinceMs: number): string =>
  `${timeText(nowMs.value - (tickMs.value - sinceMs))} UTC`;

const SIGNS = { loading: '', failed: '✕', partial: '▲', stale: '▲', empty: '∅' } as const;

interface PictureProps {
  readonly kind: keyof typeof SIGNS;
  readonly children: ComponentChildren;
}

function Picture({ kind, children }: PictureProps) {
  const role = kind === 'empty' ? undefined : kind === 'failed' ? 'alert' : 'status';
  return (
    <div class={`picture ${kind}`}>
      <p role={role}>
        {SIGNS[kind] !== '' && <span aria-hidden="true">{SIGNS[kind]} </span>}
        {children}
      </p>
      {kind === 'loading' && <span class="skeleton" aria-hidden="true" />}
    </div>
  );
}

/** Nothing, if the panel is current. */
export function PanelFreshness({ shown }: { readonly shown: Shown<unknown> }) {
  switch (shown.kind) {
    case 'read':
      return null;
    case 'unread':
      return shown.fault === '' ? (
        <Picture kind="loading">Being read.</Picture>
      ) : (
        <Picture kind="failed">Not read: {shown.fault}</Picture>
      );
    case 'partial':
      return (
        <Picture kind="partial">
          Incomplete{shown.fault !== '' && `: not read of ${shown.fault}`}
        </Picture>
      );
    case 'stale':
      return (
        <Picture kind="stale">
          Not current since {sinceText(shown.sinceMs)}
          {shown.fault !== '' && `: ${shown.fault}`}
        </Picture>
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
    <Picture kind="empty">
      {shown.kind === 'stale' && 'When last read: '}
      {children}
    </Picture>
  );
}
