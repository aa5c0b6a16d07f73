// A figure of the strip on top of a screen: what could not be read says so, and what is not current since when.
import type { ComponentChildren } from 'preact';
import { AWAITED, NOT_KNOWN } from '../model/formatting.ts';
import type { Shown } from '../model/panel-state.ts';
import { sinceText } from './panel-freshness.tsx';

export interface Said {
  readonly text: string;
  readonly detail: string;
  readonly tone?: 'good' | 'warn' | 'bad' | undefined;
}

interface FigureProps<T> {
  readonly name: string;
  readonly shown: Shown<T>;
  readonly say: (value: T) => Said;
}

export function Figure<T>({ name, shown, say }: FigureProps<T>) {
  if (shown.kind === 'unread') {
    const isAwaited = shown.fault === '';
    return (
      <Cell name={name} tone={isAwaited ? undefined : 'warn'} title={shown.fault}>
        {isAwaited ? AWAITED : NOT_KNOWN}
        <small>{isAwaited ? 'being read' : shown.fault}</small>
      </Cell>
    );
  }
  const { text, detail, tone } = say(shown.value);
  const isStale = shown.kind === 'stale';
  return (
    <Cell name={name} tone={isStale ? undefined : tone} title={detail}>
      {text}
      <small>{isStale ? `▲ as of ${sinceText(shown.sinceMs)}` : detail}</small>
    </Cell>
  );
}

interface CellProps {
  readonly name: string;
  readonly tone?: Said['tone'];
  readonly title: string;
  readonly children: ComponentChildren;
}

export function Cell({ name, tone, title, children }: CellProps) {
  return (
    <div title={title}>
      <dt>{name}</dt>
      <dd class={tone ?? ''}>{children}</dd>
    </div>
  );
}
