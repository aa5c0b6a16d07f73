// Shows keys to people and programs, without their secrets.
import type { KeyRecord } from '../../../ports/key-records.ts';
import { type Instant, isoText, parseIso } from '../../../values/instant.ts';
import type { KeyConfig } from '../../config/config.ts';
import { paint } from '../terminal/paint.ts';
import { CSV_ONLY, type SheetColumn } from '../terminal/sheet.ts';
import { textColumn, timeColumn } from '../terminal/sheet-columns.ts';
import { type ZoneName, zonedIso } from '../terminal/time-zone.ts';

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

/** Of printable rows. */
export const keyColumns = (zone: ZoneName): readonly SheetColumn<KeyRow>[] => {
  const time = (name: string, at: (row: KeyRow) => string | undefined): SheetColumn<KeyRow> =>
    timeColumn([name, name, CSV_ONLY], zone, (row) => {
      const text = at(row);
      return text === undefined ? undefined : Date.parse(text);
    });
  return [
    textColumn(['key', 'key', 0], ({ id }) => id),
    textColumn(['from', 'from', 5], ({ source }) => source),
    textColumn(['uid', 'uid', 4], ({ uid }) => uid),
    textColumn(['nickname', 'nickname', 3], ({ nickname }) => nickname),
    textColumn(['accounts', 'accounts', 1], ({ accounts }) => accounts.join(' ')),
    textColumn(['scopes', 'scopes', 2], ({ scopes }) => scopes.join(' ')),
    {
      ...textColumn<KeyRow>(
        ['addresses', 'addresses', 6],
        (row) => row.addresses.join(' ') || 'any',
      ),
    },
    {
      ...textColumn<KeyRow>(['state', 'state', 0], wordOf),
      shown: (row) => stateText(row, zone),
    },
    textColumn(['maker_alias', 'alias', CSV_ONLY], ({ makerAlias }) => makerAlias),
    textColumn(['binds_body', 'binds body', CSV_ONLY], ({ bindBody }) => String(bindBody)),
    time('created', ({ createdAt }) => createdAt),
    time('expires', ({ expiresAt }) => expiresAt),
    time('revoked', ({ revokedAt }) => revokedAt),
    time('old_secret_until', ({ overlapUntil }) => overlapUntil),
  ];
};

const wordOf = ({ hasEnded, revokedAt }: KeyRow): string => {
  if (revokedAt !== undefined) return 'revoked';
  return hasEnded ? 'expired' : 'in force';
};

function stateText(row: KeyRow, zone: ZoneName): string {
  const { hasEnded, revokedAt, expiresAt, overlapUntil } = row;
  const at = (text = ''): string => zonedIso(Date.parse(text), zone);
  if (revokedAt !== undefined) return paint.red(`revoked ${at(revokedAt)}`);
  if (hasEnded) return paint.red(`expired ${at(expiresAt)}`);
  const parts = [
    paint.green(wordOf(row)),
    ...(expiresAt === undefined ? [] : [`until ${at(expiresAt)}`]),
    ...(overlapUntil === undefined ? [] : [`old secret until ${at(overlapUntil)}`]),
  ];
  return parts.join(', ');
}

const isOver = (expiresAt: Instant | undefined, now: Instant): boolean =>
  expiresAt !== undefined && now >= expiresAt;

const iso = (at: Instant | undefined): string | undefined =>
  at === undefined ? undefined : isoText(at);
