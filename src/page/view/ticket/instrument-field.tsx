// The instrument of a leg: found by words of its name while one types, or picked from the chain.
import { useState } from 'preact/hooks';
import { catalogueShown } from '../../model/instruments/listed-instruments.ts';
import { foundByName, type Instrument } from '../../model/instruments/option-chain.ts';
import { type FieldSchema, pathText } from '../../model/ticket/form-schema.ts';
import { textAt } from '../../model/ticket/patience.ts';
import { draft, legsOf, nameInstrument, pickInstrument } from '../../model/ticket/ticket-draft.ts';
import { FieldFrame, fieldId, marksOf } from './field.tsx';

const SHOWN_MOST = 8;

/** Where one types next: the side, or the size if the side is known. */
export function focusAfterInstrument(leg: number): void {
  const side = textAt(legsOf(draft.value)[leg] ?? {}, 'side');
  // Once the new terms are on the screen.
  requestAnimationFrame(() => focusField(`legs[${leg}].${side === '' ? 'side' : 'quantity'}`));
}

export function focusField(field: string): void {
  const element = document.getElementById(fieldId(field));
  (element?.querySelector<HTMLElement>('input') ?? element)?.focus();
}

interface InstrumentFieldProps {
  readonly at: number;
  readonly schema: FieldSchema;
  readonly onPick: () => void;
}

export function InstrumentField({ at, schema, onPick }: InstrumentFieldProps) {
  const path = ['legs', at, 'instrument'];
  const written = textAt(legsOf(draft.value)[at] ?? {}, 'instrument');
  const [text, setText] = useState<string | undefined>(undefined);
  const [active, setActive] = useState(0);
  const shown = catalogueShown.value;
  const all = shown.kind === 'unread' ? [] : shown.value;
  const found = text === undefined || text.trim() === '' ? [] : foundByName(all, text);
  const offered = found.slice(0, SHOWN_MOST);
  const listId = `${fieldId(pathText(path))}-list`;
  const take = (instrument: Instrument): void => {
    setText(undefined);
    pickInstrument(at, instrument);
    focusAfterInstrument(at);
  };
  /** A name that is written in full, or a rule; never the first of several that it may mean. */
  const leave = (): void => {
    if (text === undefined) return;
    const name = text.trim();
    const whole = all.find(({ instrumentName }) => instrumentName === name.toUpperCase());
    setText(undefined);
    if (whole !== undefined) pickInstrument(at, whole);
    else nameInstrument(at, name);
  };
  const typing: Typing = { text, setText, active, setActive, offered, take, leave };
  return (
    <FieldFrame path={path} schema={schema}>
      <span class="entry">
        <input
          {...marksOf(path)}
          role="combobox"
          aria-autocomplete="list"
          aria-expanded={offered.length > 0}
          aria-controls={listId}
          aria-activedescendant={offered.length > 0 ? `${listId}-${active}` : undefined}
          autoComplete="off"
          autoCapitalize="characters"
          spellcheck={false}
          placeholder="BTC 25DEC 100000 C"
          value={text ?? written}
          onInput={(event) => {
            setActive(0);
            setText(event.currentTarget.value);
          }}
          onKeyDown={(event) => press(event, typing)}
          onBlur={leave}
        />
        <button type="button" aria-label={`Pick the instrument of leg ${at + 1}`} onClick={onPick}>
          Pick…
        </button>
        <Found id={listId} offered={offered} active={active} onTake={take} />
      </span>
    </FieldFrame>
  );
}

interface Typing {
  /** What is being typed; `undefined` once it was taken. */
  readonly text: string | undefined;
  readonly setText: (text: string | undefined) => void;
  readonly active: number;
  readonly setActive: (active: number) => void;
  readonly offered: readonly Instrument[];
  readonly take: (instrument: Instrument) => void;
  readonly leave: () => void;
}

function press(event: KeyboardEvent, typing: Typing): void {
  const { text, setText, active, setActive, offered, take, leave } = typing;
  const chosen = offered[active];
  if (chosen === undefined) {
    // What is written is taken first: the ticket as it was before is not what Enter means.
    if (event.key !== 'Enter' || text === undefined) return;
    event.preventDefault();
    return leave();
  }
  if (event.key === 'ArrowDown') setActive((active + 1) % offered.length);
  else if (event.key === 'ArrowUp') setActive((active + offered.length - 1) % offered.length);
  else if (event.key === 'Enter') take(chosen);
  else if (event.key === 'Escape') setText(undefined);
  else return;
  event.preventDefault();
}

interface FoundProps {
  readonly id: string;
  readonly offered: readonly Instrument[];
  readonly active: number;
  readonly onTake: (instrument: Instrument) => void;
}

/** Takes no focus: the field keeps it and says which line is meant. */
function Found({ id, offered, active, onTake }: FoundProps) {
  return (
    <div id={id} role="listbox" aria-label="Instruments found" class="found">
      {offered.map((one, index) => (
        <div
          key={one.instrumentName}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          onMouseDown={(event) => {
            event.preventDefault();
            onTake(one);
          }}
        >
          {one.instrumentName}
        </div>
      ))}
    </div>
  );
}
