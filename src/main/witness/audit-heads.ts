// Compares what signed heads cover besides the events of portfolios with the database: the id of the ledger, the heads that it
// has, actions of people, settings of trading switches, and what keys may do.

import { GRANTS_OF_KEY } from '../../adapters/postgres/records/postgres-key-records.ts';
import { PostgresLedgerHeads } from '../../adapters/postgres/witness/ledger-heads.ts';
import { chainHash } from '../../adapters/system/chain-hash.ts';
import { canonical } from '../../engine/audit/audit-walk.ts';
import { chained } from './make-heads.ts';
import type { LedgerHead } from './signed-head.ts';
import {
  broken,
  type HeadFinding,
  type HeadSubject,
  type WitnessedHeads,
} from './witnessed-heads.ts';

/** An action waits for the ledger to answer again, however long; heads wait too. */
const ACTION_LATE_MS = 600_000;
const SETTING_LATE_MS = 60_000;
const PIECE = 10_000;

export async function auditHeads(
  witness: WitnessedHeads,
  ledger: { readonly connectionString: string; readonly ledgerId: string | undefined },
): Promise<readonly HeadFinding[]> {
  const stored = new PostgresLedgerHeads(ledger);
  try {
    return [
      ...witness.findings,
      ...ledgerFindings(witness, ledger.ledgerId),
      ...(await storedFindings(witness, stored)),
      ...(await actionFindings(witness, stored)),
      ...(await switchFindings(witness, stored)),
      ...(await grantFindings(witness, stored)),
    ];
  } finally {
    await stored.close();
  }
}

function ledgerFindings({ heads }: WitnessedHeads, id: string | undefined): readonly HeadFinding[] {
  const witnessed = heads.at(-1)?.ledger;
  if (witnessed === undefined || witnessed === id) return [];
  const detail = `the id of the ledger is ${id ?? 'gone'}; the heads are of ${witnessed}`;
  return [broken('ledger', detail)];
}

/** The heads of the database are those of the witness; it may have some that were not delivered yet. */
async function storedFindings(
  { heads, lines }: WitnessedHeads,
  stored: PostgresLedgerHeads,
): Promise<readonly HeadFinding[]> {
  const found: HeadFinding[] = [];
  let last = 0;
  for (;;) {
    const some = await stored.after(last, 100);
    for (const { number, line } of some) {
      const known = lines.get(number);
      if (number !== last + 1)
        found.push(broken('ledger', `head ${last + 1} of the ledger is missing`));
      if (known !== undefined && known !== line) {
        found.push(broken('ledger', `head ${number} of the ledger is not the one of the witness`));
      }
      last = number;
    }
    if (some.length < 100) break;
  }
  const newest = heads.at(-1)?.number ?? 0;
  if (last < newest) {
    found.push(broken('ledger', `the ledger has heads up to ${last}, the witness up to ${newest}`));
  }
  return found;
}

async function actionFindings(
  witness: WitnessedHeads,
  stored: PostgresLedgerHeads,
): Promise<readonly HeadFinding[]> {
  const found: HeadFinding[] = [];
  const covered: (readonly [from: bigint, to: bigint])[] = [];
  for (const { number, actions } of witness.heads) {
    let [hash, missing] = ['', 0n];
    for (const [from, to] of actions.ranges) {
      covered.push([BigInt(from), BigInt(to)]);
      for (let at = BigInt(from); at <= BigInt(to); at += BigInt(PIECE)) {
        const last = at + BigInt(PIECE) - 1n;
        const end = last < BigInt(to) ? last : BigInt(to);
        const rows = await stored.actionsBetween(String(at), String(end));
        missing += end - at + 1n - BigInt(rows.length);
        hash = chained(hash, rows);
      }
    }
    if (missing > 0n)
      found.push(broken('actions', `${missing} actions of head ${number} are missing`));
    else if (hash !== actions.hash) {
      found.push(
        broken('actions', `the actions are not those that were witnessed by head ${number}`),
      );
    }
  }
  return [...found, ...(await insertedActions(witness, stored, covered))];
}

async function insertedActions(
  { wholeAt }: WitnessedHeads,
  stored: PostgresLedgerHeads,
  covered: readonly (readonly [from: bigint, to: bigint])[],
): Promise<readonly HeadFinding[]> {
  if (wholeAt === undefined) return [];
  const found: HeadFinding[] = [];
  const ranges = covered.toSorted(([a], [b]) => (a < b ? -1 : 1));
  let place = 0;
  for (let after = '-9223372036854775808'; ; ) {
    const some = await stored.actionsAfter(after, PIECE);
    for (const { seq, at } of some) {
      const number = BigInt(seq);
      while ((ranges[place]?.[1] ?? number) < number) place += 1;
      const isCovered = (ranges[place]?.[0] ?? number + 1n) <= number;
      if (isCovered || Number(at) >= wholeAt - ACTION_LATE_MS) continue;
      found.push(broken('actions', `action ${seq} is in no head: inserted afterwards`));
    }
    after = some.at(-1)?.seq ?? after;
    if (some.length < PIECE) return found;
  }
}

async function switchFindings(
  witness: WitnessedHeads,
  stored: PostgresLedgerHeads,
): Promise<readonly HeadFinding[]> {
  const rows = await stored.switchesAfter(Number.MIN_SAFE_INTEGER);
  const found = linkFindings('switches', witness, { rows, of: ({ switches }) => switches });
  const { wholeAt } = witness;
  const last = BigInt(witness.heads.at(-1)?.switches.to ?? 0);
  for (const row of rows) {
    const number = BigInt(String(row['number']));
    if (wholeAt === undefined || number <= last) continue;
    if (Number(row['at']) >= wholeAt - SETTING_LATE_MS) continue;
    found.push(broken('switches', `setting ${number} is in no head: inserted afterwards`));
  }
  return found;
}

async function grantFindings(
  witness: WitnessedHeads,
  stored: PostgresLedgerHeads,
): Promise<readonly HeadFinding[]> {
  const rows = await stored.grantsAfter('-9223372036854775808');
  const found = linkFindings('keys', witness, { rows, of: ({ grants }) => grants });
  const recorded = new Map(rows.map(({ id, grants }) => [String(id), canonical(grants)]));
  const present = new Map(
    (await stored.keys(GRANTS_OF_KEY)).map(({ id, grants }) => [id, canonical(grants)]),
  );
  for (const id of new Set([...recorded.keys(), ...present.keys()])) {
    if (recorded.get(id) === present.get(id)) continue;
    const what = present.has(id)
      ? 'is not what its recorded changes give'
      : 'is missing; its changes are recorded';
    found.push(broken('keys', `the grant of key ${id} ${what}`));
  }
  return found;
}

/** Rows of a chain against each head's link in it. */
function linkFindings(
  subject: HeadSubject,
  { heads }: WitnessedHeads,
  {
    rows,
    of,
  }: {
    readonly rows: readonly Readonly<Record<string, unknown>>[];
    readonly of: (head: LedgerHead) => LedgerHead['switches'];
  },
): HeadFinding[] {
  let [place, hash] = [0, ''];
  for (const head of heads) {
    const { to, hash: witnessed } = of(head);
    while (place < rows.length && BigInt(String(rows[place]?.['number'])) <= BigInt(to)) {
      hash = chainHash(hash, canonical(rows[place]));
      place += 1;
    }
    if (hash === witnessed) continue;
    const detail = `the ${subject} up to ${to} are not those that were witnessed by head ${head.number}`;
    return [broken(subject, detail)];
  }
  return [];
}
