// What is stored of a portfolio held against itself: its events keep the invariants when they are folded
// again, give the state this process goes by, and are the ones that were sealed.
import type { PortfolioEvent } from '../core/portfolio/event.ts';
import { fold } from '../core/portfolio/evolve.ts';
import { assertInvariants } from '../core/portfolio/invariants.ts';
import type { PortfolioState } from '../core/portfolio/state.ts';
import { summarize } from '../core/portfolio/summarize.ts';
import type { AuditSeals, ChainHash } from '../ports/audit-seals.ts';
import type { StoredPortfolio } from '../ports/ledger.ts';
import { InvariantBroken, must } from '../values/assert.ts';

/** An invariant by its number, and what breaks it. */
export interface Finding {
  readonly invariant: string;
  readonly detail: string;
}

const numberOf = (message: string): string => /^I\d+/.exec(message)?.[0] ?? 'I15';

/** A state that is committed, as it stands. */
export function checkState(state: PortfolioState): readonly Finding[] {
  try {
    assertInvariants(state);
    return [];
  } catch (error) {
    if (!(error instanceof InvariantBroken)) throw error;
    return [{ invariant: numberOf(error.message), detail: error.message }];
  }
}

/** I15 and I13: what is stored, folded again, is the state as it was when it had as many events. */
export function checkReplay(stored: StoredPortfolio, state: PortfolioState): readonly Finding[] {
  if (stored.version < state.version) {
    const detail = `${stored.version} events are stored of ${state.version} that are durable`;
    return [{ invariant: 'I15', detail }];
  }
  const again = foldedAgain(stored, state.version);
  if (typeof again === 'string') {
    return [{ invariant: 'I15', detail: `the stored events give no state: ${again}` }];
  }
  const [here, there] = [summarize(state), summarize(again)].map((one) => JSON.stringify(one));
  if (here === there && again.children.size === state.children.size) return [];
  return [{ invariant: 'I15', detail: 'the events that are stored do not give the state' }];
}

/** What is stored may be anything by now: why it gives no state is the finding. */
function foldedAgain(
  { portfolio, events }: StoredPortfolio,
  version: number,
): PortfolioState | string {
  try {
    return must(fold(portfolio, events.slice(0, version)), 'a portfolio has events');
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

interface SealParts {
  readonly seals: AuditSeals;
  readonly hash: ChainHash;
}

/** Checks what is sealed and seals the rest. */
export async function checkSeal(
  { portfolio, version, events }: StoredPortfolio,
  { seals, hash }: SealParts,
): Promise<readonly Finding[]> {
  const seal = await seals.of(portfolio);
  if (seal?.version === version && seal.version > 0) {
    return chained(events, hash) === seal.hash ? [] : [broken(seal.version)];
  }
  if (seal !== undefined && version < seal.version) {
    const detail = `${version} events are stored of ${seal.version} that were sealed`;
    return [{ invariant: 'I15', detail }];
  }
  const sealed = events.slice(0, seal?.version ?? 0);
  const before = chained(sealed, hash);
  if (seal !== undefined && before !== seal.hash) return [broken(seal.version)];
  const after = events
    .slice(sealed.length)
    .reduce((at, event) => hash(at, canonical(event)), before);
  await seals.put(portfolio, { from: seal, to: { version, hash: after } });
  return [];
}

const broken = (version: number): Finding => ({
  invariant: 'I15',
  detail: `the first ${version} events are not those that were sealed`,
});

const chained = (events: readonly PortfolioEvent[], hash: ChainHash): string =>
  events.reduce((at, event) => hash(at, canonical(event)), '');

/** The same text whichever way the store orders the members. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, one: unknown) =>
    typeof one === 'object' && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  );
