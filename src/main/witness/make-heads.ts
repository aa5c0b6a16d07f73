// Makes the next heads of a ledger from what has been added since the newest. Events are read and hashed in small pieces with a
// rest after each, so that this takes a small share of a process that executes.
import type { KeyObject } from 'node:crypto';
import type {
  ChainedRow,
  GrownPortfolio,
  PostgresLedgerHeads,
  StoredHead,
} from '../../adapters/postgres/witness/ledger-heads.ts';
import { chainHash } from '../../adapters/system/chain-hash.ts';
import { canonical } from '../../engine/audit/audit-walk.ts';
import type { AuditReads } from '../../ports/audit-reads.ts';
import { type Instant, isoText } from '../../values/instant.ts';
import { HEAD_FORMAT, type LedgerHead, lineDigest, signedLine } from './signed-head.ts';

export interface HeadMaking {
  readonly heads: Pick<
    PostgresLedgerHeads,
    'newest' | 'grown' | 'newActions' | 'switchesAfter' | 'grantsAfter' | 'put'
  >;
  readonly reads: Pick<AuditReads, 'eventsAfter'>;
  readonly ledgerId: string;
  readonly deployment: string;
  readonly key: KeyObject;
  readonly now: () => Instant;
  /** Receives each head once it is stored. */
  readonly onHead: (head: StoredHead) => void;
  /** Rests after work that took this long. */
  readonly rest: (elapsedMs: number) => Promise<void>;
  /** Whether to end early, with what was read until then; the rest is for the next head. */
  readonly isLate: () => boolean;
}

const PIECE = 100;
const PORTFOLIOS_A_HEAD = 1_000;
const ACTIONS_A_HEAD = 20_000;

type Entry = LedgerHead['portfolios'][number];

/** Makes heads until one is whole, one at least, also if nothing was added: it says so. Returns their number. */
export async function makeHeads(parts: HeadMaking): Promise<number> {
  for (let made = 0; ; made += 1) {
    const { content, at } = await nextHead(parts);
    const line = signedLine(content, parts.key);
    const { number, portfolios, actions } = content;
    const isPut = await parts.heads.put({ number, at, line, portfolios, actions: actions.ranges });
    // Another daemon made this one meanwhile.
    if (!isPut) return made;
    parts.onHead({ number, at, line });
    if (content.isWhole || parts.isLate()) return made + 1;
  }
}

interface MadeHead {
  readonly content: LedgerHead;
  readonly at: Instant;
}

async function nextHead(parts: HeadMaking): Promise<MadeHead> {
  const { heads, ledgerId, deployment, now } = parts;
  const newest = await heads.newest();
  const before = newest && (JSON.parse(newest.line) as LedgerHead);
  const at = now();
  const grown = await heads.grown(PORTFOLIOS_A_HEAD);
  const entries: Entry[] = [];
  for (const one of grown) {
    if (parts.isLate()) break;
    entries.push(await entryOf(parts, one));
  }
  const actions = await heads.newActions(ACTIONS_A_HEAD);
  const switches = await heads.switchesAfter(Number(before?.switches.to ?? 0));
  const grants = await heads.grantsAfter(before?.grants.to ?? '0');
  const isWhole = entries.length < PORTFOLIOS_A_HEAD && actions.length < ACTIONS_A_HEAD;
  const content: LedgerHead = {
    format: HEAD_FORMAT,
    ledger: ledgerId,
    deployment,
    number: (newest?.number ?? 0) + 1,
    at: isoText(at),
    previous: newest === undefined ? '' : lineDigest(newest.line),
    isWhole: isWhole && entries.length === grown.length,
    portfolios: entries,
    actions: { ranges: rangesOf(actions), hash: chained('', actions) },
    switches: linkAfter(before?.switches, switches),
    grants: linkAfter(before?.grants, grants),
  };
  return { content, at };
}

/** Hashes the events that the portfolio had when it was listed; fewer, if some are missing. */
async function entryOf(
  { reads, rest }: HeadMaking,
  { portfolio, version, witnessed, hash, isArchived }: GrownPortfolio,
): Promise<Entry> {
  // Its seal was compared when it was archived. What is added later is in the database, behind events that are not.
  if (isArchived) return [portfolio, version, ''];
  let [at, head] = [witnessed, hash];
  while (at < version) {
    const fromMs = performance.now();
    const events = await reads.eventsAfter(portfolio, at, Math.min(PIECE, version - at));
    if (events.length === 0) break;
    for (const event of events) head = chainHash(head, canonical(event));
    at += events.length;
    await rest(performance.now() - fromMs);
  }
  return [portfolio, at, head];
}

/** The hash of rows in their order, chained to another. */
export const chained = (hash: string, rows: readonly ChainedRow[]): string =>
  rows.reduce((head, row) => chainHash(head, canonical(row)), hash);

const linkAfter = (
  before: LedgerHead['switches'] | undefined,
  rows: readonly ChainedRow[],
): LedgerHead['switches'] => ({
  to: String(rows.at(-1)?.['number'] ?? before?.to ?? 0),
  hash: chained(before?.hash ?? '', rows),
});

/** Numbers that follow one another become one range. */
function rangesOf(rows: readonly ChainedRow[]): LedgerHead['actions']['ranges'] {
  const ranges: [string, string][] = [];
  for (const row of rows) {
    const number = String(row['seq']);
    const last = ranges.at(-1);
    if (last !== undefined && BigInt(last[1]) + 1n === BigInt(number)) last[1] = number;
    else ranges.push([number, number]);
  }
  return ranges;
}
