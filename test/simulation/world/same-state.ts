// Compares two states by value: numbers by their text, maps by their entries in order. Absent and
// undefined fields are equal, as they are in storage.

type Shown = Readonly<Record<string, unknown>>;

/** Walks both at once and stops at the first difference; neither may contain itself. */
export function isSameState(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) {
    return false;
  }
  if (Array.isArray(one)) return Array.isArray(other) && isSameList(one, other);
  if (isPlain(one) && isPlain(other)) return isSamePlain(one, other);
  if (hasEntries(one)) {
    return hasEntries(other) && isSameList([...one.entries()], [...other.entries()]);
  }
  if (hasText(one)) return hasText(other) && one.toJSON() === other.toJSON();
  return isSameRecord(one as Shown, other as Shown);
}

function isSameList(one: readonly unknown[], other: readonly unknown[]): boolean {
  if (one.length !== other.length) return false;
  for (let i = 0; i < one.length; i += 1) if (!isSameState(one[i], other[i])) return false;
  return true;
}

function isSameRecord(one: Shown, other: Shown): boolean {
  if (hasEntries(other) || hasText(other) || Array.isArray(other)) return false;
  return isSamePlain(one, other);
}

function isSamePlain(one: Shown, other: Shown): boolean {
  for (const name of Object.keys(one)) if (!isSameState(one[name], other[name])) return false;
  for (const name of Object.keys(other)) {
    if (other[name] !== undefined && one[name] === undefined) return false;
  }
  return true;
}

/** Most are, and what a map or a number has need not be looked for in them. */
const isPlain = (value: object): value is Shown =>
  Object.getPrototypeOf(value) === Object.prototype;

/** A map of any kind; a list has entries too, by its positions, and is none. */
const hasEntries = (value: object): value is { entries(): Iterable<unknown> } =>
  'entries' in value && typeof value.entries === 'function' && !Array.isArray(value);

const hasText = (value: object): value is { toJSON(): unknown } =>
  'toJSON' in value && typeof value.toJSON === 'function';
