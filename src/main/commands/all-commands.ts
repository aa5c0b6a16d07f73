// Every command of the command line, in the order of its help.
import { addActions } from './actions.ts';
import { addAmend } from './amend.ts';
import { addAudit } from './audit.ts';
import { addBacktest } from './backtest.ts';
import { addCancel } from './cancel.ts';
import { addCancelAll } from './cancel-all.ts';
import { addCheck } from './check.ts';
import type { AddCommand } from './command.ts';
import { addExchange } from './exchange.ts';
import { addExport } from './export.ts';
import { addKeys } from './keys.ts';
import { addList } from './list.ts';
import { addOverride } from './override.ts';
import { addPause, addResume } from './pause.ts';
import { addPlan } from './plan.ts';
import { addQueues } from './queues.ts';
import { addRfq } from './rfq.ts';
import { addSchema } from './schema.ts';
import { addShow } from './show.ts';
import { addStart } from './start.ts';
import { addStatus } from './status.ts';
import { addSubmit } from './submit.ts';
import { addSwitch } from './switch.ts';
import { addTop } from './top.ts';
import { addWatch } from './watch.ts';

export const ALL_COMMANDS: readonly AddCommand[] = [
  addStart,
  addExchange,
  addCheck,
  addPlan,
  addBacktest,
  addSubmit,
  addList,
  addShow,
  addWatch,
  addTop,
  addAmend,
  addPause,
  addResume,
  addCancel,
  addCancelAll,
  addSwitch,
  addOverride,
  addRfq,
  addStatus,
  addQueues,
  addKeys,
  addActions,
  addAudit,
  addExport,
  addSchema,
];
