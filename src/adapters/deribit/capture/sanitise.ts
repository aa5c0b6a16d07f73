// Makes answers fit to be kept and shown: nothing in them tells whose account it was, and long lists are kept in part.
import type { Answer } from './capture-point.ts';

/** Members of private answers whose values are the account's own; each value gets a number, the same one wherever it is. */
const OWN_IDS: ReadonlySet<string> = new Set([
  'order_id',
  'replaced_order_id',
  'trigger_order_id',
  'trade_id',
  'matching_id',
  'starbase_order_id',
  'starbase_match_id',
  'user_id',
  'creator_user_id',
  'label',
  'mmp_group',
]);
/** Members that nobody needs who reads them. */
const SECRET = /token|secret|email|username|system_name|login|phone|address|nickname/i;
const HIDDEN = '…';

const KEPT_WHOLE_MAX = 12;
const KEPT_AT_EACH_END = 5;
/** Of each kind of instrument. */
const KEPT_OF_KIND = 2;

export function sanitised(answers: readonly Answer[]): readonly Answer[] {
  const names = new Names();
  return answers.map((answer) => {
    const isOwn = answer.method.startsWith('private/');
    const lengths: Record<string, number> = {};
    const clean = (value: unknown, path: string): unknown =>
      cleaned(value, { path, isOwn, names, lengths });
    const { outcome } = answer;
    return {
      method: answer.method,
      params: clean(answer.params, 'params') as Answer['params'],
      outcome:
        outcome.kind === 'result' ? { ...outcome, value: clean(outcome.value, '') } : outcome,
      lengths: Object.keys(lengths).length === 0 ? undefined : lengths,
    };
  });
}

class Names {
  readonly #known = new Map<string, string>();

  of(member: string, value: string): string {
    const key = `${member} ${value}`;
    const known = this.#known.get(key) ?? this.#next(member);
    this.#known.set(key, known);
    return known;
  }

  #next(member: string): string {
    const used = [...this.#known.keys()].filter((key) => key.startsWith(`${member} `)).length;
    return `${member}-${used + 1}`;
  }
}

interface Cleaning {
  /** Of the value, in the result. */
  readonly path: string;
  /** Whether it is about the account. */
  readonly isOwn: boolean;
  readonly names: Names;
  readonly lengths: Record<string, number>;
}

function cleaned(value: unknown, of: Cleaning): unknown {
  if (Array.isArray(value)) {
    const kept = keptOf(value);
    if (kept.length < value.length) of.lengths[of.path] = value.length;
    return kept.map((one) => cleaned(one, of));
  }
  if (typeof value !== 'object' || value === null || isExact(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([member, one]) => [member, memberOf(member, one, of)]),
  );
}

function memberOf(member: string, value: unknown, of: Cleaning): unknown {
  const path = of.path === '' ? member : `${of.path}.${member}`;
  if (SECRET.test(member)) return HIDDEN;
  if (!of.isOwn) return cleaned(value, { ...of, path });
  const name = member === 'ids' ? 'order_id' : member;
  if (!OWN_IDS.has(name)) return cleaned(value, { ...of, path });
  return Array.isArray(value)
    ? value.map((one) => of.names.of(name, String(one)))
    : value === null || value === undefined
      ? value
      : of.names.of(name, String(value));
}

/** A number of a request that is written digit for digit. */
const isExact = (value: object): boolean => 'rawJSON' in value;

/** Of instruments some of each kind, of other long lists both ends. */
function keptOf(list: readonly unknown[]): readonly unknown[] {
  if (list.length <= KEPT_WHOLE_MAX) return list;
  const kinds = list.map((one) => (one as { readonly kind?: unknown } | null)?.kind);
  if (kinds.every((kind) => typeof kind === 'string')) {
    return list.filter(
      (_, at) => kinds.slice(0, at).filter((kind) => kind === kinds[at]).length < KEPT_OF_KIND,
    );
  }
  return [...list.slice(0, KEPT_AT_EACH_END), ...list.slice(-KEPT_AT_EACH_END)];
}
