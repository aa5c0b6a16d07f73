// Named views of the blotter: what is filtered, how it is sorted and which columns are shown. They stay in this browser, and
// one of them may be the one that the blotter starts with.
import { signal } from '@preact/signals';
import type { Filter, SortColumn, Sorting } from './blotter-row.ts';

/** A portfolio's own name is always shown. */
export type HiddenColumn = Exclude<SortColumn, 'name' | 'submitted'>;

export interface BlotterView {
  readonly filter: Filter;
  readonly sorting: Sorting;
  readonly hidden: readonly HiddenColumn[];
}

export interface SavedViews {
  readonly views: Readonly<Record<string, BlotterView>>;
  /** Name of the view that the blotter starts with; empty: none. */
  readonly first: string;
}

export const HIDEABLE: readonly HiddenColumn[] = [
  'account',
  'product',
  'state',
  'filled',
  'behind',
  'average',
  'left',
];
export const NAME_LENGTH_MAX = 40;

const STORE = 'twapd.views';
const NONE: SavedViews = { views: {}, first: '' };
const SORTS: readonly string[] = ['name', 'submitted', ...HIDEABLE];

export const savedViews = signal<SavedViews>(readSaved());

/** What stands in the browser's store may be of another version, or anybody's: only what is a view is taken. */
function readSaved(): SavedViews {
  if (typeof localStorage === 'undefined') return NONE;
  return viewsOf(localStorage.getItem(STORE) ?? '');
}

export function viewsOf(text: string): SavedViews {
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return NONE;
  }
  const { views, first } = (found ?? {}) as { readonly views?: unknown; readonly first?: unknown };
  const own = Object.entries((views ?? {}) as Record<string, unknown>).flatMap(([name, one]) => {
    const view = viewOf(one);
    return view === undefined ? [] : [[name, view] as const];
  });
  const known = Object.fromEntries(own);
  const isKnown = typeof first === 'string' && Object.hasOwn(known, first);
  return { views: known, first: isKnown ? first : '' };
}

function viewOf(one: unknown): BlotterView | undefined {
  const { filter, sorting, hidden } = (one ?? {}) as Partial<BlotterView>;
  const { search, account, which } = filter ?? ({} as Partial<Filter>);
  const { by, isDescending } = sorting ?? ({} as Partial<Sorting>);
  if (typeof search !== 'string' || typeof account !== 'string') return undefined;
  if (which !== 'open' && which !== 'ended' && which !== 'all') return undefined;
  if (by === undefined || !SORTS.includes(by) || typeof isDescending !== 'boolean')
    return undefined;
  return {
    filter: { search, account, which },
    sorting: { by, isDescending },
    hidden: HIDEABLE.filter((column) => Array.isArray(hidden) && hidden.includes(column)),
  };
}

function keep(next: SavedViews): void {
  savedViews.value = next;
  localStorage.setItem(STORE, JSON.stringify(next));
}

/** Replaces one of the same name. */
export function saveView(name: string, view: BlotterView): void {
  const { views, first } = savedViews.value;
  keep({ first, views: { ...views, [name]: view } });
}

export function removeView(name: string): void {
  const { views, first } = savedViews.value;
  const { [name]: _removed, ...others } = views;
  keep({ views: others, first: first === name ? '' : first });
}

export const startWith = (name: string): void => keep({ ...savedViews.value, first: name });

export const firstView = (): BlotterView | undefined => {
  const { views, first } = savedViews.value;
  return first === '' ? undefined : views[first];
};
