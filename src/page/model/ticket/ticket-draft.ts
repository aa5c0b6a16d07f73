// The ticket as one writes it. It stays in this tab across reloads, for the same user only, and holds no secret.
import { computed, signal } from '@preact/signals';
import { access, request } from '../../link/page-session.ts';
import { type Instrument, typeOf } from '../instruments/option-chain.ts';
import { tradingAccounts } from '../trading-accounts.ts';
import {
  type Body,
  type FieldSchema,
  isWritten,
  type Path,
  pathOf,
  pathText,
  sentValue,
  type Written,
  type WrittenObject,
  withWritten,
  writtenAt,
  writtenOf,
} from './form-schema.ts';
import {
  type Patience,
  priceOptionsOf,
  textAt,
  usedOnly,
  withPatience,
  withSide,
} from './patience.ts';

export const schema = signal<FieldSchema | undefined>(undefined);
/** Why the schema could not be read; empty if it could. */
export const schemaFault = signal('');
export const draft = signal<WrittenObject>({});
/** Fields that somebody has typed in since the ticket was opened or cleared, by their paths. */
const typed = signal<ReadonlySet<string>>(new Set());

const STORE = 'twapd.ticket';
const SIDES = { BUY: '1', SELL: '2' } as const;
const NO_LEG = {
  instrument: '',
  instrumentType: '',
  side: '',
  quantity: '',
  priceOptions: { priceType: 'MARKET' },
} as const satisfies WrittenObject;

const uid = (): string => (access.value.kind === 'open' ? access.value.hello.uid : '');

/** What is to be sent; the terms of the other kind of portfolio, and of other price types, are left out. */
export const body = computed((): Body => {
  const own = schema.value;
  if (own === undefined) return {};
  const written = { ...draft.value, legs: legsOf(draft.value).map(usedOnly) };
  const { twapTrade, balanceTrade, ...rest } = sentValue(written, own) as Record<string, unknown>;
  const { portfolioType } = rest;
  if (portfolioType === 'BALANCE')
    return { ...rest, ...(balanceTrade !== undefined && { balanceTrade }) };
  return { ...rest, ...(twapTrade !== undefined && { twapTrade }) };
});

export const legsOf = ({ legs }: WrittenObject): readonly WrittenObject[] =>
  Array.isArray(legs) ? (legs as readonly WrittenObject[]) : [];

export const isHedge = ({ hedge }: WrittenObject): boolean => hedge === 'true';

/** Reads the schema once, and takes up what was written before. */
export async function openTicket(): Promise<void> {
  if (Object.keys(draft.value).length === 0) draft.value = kept() ?? fresh();
  if (schema.value !== undefined) return;
  const answer = await request<FieldSchema>('submit-schema');
  schemaFault.value = answer.kind === 'done' ? '' : answer.message;
  if (answer.kind === 'done') schema.value = answer.value;
}

const fresh = (): WrittenObject => ({
  accountId: tradingAccounts()[0] ?? '',
  portfolioType: 'TWAP',
  legs: [NO_LEG],
  twapTrade: { durationSec: '3600', frequencySec: '60' },
});

function kept(): WrittenObject | undefined {
  try {
    const found = JSON.parse(sessionStorage.getItem(STORE) ?? 'null') as {
      readonly uid: string;
      readonly written: WrittenObject;
    } | null;
    return found?.uid === uid() ? found.written : undefined;
  } catch {
    // Unexamined: storage that is denied or holds other text has no draft of this page.
    return undefined;
  }
}

function keep(written: WrittenObject): void {
  draft.value = written;
  sessionStorage.setItem(STORE, JSON.stringify({ uid: uid(), written }));
}

export const write = (path: Path, value: Written): void =>
  keep(withWritten(draft.value, path, value) as WrittenObject);

/** Written by a person, in this field. */
export function type(path: Path, value: Written): void {
  typed.value = new Set([...typed.value, pathText(path)]);
  write(path, value);
}

export const read = (path: Path): Written | undefined => writtenAt(draft.value, path);

/** Whether a field is still to be filled in: what is empty and was never typed in is not wrong yet. */
export const isUntouched = (field: string): boolean =>
  !typed.value.has(field) && !isWritten(read(pathOf(field)));

export function clear(): void {
  draft.value = fresh();
  typed.value = new Set();
  sessionStorage.removeItem(STORE);
}

/** Starts from a submission that is there already, such as that of a strategy. */
export function take(from: unknown): void {
  if (schema.value === undefined) return;
  typed.value = new Set();
  keep(writtenOf(from, schema.value) as WrittenObject);
}

export const addLeg = (leg: WrittenObject = {}): void =>
  write(['legs'], [...legsOf(draft.value), { ...NO_LEG, ...leg }]);

/** The same legs, but for those of one kind, which others replace. */
export const replaceHedges = (hedges: readonly WrittenObject[]): void =>
  write(['legs'], [...legsOf(draft.value).filter((one) => !isHedge(one)), ...hedges]);

function changeLeg(leg: number, change: (before: WrittenObject) => WrittenObject): void {
  const before = legsOf(draft.value)[leg];
  if (before !== undefined) write(['legs', leg], change(before));
}

/** Another instrument in a leg; its side changes only if one was picked, and a price is that of the instrument before. */
export const pickInstrument = (leg: number, instrument: Instrument, side?: 'BUY' | 'SELL'): void =>
  changeLeg(leg, (before) => {
    const chosen = {
      ...before,
      instrument: instrument.instrumentName,
      instrumentType: typeOf(instrument),
      priceOptions: {
        ...priceOptionsOf(before),
        price: '',
        priceIn: instrument.quoteCurrency,
      },
    };
    return side === undefined ? chosen : withSide(chosen, SIDES[side]);
  });

/** A name that is not listed, such as a rule that chooses an instrument when the portfolio starts. */
export const nameInstrument = (leg: number, name: string): void =>
  type(['legs', leg, 'instrument'], name);

export const chooseSide = (leg: number, side: 'BUY' | 'SELL'): void =>
  changeLeg(leg, (before) => withSide(before, SIDES[side]));

export const sideOf = (leg: WrittenObject): 'BUY' | 'SELL' | undefined => {
  const side = textAt(leg, 'side');
  return side === SIDES.BUY ? 'BUY' : side === SIDES.SELL ? 'SELL' : undefined;
};

export const sideText = (side: 'BUY' | 'SELL'): string => SIDES[side];

/** Prices every leg but hedges. */
export const choosePatience = (patience: Patience): void =>
  write(
    ['legs'],
    legsOf(draft.value).map((leg) => (isHedge(leg) ? leg : withPatience(leg, patience))),
  );

export const removeItem = (path: Path, at: number): void =>
  write(
    path,
    (read(path) as readonly Written[]).filter((_item, index) => index !== at),
  );

export const addItem = (path: Path, item: Written): void => {
  const items = read(path);
  write(path, [...(Array.isArray(items) ? (items as readonly Written[]) : []), item]);
};
