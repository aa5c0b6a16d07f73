// A field of the ticket as the daemon's schema describes it, whatever it is: with its help, and what the daemon refuses in it.

import type { ComponentChildren } from 'preact';
import { fieldTime } from '../../model/formatting.ts';
import {
  bare,
  choicesOf,
  type FieldSchema,
  isWritten,
  kindOf,
  type Path,
  pathText,
  titleOf,
  type Written,
} from '../../model/ticket/form-schema.ts';
import { faults } from '../../model/ticket/planning.ts';
import { addItem, read, removeItem, write } from '../../model/ticket/ticket-draft.ts';

interface FieldProps {
  readonly path: Path;
  readonly schema: FieldSchema;
  readonly isRequired?: boolean;
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

export function Field({ path, schema, isRequired = false }: FieldProps) {
  switch (kindOf(schema, nameOf(path))) {
    case 'object':
      return <Group path={path} schema={schema} />;
    case 'list':
      return <Items path={path} schema={schema} />;
    default:
      return <Single path={path} schema={schema} isRequired={isRequired} />;
  }
}

/** Every field of an object, in the order of the schema; `but` are shown elsewhere. */
export function Fields({
  path,
  schema,
  but = [],
}: Omit<FieldProps, 'isRequired'> & { readonly but?: readonly string[] }) {
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

function Group({ path, schema }: FieldProps) {
  const own = bare(schema);
  return (
    <fieldset class="group" id={fieldId(pathText(path))} tabIndex={-1}>
      <legend>{titleOf(nameOf(path))}</legend>
      <Help path={path} text={own.description} />
      <FaultOf path={path} />
      <div class="fields">
        <Fields path={path} schema={own} />
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

function Single({ path, schema, isRequired = false }: FieldProps) {
  const own = bare(schema);
  const name = nameOf(path);
  const field = pathText(path);
  const fault = faults.value.get(field);
  const written = read(path);
  const value = typeof written === 'string' ? written : '';
  const common = {
    id: fieldId(field),
    'data-field': field,
    'aria-describedby': `${fieldId(field)}-help ${fieldId(field)}-fault`,
    ...(fault !== undefined && { 'aria-invalid': true as const }),
  };
  const onWrite = (text: string): void => write(path, text);
  return (
    <div class={fault === undefined ? 'field' : 'field wrong'}>
      <label for={fieldId(field)}>
        {typeof path.at(-1) === 'number'
          ? `${titleOf(String(path.at(-2)))} ${+name + 1}`
          : titleOf(name)}
        {isRequired && <span class="required"> required</span>}
      </label>
      <Input kind={kindOf(own, name)} own={own} value={value} common={common} onWrite={onWrite} />
      <Help path={path} text={own.description} />
      <FaultOf path={path} />
    </div>
  );
}

interface InputProps {
  readonly kind: ReturnType<typeof kindOf>;
  readonly own: FieldSchema;
  readonly value: string;
  readonly common: { readonly id: string };
  readonly onWrite: (text: string) => void;
}

function Input({ kind, own, value, common, onWrite }: InputProps) {
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

/** Fields that are mostly left alone: closed, unless something is written in them or refused. */
export function Folded({
  title,
  paths,
  children,
}: {
  readonly title: string;
  readonly paths: readonly Path[];
  readonly children: ComponentChildren;
}) {
  const count = paths.filter((path) => isWritten(read(path))).length;
  const isOpen = count > 0 || paths.some(hasFault);
  return (
    <details open={isOpen} class="folded">
      <summary>
        {title}
        {count > 0 && ` (${count} set)`}
      </summary>
      <div class="fields">{children}</div>
    </details>
  );
}
