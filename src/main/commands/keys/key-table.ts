// Shows keys to people and programs, without their secrets.
import type { KeyRecord } from '../../../ports/key-records.ts';
import { type Instant, isoText, parseIso } from '../../../values/instant.ts';
import { printableData } from '../../../values/printable.ts';
import type { KeyConfig } from '../../config/config.ts';
import { paint } from '../terminal/paint.ts';
import { tableText } from '../terminal/table.ts';

export interface KeyRow {
  readonly id: string;
  readonly source: 'ledger' | 'configuration';
  readonly uid: string;
  readonly nickname: string;
  readonly accounts: readonly string[];
  readonly scopes: readonly string[];
  readonly makerAlias?: string | undefined;
  readonly bindBody: boolean;
  readonly addresses: readonly string[];
  readonly createdAt?: string | undefined;
  readonly expiresAt?: string | undefined;
  readonly revokedAt?: string | undefined;
  /** While a rotation overlaps: until when the previous secret is accepted. */
  readonly overlapUntil?: string | undefined;
  /** Revoked or expired. */
  readonly hasEnded: boolean;
}

export function keyRow(key: KeyRecord | KeyConfig, now: Instant): KeyRow {
  const { id, uid, nickname, accounts, scopes, makerAlias, bindBody, addresses } = key;
  const shown = { id, uid, nickname, accounts, scopes, makerAlias, bindBody, addresses };
  if (!('sealed' in key)) {
    const expiresAt = key.expiresAt === undefined ? undefined : parseIso(key.expiresAt);
    const hasEnded = isOver(expiresAt, now);
    return { ...shown, source: 'configuration', expiresAt: iso(expiresAt), hasEnded };
  }
  const { createdAt, expiresAt, revokedAt, previous } = key;
  return {
    ...shown,
    source: 'ledger',
    createdAt: iso(createdAt),
    expiresAt: iso(expiresAt),
    revokedAt: iso(revokedAt),
    overlapUntil: previous && now < previous.until ? iso(previous.until) : undefined,
    hasEnded: revokedAt !== undefined || isOver(expiresAt, now),
  };
}

export function keysTable(rows: readonly KeyRow[]): string {
  const columns = ['key', 'from', 'uid', 'nickname', 'accounts', 'scopes', 'addresses', 'state'];
  return tableText(
    columns.map((head) => ({ head })),
    printableData(rows).map((row) => [
      row.id,
      row.source,
      row.uid,
      row.nickname,
      row.accounts.join(' '),
      row.scopes.join(' '),
      row.addresses.length === 0 ? 'any' : row.addresses.join(' '),
      stateText(row),
    ]),
  );
}

function stateText({ hasEnded, revokedAt, expiresAt, overlapUntil }: KeyRow): string {
  if (revokedAt !== undefined) return paint.red(`revoked ${revokedAt}`);
  if (hasEnded) return paint.red(`expired ${expiresAt}`);
  const parts = [
    paint.green('in force'),
    ...(expiresAt === undefined ? [] : [`until ${expiresAt}`]),
    ...(overlapUntil === undefined ? [] : [`old secret until ${overlapUntil}`]),
  ];
  return parts.join(', ');
}

const isOver = (expiresAt: Instant | undefined, now: Instant): boolean =>
  expiresAt !== undefined && now >= expiresAt;

const iso = (at: Instant | undefined): string | undefined =>
  at === undefined ? undefined : isoText(at);
