// A field of the ticket as the daemon's schema describes it, whatever it is: with its help, and what the daemon refuses in it.

import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { fieldTime, spanMs, spanText } from '../../model/formatting.ts';
import { titleOf } from '../../model/ticket/field-labels.ts';
import {
  bare,
  choicesOf,
  type FieldSchema,
  isWritten,
  kindOf,
  type Path,
  pathText,
  spanUnitMs,
  type Written,
} from '../../model/ticket/form-schema.ts';
import { faults } from '../../model/ticket/planning.ts';
import { addItem, read, removeItem, type } from '../../model/ticket/ticket-draft.ts';

interface FieldProps {
  readonly path: Path;
  readonly schema: FieldSchema;
  readonly isRequired?: boolean;
  /** Shown after what is written, such as a unit. */
  readonly unit?: string | undefined;
}

export const fieldId = (field: string): string => `field-${field}`;

const nameOf = (path: Path): string => String(path.at(-1) ?? '');

/** Of the field itself, or of anything within it. */
export const hasFault = (path: Path): boolean => {
  const own = pathText(path);
  return [...faults.value.keys()].some(
    (field) => field === own || field.startsWith(`${own}.`) || field.startsWith(`${own}[`),
  );
};

export function Field({ path, schema, isRequired = false, unit }: FieldProps) {
  switch (kindOf(schema, nameOf(path))) {
    case 'object':
      return <Group path={path} schema={schema} />;
    case 'list':
      return <Items path={path} schema={schema} />;
    default:
      return <Single path={path} schema={schema} isRequired={isRequired} unit={unit} />;
  }
}

interface PartProps extends Pick<FieldProps, 'path' | 'schema'> {
  /** Fields that are shown elsewhere, or not at all. */
  readonly but?: readonly string[];
}

/** Every field of an object, in the order of the schema. */
export function Fields({ path, schema, but = [] }: PartProps) {
  const { properties = {}, required = [] } = bare(schema);
  return (
    <>
      {Object.entries(properties)
        .filter(([name]) => !but.includes(name))
        .map(([name, inner]) => (
          <Field
            key={name}
            path={[...path, name]}
            schema={inner}
            isRequired={required.includes(name)}
          />
        ))}
    </>
  );
}

export function Group({ path, schema, but = [] }: PartProps) {
  const own = bare(schema);
  return (
    <fieldset class="group" id={fieldId(pathText(path))} tabIndex={-1}>
      <legend>{titleOf(nameOf(path))}</legend>
      <Help path={path} text={own.description} />
      <FaultOf path={path} />
      <div class="fields">
        <Fields path={path} schema={own} but={but} />
      </div>
    </fieldset>
  );
}

function Items({ path, schema }: FieldProps) {
  const own = bare(schema);
  const item = own.items ?? {};
  const written = read(path);
  const items = Array.isArray(written) ? (written as readonly Written[]) : [];
  const title = titleOf(nameOf(path));
  const isPlain = kindOf(item) !== 'object';
  return (
    <fieldset class="group" id={fieldId(pathText(path))} tabIndex={-1}>
      <legend>{title}</legend>
      <Help path={path} text={own.description} />
      <FaultOf path={path} />
      {items.map((_item, at) => (
        <div key={at} class="item">
          {isPlain ? (
            <Single path={[...path, at]} schema={item} isRequired={true} />
          ) : (
            <div class="fields">
              <Fields path={[...path, at]} schema={item} />
            </div>
          )}
          <button
            type="button"
            aria-label={`Remove ${at + 1} of ${title}`}
            onClick={() => removeItem(path, at)}
          >
            Remove
          </button>
        </div>
      ))}
      <button
        type="button"
        aria-label={`Add to ${title}`}
        onClick={() => addItem(path, isPlain ? '' : {})}
      >
        Add
      </button>
    </fieldset>
  );
}

/** What ties an element to its label, its help and its fault. */
interface FieldMarks {
  readonly id: string;
  readonly 'data-field': string;
  readonly 'aria-describedby': string;
  readonly 'aria-invalid'?: true;
}

export function marksOf(path: Path): FieldMarks {
  const field = pathText(path);
  return {
    id: fieldId(field),
    'data-field': field,
    'aria-describedby': `${fieldId(field)}-help ${fieldId(field)}-fault`,
    ...(faults.value.has(field) && { 'aria-invalid': true as const }),
  };
}

interface FrameProps extends Pick<FieldProps, 'path' | 'schema' | 'isRequired'> {
  /** Of several inputs, which have labels of their own. */
  readonly groupLabel?: string;
  readonly children: ComponentChildren;
}

/** Label, help and fault around one input. */
export function FieldFrame({ path, schema, isRequired = false, groupLabel, children }: FrameProps) {
  const field = pathText(path);
  return (
    <div class={faults.value.has(field) ? 'field wrong' : 'field'}>
      {groupLabel === undefined ? (
        <label for={fieldId(field)}>
          {labelOfPath(path)}
          {isRequired && <span class="required"> required</span>}
        </label>
      ) : (
        <span class="group-label">{groupLabel}</span>
      )}
      {children}
      <Help path={path} text={bare(schema).description} />
      <FaultOf path={path} />
    </div>
  );
}

const labelOfPath = (path: Path): string => {
  const last = path.at(-1);
  return typeof last === 'number'
    ? `${titleOf(String(path.at(-2)))} ${last + 1}`
    : titleOf(nameOf(path));
};

function Single({ path, schema, isRequired = false, unit }: FieldProps) {
  const own = bare(schema);
  const name = nameOf(path);
  const written = read(path);
  const value = typeof written === 'string' ? written : '';
  return (
    <FieldFrame path={path} schema={own} isRequired={isRequired}>
      <span class="entry">
        <Input
          kind={kindOf(own, name)}
          name={name}
          own={own}
          value={value}
          common={marksOf(path)}
          onWrite={(text) => type(path, text)}
        />
        {unit !== undefined && <span class="unit">{unit}</span>}
      </span>
    </FieldFrame>
  );
}

interface InputProps {
  readonly kind: ReturnType<typeof kindOf>;
  readonly name: string;
  readonly own: FieldSchema;
  readonly value: string;
  readonly common: FieldMarks;
  readonly onWrite: (text: string) => void;
}

function Input({ kind, name, own, value, common, onWrite }: InputProps) {
  switch (kind) {
    case 'choice':
      return (
        <Select value={value} common={common} onWrite={onWrite}>
          {choicesOf(own).map((one) => (
            <option key={one.value} value={one.value}>
              {one.title}
            </option>
          ))}
        </Select>
      );
    case 'switch':
      return (
        <Select value={value} common={common} onWrite={onWrite}>
          <option value="true">yes</option>
          <option value="false">no</option>
        </Select>
      );
    case 'span':
      return (
        <SpanInput unitMs={spanUnitMs(name) ?? 1} value={value} common={common} onWrite={onWrite} />
      );
    case 'time':
      return (
        <input
          {...common}
          type="datetime-local"
          step={1}
          value={fieldTime(/^\d+$/.test(value) ? Number(value) : Date.parse(value))}
          onInput={(event) => onWrite(timeOf(event.currentTarget.value))}
        />
      );
    default:
      return (
        <input
          {...common}
          autoComplete="off"
          spellcheck={false}
          inputMode={kind === 'number' ? 'decimal' : 'text'}
          value={value}
          onInput={(event) => onWrite(event.currentTarget.value)}
        />
      );
  }
}

const WHOLE = /^\d{1,12}$/;

/** `1 h` or `30 min`; a number without a unit is in that of the field, and is shown with its unit once the field is left. */
function SpanInput({
  unitMs,
  value,
  common,
  onWrite,
}: Pick<InputProps, 'value' | 'common' | 'onWrite'> & { readonly unitMs: number }) {
  const [typed, setTyped] = useState<string | undefined>(undefined);
  const unitsOf = (text: string): string => {
    const ms = spanMs(text);
    return ms !== undefined && ms % unitMs === 0 ? String(ms / unitMs) : text;
  };
  const shown = WHOLE.test(value) ? spanText(Number(value) * unitMs) : value;
  return (
    <input
      {...common}
      autoComplete="off"
      spellcheck={false}
      value={typed !== undefined && unitsOf(typed) === value ? typed : shown}
      onInput={(event) => {
        setTyped(event.currentTarget.value);
        onWrite(unitsOf(event.currentTarget.value));
      }}
      onBlur={() => setTyped(undefined)}
    />
  );
}

function Select({
  value,
  common,
  onWrite,
  children,
}: Pick<InputProps, 'value' | 'common' | 'onWrite'> & { readonly children: ComponentChildren }) {
  return (
    <select {...common} value={value} onChange={(event) => onWrite(event.currentTarget.value)}>
      <option value="">by default</option>
      {children}
    </select>
  );
}

function timeOf(text: string): string {
  const ms = Date.parse(`${text}Z`);
  return Number.isNaN(ms) ? '' : String(ms);
}

function Help({ path, text }: { readonly path: Path; readonly text: string | undefined }) {
  const isTime = kindOf({ type: 'string' }, nameOf(path)) === 'time';
  return (
    <small class="help" id={`${fieldId(pathText(path))}-help`}>
      {isTime ? 'Start (UTC); empty: at acceptance' : text}
    </small>
  );
}

function FaultOf({ path }: { readonly path: Path }) {
  const field = pathText(path);
  return (
    <span class="bad" id={`${fieldId(field)}-fault`}>
      {faults.value.get(field)}
    </span>
  );
}

/** What a person opened or closed, by the title, for as long as the page is open. */
const left = signal<Readonly<Record<string, boolean>>>({});

/** Part of the ticket behind its title: as it was left, and before that closed unless something is written in it or refused. */
export function Folded({
  title,
  paths,
  isPart = false,
  children,
}: {
  readonly title: string;
  readonly paths: readonly Path[];
  /** A part of the ticket with groups of its own, which is closed until somebody opens it. */
  readonly isPart?: boolean;
  readonly children: ComponentChildren;
}) {
  const count = paths.filter((path) => isWritten(read(path))).length;
  const faulty = paths.filter(hasFault).length;
  const isOpen = left.value[title] ?? (!isPart && count + faulty > 0);
  return (
    <details
      open={isOpen}
      class={isPart ? 'folded part' : 'folded'}
      onToggle={({ currentTarget }) => {
        const { open } = currentTarget;
        if (open !== isOpen) left.value = { ...left.value, [title]: open };
      }}
    >
      <summary>
        {title}
        {count > 0 && ` (${count} set)`}
        {faulty > 0 && <span class="bad"> ■ refused</span>}
      </summary>
      <div class={isPart ? '' : 'fields'}>{children}</div>
    </details>
  );
}
