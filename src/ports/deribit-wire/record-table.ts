// One table per record of Deribit's wire. A row is one member of a message and the field of our record that it stands for:
// the served wire writes records by the rows, and the adapter reads the venue's messages by the same rows.
import type { Fields } from './message-fields.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** Leaves the member out if it returns undefined. */
type Write<T, R, W> = (value: T, record: R, context: W) => unknown;
type Read<T, C> = (of: Fields, name: string, context: C) => T;

/** How the value of a field is written and read. Without `write` it is written unmodified. */
export interface Form<T, R = unknown, W = unknown, C = unknown> {
  readonly write?: Write<T, R, W>;
  readonly read: Read<T, C>;
}

export interface Written<R, W> {
  readonly name: string;
  /** The field that is written; without one the row derives its value from the record. */
  readonly key: keyof R | undefined;
  readonly write: Write<never, R, W> | undefined;
}

export interface ReadField<K, V, C> {
  readonly key: K;
  readonly name: string;
  readonly read: Read<V, C>;
  /** Left out of the record, rather than undefined in it, if the message does not have it. */
  readonly isSparse: boolean;
}

/** `V` is the type of field `K` in the record. */
export interface Row<R, K, V, W, C> {
  readonly written: Written<R, W> | undefined;
  readonly read: ReadField<K, V, C> | undefined;
}
type RowOf<R, K extends keyof R, W, C> = Row<R, K, R[K], W, C>;

type RequiredKey<R> = {
  [K in keyof R]-?: Record<never, never> extends Pick<R, K> ? never : K;
}[keyof R];
/** Names the required fields that no row reads. */
type Missing<R, K> = [RequiredKey<R>] extends [K] ? [] : [missing: Exclude<RequiredKey<R>, K>];

/**
 * The rows of records `R`, and what a table of them does. `W` is what writing needs beyond the record, `C` what reading
 * needs beyond the message.
 */
export const recordTable = <R extends object, W = unknown, C = unknown>() => ({
  /** Written and read. */
  field: <K extends keyof R>(
    name: string,
    key: K,
    form: Form<R[K], R, W, C>,
  ): RowOf<R, K, W, C> => ({
    written: { name, key, write: form.write },
    read: { key, name, read: form.read, isSparse: false },
  }),

  /** Only written: derived from other fields, or a constant of the served exchange. */
  written: (
    name: string,
    value: (record: R, context: W) => unknown,
  ): Row<R, never, never, W, C> => ({
    written: { name, key: undefined, write: (_, record, context) => value(record, context) },
    read: undefined,
  }),

  /** Only read: of several members, or of what the reader knows. */
  derived: <K extends keyof R>(
    key: K,
    value: (of: Fields, context: C) => R[K],
  ): RowOf<R, K, W, C> => ({
    written: undefined,
    read: { key, name: '', read: (of, _, context) => value(of, context), isSparse: false },
  }),

  /** The members of a part of the record that stand among its own. */
  part: <P>(
    partOf: (record: R) => P | undefined,
    rows: readonly RowOf<P, keyof P, undefined, never>[],
  ): readonly Row<R, never, never, W, C>[] =>
    rows.map(({ written }) => ({ written: written && ofPart(partOf, written), read: undefined })),

  writer: (rows: readonly RowOf<R, keyof R, W, C>[]): ((record: R, context: W) => JsonObject) =>
    writerOf(rows),

  /** @throws MalformedMessage, from the function that it returns. */
  reader: <K extends keyof R>(
    rows: readonly RowOf<R, K, W, C>[],
    ..._: Missing<R, K>
  ): ((of: Fields, context: C) => R) => readerOf(rows),

  /** The form of a member that is an object of such rows, and may be missing. */
  objectIf: <K extends keyof R>(
    rows: readonly RowOf<R, K, W, C>[],
    ..._: Missing<R, K>
  ): Form<R | undefined, unknown, W, C> => {
    const [write, read] = [writerOf<R, W, C>(rows), readerOf<R, W, C>(rows)];
    return {
      write: (record, _record, context) => record && write(record, context),
      read: (of, name, context) => {
        const object = of.inIf(name);
        return object && read(object, context);
      },
    };
  },
});

/** The lists of objects of such rows. */
export const listOf = <R extends object, K extends keyof R, C>(
  rows: readonly RowOf<R, K, unknown, C>[],
  ..._: Missing<R, K>
) => {
  const [write, read] = [writerOf<R, unknown, C>(rows), readerOf<R, unknown, C>(rows)];
  const readAll = (of: Fields, name: string, context: C): readonly R[] =>
    of.each(name).map((object) => read(object, context));
  return {
    write: (records: readonly R[]): readonly JsonObject[] =>
      records.map((record) => write(record, undefined)),
    read: readAll,
    /** Missing is empty. */
    readOrEmpty: (of: Fields, name: string, context: C): readonly R[] =>
      of.has(name) ? readAll(of, name, context) : [],
  };
};

/** A row whose field is left out of the record if the message does not have it. */
export const sparse = <R, K, V, W, C>(row: Row<R, K, V, W, C>): Row<R, K, V, W, C> => ({
  written: row.written,
  read: row.read && { ...row.read, isSparse: true },
});

const ofPart = <R, P, W>(
  partOf: (record: R) => P | undefined,
  member: Written<P, undefined>,
): Written<R, W> => ({
  name: member.name,
  key: undefined,
  write: (_, record) => {
    const part = partOf(record);
    return part === undefined ? undefined : writtenValue(member, part, undefined);
  },
});

function writtenValue<R, W>({ key, write }: Written<R, W>, record: R, context: W): unknown {
  const value = key === undefined ? undefined : record[key];
  return write === undefined ? value : write(value as never, record, context);
}

/**
 * An object with these names. Copies of it are plain objects to the engine; one that is given its properties by computed
 * names, one by one, becomes a hash table, which takes twice as long to make.
 */
const blank = (names: readonly PropertyKey[]): object =>
  JSON.parse(`{${names.map((name) => `${JSON.stringify(name)}:null`).join()}}`);

function writerOf<R, W, C>(
  rows: readonly RowOf<R, keyof R, W, C>[],
): (record: R, context: W) => JsonObject {
  const members = rows.flatMap(({ written }) => written ?? []);
  const empty = blank(members.map(({ name }) => name));
  return (record, context) => {
    const json: Record<string, unknown> = { ...empty };
    for (const member of members) json[member.name] = writtenValue(member, record, context);
    return json;
  };
}

function readerOf<R, W, C>(
  rows: readonly RowOf<R, keyof R, W, C>[],
): (of: Fields, context: C) => R {
  const fields = rows.flatMap(({ read }) => read ?? []);
  const always = fields.filter(({ isSparse }) => !isSparse);
  const others = fields.filter(({ isSparse }) => isSparse);
  const empty = blank(always.map(({ key }) => key));
  return (of, context) => {
    const record: Partial<R> = { ...empty };
    for (const { key, name, read } of always) record[key] = read(of, name, context);
    for (const { key, name, read } of others) {
      const found = read(of, name, context);
      if (found !== undefined) record[key] = found;
    }
    return record as R;
  };
}
