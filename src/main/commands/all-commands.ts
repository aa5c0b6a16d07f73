// Every command of the command line, in the order of its help.

import { addBacktest } from './backtest/backtest.ts';
import type { AddCommand } from './command.ts';
import { addActions } from './daemon/actions.ts';
import { addAudit } from './daemon/audit.ts';
import { addExport } from './daemon/export.ts';
import { addOverride } from './daemon/override.ts';
import { addQueues } from './daemon/queues.ts';
import { addExchange } from './daemon/serve-exchange.ts';
import { addStart } from './daemon/start.ts';
import { addStatus } from './daemon/status.ts';
import { addSwitch } from './daemon/switch.ts';
import { addDoctor } from './doctor/doctor.ts';
import { addKeys } from './keys/keys.ts';
import { addAmend } from './portfolio/amend.ts';
import { addCancel } from './portfolio/cancel.ts';
import { addCancelAll } from './portfolio/cancel-all.ts';
import { addCheck } from './portfolio/check.ts';
import { addList } from './portfolio/list.ts';
import { addPause, addResume } from './portfolio/pause.ts';
import { addPlan } from './portfolio/plan.ts';
import { addShow } from './portfolio/show.ts';
import { addSubmit } from './portfolio/submit.ts';
import { addRecord } from './record/record.ts';
import { addRfq } from './rfq/rfq-cli.ts';
import { addSchema } from './schema.ts';
import { addTop } from './watch/top.ts';
import { addWatch } from './watch/watch.ts';

export const ALL_COMMANDS: readonly AddCommand[] = [
  addStart,
  addExchange,
  addCheck,
  addPlan,
  addBacktest,
  addRecord,
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
  addDoctor,
  addSchema,
];
