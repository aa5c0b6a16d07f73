// Strategies: which are in force, what is wrong with their files, when each is due, what it submitted last; and switching
// them on and off.
import { z } from 'zod';
import type { EngineApi } from '../../engine/interface/engine-api.ts';
import type { Operations } from '../../engine/interface/operations.ts';
import type { StrategyView } from '../../engine/interface/strategies-api.ts';
import type { Instant } from '../../values/instant.ts';
import { satisfies } from '../auth/key-needs.ts';
import { actor, owns } from '../auth/key-store.ts';
import { statusNumber } from '../portfolios/status-number.ts';
import { Refused } from '../wire/faults.ts';
import { choiceField, textField } from '../wire/field-kinds.ts';
import { record } from '../wire/fields.ts';
import { type TradingMethod, tradingMethod } from './trading-method.ts';

/** What the operations need. */
export interface StrategyRoutes {
  readonly strategies: EngineApi['strategies'];
  readonly operations: Pick<Operations, 'page'>;
  readonly now: () => Instant;
}

const RUNS_SHOWN = 3;
const NAME_LENGTH_MAX = 64;
const REASON_LENGTH_MAX = 200;

const whenText = (description: string) =>
  z.string().nullable().describe(`${description}, Unix milliseconds; null: none`);

const strategyRecordSchema = z.object({
  strategy: z.string(),
  description: z.string(),
  file: z.string().describe('Its file in the folder of strategies'),
  accountId: z.string(),
  portfolio: z.record(z.string(), z.unknown()).describe('What it submits, as the body of submit'),
  schedule: z
    .string()
    .nullable()
    .describe('When it is due: five cron fields and a zone, or in words; null: never by itself'),
  isEnabledInFile: z.boolean(),
  isOn: z.boolean().describe('Whether it is submitted when it is due'),
  switch: z
    .object({
      state: z.enum(['on', 'off', 'file']).describe('file: as the file says'),
      uid: z.string(),
      nickname: z.string(),
      reason: z.string(),
      timestamp: z.string().describe('Unix milliseconds'),
    })
    .nullable()
    .describe('Who switched it last; null: it was never switched'),
  nextTimestamp: whenText('When it is due next'),
  runs: z
    .array(
      z.object({
        portfolioId: z.int(),
        portfolioStatus: z.int().describe('As in records of portfolios'),
        submitTimestamp: z.string().describe('Unix milliseconds'),
      }),
    )
    .describe(`What it submitted, newest first, at most ${RUNS_SHOWN}`),
});

const strategiesSchema = z
  .object({
    areRead: z.boolean().describe('false: the daemon is recovering and has not read them yet'),
    strategies: z.array(strategyRecordSchema).describe('By name'),
    faults: z
      .array(
        z.object({
          file: z.string(),
          line: z.int().nullable().describe('From 1; null: the file as a whole'),
          column: z.int().nullable(),
          field: z.string(),
          message: z.string(),
        }),
      )
      .describe('A faulty file leaves its last version without faults in force; scope admin only'),
  })
  .describe('Strategies in force');

export type StrategiesRecord = z.infer<typeof strategiesSchema>;
export type StrategyRecord = StrategiesRecord['strategies'][number];

const list: TradingMethod<StrategyRoutes> = {
  name: 'strategies',
  verb: 'GET',
  lane: 'read',
  needs: 'oversee',
  summary:
    'List the strategies in force, when each is due and what it submitted last: all for the scope admin, otherwise those of own accounts',
  value: strategiesSchema,
  run: async ({ key, strategies, operations }): Promise<StrategiesRecord> => {
    const isAdmin = satisfies(key, 'admin');
    const view = await strategies.view();
    const seen = view.strategies.filter(({ account }) => isAdmin || owns(key, account));
    return {
      areRead: view.areRead,
      strategies: await Promise.all(seen.map((one) => strategyRecord(one, operations))),
      faults: (isAdmin ? view.faults : []).map(({ line, column, ...fault }) => ({
        ...fault,
        line: line ?? null,
        column: column ?? null,
      })),
    };
  },
};

async function strategyRecord(
  view: StrategyView,
  operations: StrategyRoutes['operations'],
): Promise<StrategyRecord> {
  const { name, description, file, account, label, isEnabledInFile, isOn } = view;
  const { rows } = await operations.page({
    account: account as never,
    strategy: label,
    orderBy: 'submittedAt',
    descending: true,
    offset: 0,
    limit: RUNS_SHOWN,
  });
  return {
    strategy: name,
    description,
    file,
    accountId: account,
    portfolio: view.body as Record<string, unknown>,
    schedule: view.schedule ?? null,
    isEnabledInFile,
    isOn,
    switch:
      view.switch === undefined
        ? null
        : {
            state: view.switch.state,
            reason: view.switch.reason,
            ...view.switch.by,
            timestamp: String(view.switch.at),
          },
    nextTimestamp: view.nextDueAt === undefined ? null : String(view.nextDueAt),
    runs: rows.map(({ portfolio, status, submittedAt }) => ({
      portfolioId: Number(portfolio),
      portfolioStatus: statusNumber(status),
      submitTimestamp: String(submittedAt),
    })),
  };
}

const switchBodySchema = record(
  {
    strategy: textField({ max: NAME_LENGTH_MAX, description: 'Name of the strategy' }),
    state: choiceField(
      { on: 'on', off: 'off', file: 'file' } as const,
      'on: submits when it is due, from now on; off: submits no more; file: as its file says',
    ),
    reason: textField({ max: REASON_LENGTH_MAX, description: 'Reason; stored with user and time' }),
  },
  'Whether a strategy submits when it is due',
);

const set = tradingMethod<StrategyRoutes, typeof switchBodySchema>({
  name: 'strategy-switch',
  verb: 'POST',
  lane: 'cancel',
  needs: 'admin',
  summary: 'Switch a strategy on or off, whatever its file says; its portfolios go on',
  asked: switchBodySchema,
  value: z.null(),
  run: async ({ key, actsFor, strategies, now }, { strategy, state, reason }): Promise<null> => {
    const view = await strategies.view();
    const of = view.strategies.find(({ name }) => name === strategy);
    if (of !== undefined) actsFor(of.account);
    const setting = { state, reason, by: actor(key), at: now() };
    const outcome = await strategies.setSwitch(strategy, setting);
    if (outcome.kind === 'refused') throw new Refused(outcome.rejections);
    return null;
  },
});

export const STRATEGY_METHODS: readonly TradingMethod<StrategyRoutes>[] = [list, set];
