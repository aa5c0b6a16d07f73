// The ticket as one writes it. It stays in this tab across reloads, for the same user only, and holds no secret.
import { computed, signal } from '@preact/signals';
import { access, request } from '../../link/page-session.ts';
import { type Instrument, typeOf } from '../instruments/option-chain.ts';
import {
  type Body,
  type FieldSchema,
  type Path,
  sentValue,
  type Written,
  type WrittenObject,
  withWritten,
  writtenAt,
  writtenOf,
} from './form-schema.ts';

export const schema = signal<FieldSchema | undefined>(undefined);
/** Why the schema could not be read; empty if it could. */
export const schemaFault = signal('');
export const draft = signal<WrittenObject>({});

const STORE = 'twapd.ticket';
const SIDES = { BUY: '1', SELL: '2' } as const;

const uid = (): string => (access.value.kind === 'open' ? access.value.hello.uid : '');

/** What is to be sent; the terms of the other kind of portfolio are left out. */
export const body = computed((): Body => {
  const own = schema.value;
  if (own === undefined) return {};
  const { twapTrade, balanceTrade, ...rest } = sentValue(draft.value, own) as Record<
    string,
    unknown
  >;
  const { portfolioType } = rest;
  if (portfolioType === 'BALANCE')
    return { ...rest, ...(balanceTrade !== undefined && { balanceTrade }) };
  return { ...rest, ...(twapTrade !== undefined && { twapTrade }) };
});

export const legsOf = ({ legs }: WrittenObject): readonly WrittenObject[] =>
  Array.isArray(legs) ? (legs as readonly WrittenObject[]) : [];

/** Reads the schema once, and takes up what was written before. */
export async function openTicket(): Promise<void> {
  if (Object.keys(draft.value).length === 0) draft.value = kept() ?? fresh();
  if (schema.value !== undefined) return;
  const answer = await request<FieldSchema>('submit-schema');
  schemaFault.value = answer.kind === 'done' ? '' : answer.message;
  if (answer.kind === 'done') schema.value = answer.value;
}

function fresh(): WrittenObject {
  const account = access.value.kind === 'open' ? access.value.hello.accounts[0]?.id : undefined;
  return {
    accountId: String(account ?? ''),
    portfolioType: 'TWAP',
    legs: [],
    twapTrade: { durationSec: '3600', frequencySec: '60' },
  };
}

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

export const read = (path: Path): Written | undefined => writtenAt(draft.value, path);

export function clear(): void {
  draft.value = fresh();
  sessionStorage.removeItem(STORE);
}

/** Starts from a submission that is there already, such as that of a strategy. */
export function take(from: unknown): void {
  if (schema.value !== undefined) keep(writtenOf(from, schema.value) as WrittenObject);
}

export function addLeg(instrument: Instrument, side?: 'BUY' | 'SELL'): void {
  const leg = { ...termsOf(instrument, side), priceOptions: { priceType: 'MARKET' } };
  write(['legs'], [...legsOf(draft.value), { side: SIDES.BUY, quantity: '', ...leg }]);
}

/** Another instrument in a leg; its side changes only if one was picked. */
export function changeLeg(leg: number, instrument: Instrument, side?: 'BUY' | 'SELL'): void {
  const before = legsOf(draft.value)[leg];
  if (before !== undefined) write(['legs', leg], { ...before, ...termsOf(instrument, side) });
}

const termsOf = (instrument: Instrument, side: 'BUY' | 'SELL' | undefined) => ({
  instrument: instrument.instrumentName,
  instrumentType: typeOf(instrument),
  ...(side !== undefined && { side: SIDES[side] }),
});

export const removeItem = (path: Path, at: number): void =>
  write(
    path,
    (read(path) as readonly Written[]).filter((_item, index) => index !== at),
  );

export const addItem = (path: Path, item: Written): void => {
  const items = read(path);
  write(path, [...(Array.isArray(items) ? (items as readonly Written[]) : []), item]);
};
