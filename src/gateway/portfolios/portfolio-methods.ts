// The portfolio operations submit, plan, info and page (changes are in change-methods.ts). Each checks that the
// key owns the account, calls the engine, and formats the answer; authentication and parsing have happened
// before.
import { z } from 'zod';
import { SCHEDULE_BOUNDS, secondsFault } from '../../core/portfolio/admission/submit-limits.ts';
import { reject } from '../../core/rejection.ts';
import type { PortfolioForm } from '../../core/terms/form.ts';
import type { Actor } from '../../core/terms/spec.ts';
import type { Outcome, PlanView, Submitted } from '../../engine/interface/operations.ts';
import { acceptedScopes, satisfies } from '../auth/key-needs.ts';
import { type ApiKey, actor } from '../auth/key-store.ts';
import { requireAccount } from '../auth/require-account.ts';
import { IDEMPOTENCY_KEY } from '../http/idempotency.ts';
import { Refused } from '../wire/faults.ts';
import { infoQuerySchema } from './cancel-schema.ts';
import { CHANGE_METHODS } from './change-methods.ts';
import { counts } from './count-method.ts';
import { course } from './course-method.ts';
import { history } from './history-method.ts';
import { type PageRequest, pageQuerySchema } from './page-schema.ts';
import { planRecordSchema, planText } from './plan-view.ts';
import {
  granted,
  ownPortfolio,
  type PortfolioAnswer,
  type PortfolioCall,
  type PortfolioMethod,
  portfolioMethod,
} from './portfolio-method.ts';
import { portfolioRecord } from './portfolio-record.ts';
import { portfolioRecordSchema } from './record-schema.ts';
import { report } from './report-method.ts';
import { reportSummary } from './report-summary-method.ts';
import { portfolioBodySchema } from './submit/submit-schema.ts';

const submittedSchema = z.object({
  portfolioId: z.int().describe('Id for info, cancel and news'),
  mirrorPortfolioIds: z
    .array(z.int())
    .describe('Ids of the mirrors, in the order of the dummy accounts')
    .optional(),
  warnings: z
    .array(
      z.object({
        leg: z.int().optional().describe('Index of the leg concerned, from 0'),
        about: z.string().describe('Subject: schedule or price'),
        message: z.string().describe('What will differ from the request'),
      }),
    )
    .describe(
      'Warnings; the portfolio was accepted. Absent: none, or submitted before with the same key',
    )
    .optional(),
});

const pageSchema = z.object({
  pageCount: z.int().describe('Pages at this page size'),
  totalCount: z.int().describe('Portfolios that match'),
  values: z.array(portfolioRecordSchema),
});

/** Minimum cost of answers in milliseconds. */
const PLAN_MS = 0.1;
const SLICE_MS = 0.002;
const PAGE_MS = 0.5;
const RECORD_MS = 0.05;

/** Requested slices of all legs; 0 without a schedule, or with one that no deployment accepts. */
function slicesOf({ twapTrade, legs }: PortfolioForm): number {
  if (twapTrade === undefined) return 0;
  const { durationSec, frequencySec } = twapTrade;
  const { durationSec: duration, frequencySec: frequency } = SCHEDULE_BOUNDS;
  if (secondsFault(durationSec, duration) || secondsFault(frequencySec, frequency)) return 0;
  return legs.length * Math.ceil(durationSec / frequencySec);
}

const submit = portfolioMethod({
  verb: 'POST',
  name: 'submit',
  lane: 'submit',
  needs: 'trade',
  summary: 'Submit a portfolio',
  asked: portfolioBodySchema,
  value: submittedSchema,
  run: async (call, form) => {
    const { key } = call;
    requireAccounts(key, form);
    requireRfqScope(key, form);
    const { outcome, isRepeated } = await submitted(call, form, actor(key), idempotencyKey(call));
    const { portfolio, mirrors, warnings } = granted(outcome);
    const mirrorPortfolioIds = mirrors.map(Number);
    const value = {
      portfolioId: Number(portfolio),
      ...(mirrorPortfolioIds.length > 0 ? { mirrorPortfolioIds } : {}),
      ...(warnings && {
        warnings: warnings.map(({ leg, about, message }) => ({ leg, about, message })),
      }),
    };
    return { value, isRepeated };
  },
});

const plan = portfolioMethod({
  verb: 'POST',
  name: 'plan',
  lane: 'read',
  needs: 'read',
  summary: 'Show what submit would do',
  asked: portfolioBodySchema,
  value: planRecordSchema,
  costMs: (form) => PLAN_MS + slicesOf(form) * SLICE_MS,
  run: ({ key, operations }, form) => {
    requireAccounts(key, form);
    const outcome = operations.plan(form, actor(key));
    return outcome instanceof Promise ? outcome.then(written) : written(outcome);
  },
});

const written = (outcome: Outcome<PlanView>): PortfolioAnswer => ({
  json: planText(granted(outcome)),
});

const info = portfolioMethod({
  verb: 'GET',
  name: 'info',
  lane: 'read',
  needs: 'read',
  summary: 'Show one portfolio',
  asked: infoQuerySchema,
  value: portfolioRecordSchema,
  costMs: () => RECORD_MS,
  run: async ({ key, operations, accounts }, { portfolioId }) => ({
    value: portfolioRecord(await ownPortfolio(operations, key, portfolioId), accounts),
  }),
});

const page = portfolioMethod({
  verb: 'GET',
  name: 'page',
  lane: 'read',
  needs: 'read',
  summary: 'List portfolios page by page',
  asked: pageQuerySchema,
  value: pageSchema,
  costMs: ({ pageSize }) => PAGE_MS + pageSize * RECORD_MS,
  run: async (call, asked) => {
    if (asked.account !== undefined) requireAccount(call.key, asked.account, 'accountId');
    return { value: await pageOf(call, asked) };
  },
});

export const PORTFOLIO_METHODS: readonly PortfolioMethod[] = [
  submit,
  plan,
  info,
  page,
  counts,
  report,
  history,
  course,
  reportSummary,
  ...CHANGE_METHODS,
];

/**
 * A portfolio that may end in a Block RFQ needs the RFQ scope: a key must not do through a portfolio what it
 * may not do directly.
 */
function requireRfqScope(key: ApiKey, { execution }: PortfolioForm): void {
  if (execution.endAction !== 'rfq' || satisfies(key, 'rfq')) return;
  const message = `rfq: this key lacks the scope; accepted: ${acceptedScopes('rfq')}`;
  throw new Refused([reject('forbidden', 'execution.endAction', message)]);
}

async function pageOf({ key, operations, accounts }: PortfolioCall, asked: PageRequest) {
  const empty = { total: 0, rows: [] };
  const own = asked.account === undefined ? { accounts: key.accounts } : {};
  const { total, rows } =
    asked.query === undefined ? empty : await operations.page({ ...asked.query, ...own });
  return {
    pageCount: Math.ceil(total / asked.pageSize),
    totalCount: total,
    values: rows.map((row) => portfolioRecord(row, accounts)),
  };
}

function requireAccounts(key: ApiKey, form: PortfolioForm): void {
  requireAccount(key, form.accountId, 'accountId');
  for (const [index, account] of form.dummyAccounts.entries()) {
    requireAccount(key, account, `sendToDummyAccountIds[${index}]`);
  }
}

interface SubmitAnswer {
  readonly outcome: Outcome<Submitted>;
  readonly isRepeated: boolean;
}

/** With an idempotency key: submits once, and always returns the first answer. */
async function submitted(
  { operations, once }: PortfolioCall,
  form: PortfolioForm,
  by: Actor,
  key: string | undefined,
): Promise<SubmitAnswer> {
  const act = () => operations.submit(form, by, key);
  const isDone = ({ kind }: Outcome<Submitted>): boolean => kind === 'done';
  if (key === undefined || once === undefined) return ledgerAnswer(await act());
  const asked = await once.run({ key, body: form, act, isDone });
  switch (asked.kind) {
    case 'answered':
      return asked.isRepeated
        ? { outcome: asked.answer, isRepeated: true }
        : ledgerAnswer(asked.answer);
    case 'unanswered':
      return ledgerAnswer(await act());
    case 'other': {
      const message = 'was already used with a different body; accepted: a new key per submission';
      throw new Refused([reject('key_reused', 'Idempotency-Key', message)]);
    }
  }
}

/** The ledger remembers keys forever, longer than the idempotency store. */
const ledgerAnswer = (outcome: Outcome<Submitted>): SubmitAnswer => ({
  outcome,
  isRepeated: outcome.kind === 'done' && !outcome.value.created,
});

/** Prefixed with the API key, so that idempotency keys of different API keys never collide. */
function idempotencyKey({ onceKeys, key }: PortfolioCall): string | undefined {
  if (onceKeys === undefined) return undefined;
  const [value = ''] = onceKeys;
  if (onceKeys.length === 1 && IDEMPOTENCY_KEY.test(value)) return `api:${key.id}:${value}`;
  const message = 'is not usable; accepted: one header with 1 to 64 visible characters';
  throw new Refused([reject('invalid_parameter', 'Idempotency-Key', message)]);
}
