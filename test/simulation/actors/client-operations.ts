// A client's portfolio requests to a deployment: directly to a daemon's engine, or by the bytes of
// the interface through its gateway.

import { REJECTION_CODES, type RejectionKind } from '../../../src/core/rejection.ts';
import type { PortfolioForm } from '../../../src/core/terms/form.ts';
import { LedgerFailure } from '../../../src/ports/ledger.ts';
import { type Quantity, quantity, text } from '../../../src/values/amounts.ts';
import { type AccountId, type PortfolioId, portfolioId } from '../../../src/values/ids.ts';
import type { AmendWish } from '../own-books/asked.ts';
import { portfolioBody } from '../plan/portfolio-body.ts';
import { ACCOUNTS } from '../plan/simulated-accounts.ts';
import type { SimulatedDaemon } from '../world/simulated-daemon.ts';
import type { Doors, Reachable, Told } from './door-client.ts';
import { keyIdOf } from './door-keys.ts';
import { PORTFOLIOS } from './front-door.ts';

/** Done, or refused by rules of these kinds. */
export type Answer<T> =
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'refused'; readonly kinds: readonly RejectionKind[] };

export interface PlannedPart {
  readonly leg: number;
  readonly quantity: string;
}

/** All reject with a LedgerFailure if the outcome is unknown. */
export interface ClientOperations {
  submit(form: PortfolioForm, key: string): Promise<Answer<PortfolioId>>;
  plan(form: PortfolioForm): Promise<Answer<readonly PlannedPart[]>>;
  /** Filled quantity of each leg; `undefined` if the portfolio does not exist. */
  filled(id: PortfolioId): Promise<readonly Quantity[] | undefined>;
  /** The accounts of the portfolios on a page of the own account. */
  accountsShown(): Promise<readonly string[]>;
  change(kind: 'cancel' | 'pause' | 'resume', id: PortfolioId): Promise<Answer<null>>;
  amend(id: PortfolioId, wish: AmendWish): Promise<Answer<null>>;
  /** Number of amendments; `undefined` if it can no longer be amended. */
  amendments(id: PortfolioId): Promise<number | undefined>;
  /** A client of another account tries to cancel it. */
  cancelByOther(id: PortfolioId): Promise<Answer<null>>;
}

const BY = { uid: '7', nickname: 'simulated' };
const PAGE = { orderBy: 'submittedAt', descending: false, offset: 0, limit: 50 } as const;

const otherThan = (account: AccountId): AccountId | undefined =>
  ACCOUNTS.find((one) => one !== account);

/** Directly at the engine, without the gateway. */
export function straight(
  { operations }: Pick<SimulatedDaemon, 'operations'>,
  account: AccountId,
): ClientOperations {
  return {
    submit: async (form, key) =>
      answerOf(await operations.submit(form, BY, key), ({ portfolio }) => portfolio),
    plan: async (form) => answerOf(await operations.plan(form, BY), ({ slices }) => slices),
    filled: async (id) => (await operations.info(id))?.legs.map(({ filled }) => quantity(filled)),
    accountsShown: async () =>
      (await operations.page({ ...PAGE, account })).rows.map((row) => row.account),
    change: async (kind, id) =>
      passed(answerOf(await operations[kind](id, BY, account), () => null)),
    amend: async (portfolio, { limits: execution, ...wish }) => {
      const form = { ...wish, execution };
      const asked = { portfolio, account, by: BY, isPreview: false, form };
      return passed(answerOf(await operations.amend(asked), () => null));
    },
    amendments: async (portfolio) => {
      const asked = { portfolio, account, by: BY, isPreview: true, form: { legs: [] } };
      const answer = await operations.amend(asked);
      return answer.kind === 'done' ? answer.value.amendments : undefined;
    },
    cancelByOther: async (id) =>
      answerOf(await operations.cancel(id, BY, otherThan(account)), () => null),
  };
}

type Outcome<T> =
  Awaited<ReturnType<SimulatedDaemon['operations']['plan']>> extends infer O
    ? Exclude<O, { readonly kind: 'done' }> | { readonly kind: 'done'; readonly value: T }
    : never;

const answerOf = <T, U>(outcome: Outcome<T>, of: (value: T) => U): Answer<U> =>
  outcome.kind === 'done'
    ? { kind: 'done', value: of(outcome.value) }
    : { kind: 'refused', kinds: outcome.rejections.map(({ kind }) => kind) };

/** A request that has no place among those that wait is sent again. */
function passed<T>(answer: Answer<T>): Answer<T> {
  if (answer.kind === 'done' || !answer.kinds.includes('unavailable')) return answer;
  throw new LedgerFailure('unavailable for now', false);
}

/** Through the gateway of one daemon; a request repeated by the network may reach any of `alive`. */
export function byDoor(
  doors: Doors,
  at: Reachable & Pick<SimulatedDaemon, 'life'>,
  { account, alive }: { readonly account: AccountId; readonly alive: readonly Reachable[] },
): ClientOperations {
  const post = async (name: string, body: object, onceKey?: string, keyId = keyIdOf(account)) => {
    const asking = { keyId, verb: 'POST', target: `${PORTFOLIOS}/${name}`, body, onceKey } as const;
    return read(await doors.request(at, asking, alive));
  };
  const get = async (query: string) => {
    const asking = {
      keyId: keyIdOf(account),
      verb: 'GET',
      target: `${PORTFOLIOS}/${query}`,
    } as const;
    return read(await doors.request(at, asking, alive));
  };
  return {
    submit: async (form, key) =>
      shownOf(await post('submit', portfolioBody(form), key), ({ portfolioId: id }) =>
        portfolioId(String(id)),
      ),
    plan: async (form) =>
      shownOf(await post('plan', portfolioBody(form)), ({ slices }) => slices as PlannedPart[]),
    filled: async (id) => {
      const answer = await get(`info?portfolioId=${id}`);
      if (answer.kind === 'refused') return undefined;
      const { legs } = answer.value as { readonly legs: readonly { filledQuantity: string }[] };
      return legs.map(({ filledQuantity }) => quantity(filledQuantity));
    },
    accountsShown: async () => {
      const answer = await get(`page?accountId=${account}&pageSize=50`);
      if (answer.kind === 'refused') return [];
      const { values } = answer.value as { readonly values: readonly { accountId: string }[] };
      return values.map(({ accountId }) => accountId);
    },
    change: async (kind, id) =>
      shownOf(await post(kind, { portfolioId: id, accountId: account }), () => null),
    amend: async (id, { durationSec, limits, amendmentsSeen, legs }) => {
      const changes = legs.map((one) => ({
        leg: one.leg,
        quantity: text(one.quantity),
        filledSeen: text(one.filledSeen),
      }));
      const asked = { durationSec, legs: changes, execution: limits, amendmentsSeen };
      const body = { portfolioId: id, accountId: account, ...asked };
      return shownOf(await post('amend', body), () => null);
    },
    amendments: async (id) => {
      const body = { portfolioId: id, accountId: account, preview: true };
      const answer = await post('amend', body);
      return answer.kind === 'done' ? Number(answer.value['amendments']) : undefined;
    },
    cancelByOther: async (id) => {
      const keyId = keyIdOf(otherThan(account) ?? '');
      return shownOf(await post('cancel', { portfolioId: id }, undefined, keyId), () => null);
    },
  };
}

type Value = Readonly<Record<string, unknown>>;

const shownOf = <T>(answer: Answer<Value>, of: (value: Value) => T): Answer<T> =>
  answer.kind === 'done' ? { kind: 'done', value: of(answer.value) } : answer;

const KINDS = new Map<number, RejectionKind>(
  Object.entries(REJECTION_CODES).map(([kind, code]) => [code, kind as RejectionKind]),
);

/** Temporary refusals: a secret not learnt yet, a rate limit, an unavailable ledger. */
const PASSING: ReadonlySet<RejectionKind> = new Set([
  'unavailable',
  'too_many_requests',
  'signature',
  'nonce_reused',
]);

function read(told: Told): Answer<Value> {
  if (told === undefined) throw new LedgerFailure('no answer came', true);
  const envelope = JSON.parse(told.body) as {
    readonly succ: boolean;
    readonly message: string;
    readonly value: Value;
    readonly errors?: readonly { readonly code: number }[];
  };
  if (envelope.succ) return { kind: 'done', value: envelope.value };
  const kinds = (envelope.errors ?? []).map(({ code }) => KINDS.get(code) ?? 'internal');
  const passing = kinds.find((kind) => PASSING.has(kind));
  if (passing !== undefined) {
    throw new LedgerFailure(envelope.message, passing === 'unavailable');
  }
  return { kind: 'refused', kinds };
}
