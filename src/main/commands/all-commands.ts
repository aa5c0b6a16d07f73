// Every command of the command line, in the order of its help. A command's file is loaded when the command is used, so that
// a start does not load all of them.
import type { AddCommand } from './command.ts';

interface ListedCommand {
  readonly name: string;
  readonly group: 'trade' | 'look' | 'operate' | 'research';
  /** In the list of commands, and above the command's own help. */
  readonly description: string;
  readonly load: () => Promise<AddCommand>;
  /** It reads every other command, so all of them are loaded with it. */
  readonly readsAll?: boolean;
}

export const ALL_COMMANDS: readonly ListedCommand[] = [
  {
    name: 'check',
    group: 'trade',
    description:
      'check configuration, strategies and files to submit; asks a running daemon; exit code 1 with every fault explained',
    load: async () => (await import('./check/check.ts')).addCheck,
  },
  {
    name: 'plan',
    group: 'trade',
    description: 'show every slice a submit would make; nothing is sent',
    load: async () => (await import('./portfolio/plan.ts')).addPlan,
  },
  {
    name: 'submit',
    group: 'trade',
    description: 'submit a portfolio; on a terminal, shows it with its cost and asks first',
    load: async () => (await import('./portfolio/submit.ts')).addSubmit,
  },
  {
    name: 'amend',
    group: 'trade',
    description: 'change totals, end or limits of a portfolio; shows the new plan, --apply does it',
    load: async () => (await import('./portfolio/amend.ts')).addAmend,
  },
  {
    name: 'pause',
    group: 'trade',
    description: 'pause a portfolio: its orders are cancelled, its time continues',
    load: async () => (await import('./portfolio/pause.ts')).addPause,
  },
  {
    name: 'resume',
    group: 'trade',
    description: 'resume a paused portfolio; it catches up on what it missed',
    load: async () => (await import('./portfolio/pause.ts')).addResume,
  },
  {
    name: 'cancel',
    group: 'trade',
    description: 'cancel a portfolio; its orders are cancelled',
    load: async () => (await import('./portfolio/cancel.ts')).addCancel,
  },
  {
    name: 'cancel-all',
    group: 'trade',
    description: 'cancel every active portfolio of the accounts of the key',
    load: async () => (await import('./portfolio/cancel-all.ts')).addCancelAll,
  },
  {
    name: 'rfq',
    group: 'trade',
    description: 'request prices of blocks from makers, quote, trade',
    load: async () => (await import('./rfq/rfq-cli.ts')).addRfq,
  },
  {
    name: 'list',
    group: 'look',
    description: 'list portfolios, newest first',
    load: async () => (await import('./portfolio/list.ts')).addList,
  },
  {
    name: 'show',
    group: 'look',
    description: 'show one portfolio',
    load: async () => (await import('./portfolio/show.ts')).addShow,
  },
  {
    name: 'report',
    group: 'look',
    description:
      'show what a portfolio cost: benchmarks, shortfall, spreads, markouts, lateness; or, without an id, many of them',
    load: async () => (await import('./report/report.ts')).addReport,
  },
  {
    name: 'reconcile',
    group: 'look',
    description:
      'compare the ledger with the trades, transaction log and positions of the venue; exit code 1 if they differ',
    load: async () => (await import('./blotter/reconcile-books.ts')).addReconcile,
  },
  {
    name: 'watch',
    group: 'look',
    description: 'watch a portfolio until it ends',
    load: async () => (await import('./watch/watch.ts')).addWatch,
  },
  {
    name: 'top',
    group: 'look',
    description: 'watch all active portfolios; q quits',
    load: async () => (await import('./watch/top.ts')).addTop,
  },
  {
    name: 'open',
    group: 'look',
    description: 'print a link that opens the page once; --code: a code that confirms an action',
    load: async () => (await import('./daemon/open.ts')).addOpen,
  },
  {
    name: 'positions',
    group: 'look',
    description: 'list open positions: size, average, mark, profit and loss, greeks, margin',
    load: async () => (await import('./blotter/show-positions.ts')).addPositions,
  },
  {
    name: 'account',
    group: 'look',
    description: 'show equity, funds, margin and greeks by currency, and the use of limits',
    load: async () => (await import('./blotter/show-account.ts')).addAccount,
  },
  {
    name: 'orders',
    group: 'look',
    description: 'list open orders, children of portfolios included; or closed ones',
    load: async () => (await import('./blotter/show-orders.ts')).addOrders,
  },
  {
    name: 'fills',
    group: 'look',
    description: 'list own trades, newest first: price, fee, liquidity, profit',
    load: async () => (await import('./blotter/show-fills.ts')).addFills,
  },
  {
    name: 'quote',
    group: 'look',
    description: 'show best prices, mark, index, volatility and the book of an instrument',
    load: async () => (await import('./blotter/show-quote.ts')).addQuote,
  },
  {
    name: 'chain',
    group: 'look',
    description: 'show the options of an expiry by strike: bid, ask, volatility, delta',
    load: async () => (await import('./blotter/show-chain.ts')).addChain,
  },
  {
    name: 'instruments',
    group: 'look',
    description: 'list instruments in trading, or recently expired ones',
    load: async () => (await import('./blotter/list-instruments.ts')).addInstruments,
  },
  {
    name: 'init',
    group: 'operate',
    description: 'write a configuration, a first strategy and fresh secrets into a folder',
    load: async () => (await import('./daemon/init.ts')).addInit,
  },
  {
    name: 'start',
    group: 'operate',
    description: 'run the daemon',
    load: async () => (await import('./daemon/start.ts')).addStart,
  },
  {
    name: 'engine',
    group: 'operate',
    description: 'run the engine alone: it executes, and gateways of other processes ask it',
    load: async () => (await import('./daemon/start.ts')).addEngine,
  },
  {
    name: 'gateway',
    group: 'operate',
    description: 'run a gateway alone: it serves clients, and asks the engines of the deployment',
    load: async () => (await import('./daemon/start.ts')).addGateway,
  },
  {
    name: 'exchange',
    group: 'operate',
    description: 'run the paper exchange as a process of its own, for daemons to trade on',
    load: async () => (await import('./daemon/serve-exchange.ts')).addExchange,
  },
  {
    name: 'switch',
    group: 'operate',
    description:
      'list the trading switches, or halt, reduce or activate trading; needs scope admin',
    load: async () => (await import('./daemon/switch.ts')).addSwitch,
  },
  {
    name: 'override',
    group: 'operate',
    description: 'let one order past one control: list, request, or grant with another key',
    load: async () => (await import('./daemon/override.ts')).addOverride,
  },
  {
    name: 'status',
    group: 'operate',
    description:
      'show whether the daemon is ready, and its portfolios; exit code 1 if it is not ready',
    load: async () => (await import('./daemon/status.ts')).addStatus,
  },
  {
    name: 'queues',
    group: 'operate',
    description: 'print a link to the page of the queue; the key needs the scope admin',
    load: async () => (await import('./daemon/queues.ts')).addQueues,
  },
  {
    name: 'keys',
    group: 'operate',
    description: 'make, list, rotate and revoke API keys',
    load: async () => (await import('./keys/keys.ts')).addKeys,
  },
  {
    name: 'actions',
    group: 'operate',
    description: 'list what clients changed: key, user, account, order, outcome; newest first',
    load: async () => (await import('./daemon/actions.ts')).addActions,
  },
  {
    name: 'notify',
    group: 'operate',
    description: 'the channels that notify people: try them, and see what waits',
    load: async () => (await import('./daemon/notify.ts')).addNotify,
  },
  {
    name: 'audit',
    group: 'operate',
    description: 're-read the whole ledger and report what is broken; exit code 1 if anything is',
    load: async () => (await import('./daemon/audit.ts')).addAudit,
  },
  {
    name: 'ledger',
    group: 'operate',
    description:
      'the size of the ledger, the key that signs its heads, and what a restored ledger does not know',
    load: async () => (await import('./ledger/ledger-status.ts')).addLedger,
  },
  {
    name: 'backup',
    group: 'operate',
    description: 'write the ledger into a new folder, while the daemon runs; restore reads it',
    load: async () => (await import('./ledger/backup.ts')).addBackup,
  },
  {
    name: 'archive',
    group: 'operate',
    description:
      'move days whose portfolios have all ended to Parquet files; restore brings one back',
    load: async () => (await import('./ledger/archive.ts')).addArchive,
  },
  {
    name: 'restore',
    group: 'operate',
    description: 'restore a backup into an empty database and data folder; trading is halted in it',
    load: async () => (await import('./ledger/restore.ts')).addRestore,
  },
  {
    name: 'doctor',
    group: 'operate',
    description:
      'examine the live venues of a configuration: keys, clock, limits, instruments; on a test network also one far order; exit code 1 if something is wrong',
    load: async () => (await import('./doctor/doctor.ts')).addDoctor,
  },
  {
    name: 'completion',
    group: 'operate',
    description: 'print a script with which bash, zsh or fish complete commands and options',
    load: async () => (await import('./completion/completion.ts')).addCompletion,
    readsAll: true,
  },
  {
    name: 'schema',
    group: 'operate',
    description: 'write the JSON Schemas for editors and the page of options',
    load: async () => (await import('./schema.ts')).addSchema,
  },
  {
    name: 'backtest',
    group: 'research',
    description: 'run a strategy against recorded quotes and trades, in virtual time',
    load: async () => (await import('./backtest/backtest.ts')).addBacktest,
  },
  {
    name: 'rehearse',
    group: 'research',
    description: 'run a strategy on the paper market, over days and seeds, in virtual time',
    load: async () => (await import('./rehearse/rehearse.ts')).addRehearse,
  },
  {
    name: 'record',
    group: 'research',
    description: 'record the market of a venue into CSV files as tardis.dev names them',
    load: async () => (await import('./record/record.ts')).addRecord,
  },
  {
    name: 'export',
    group: 'research',
    description:
      'write fills, slices, children, portfolios or legs of the ledger as CSV or Parquet, or every event as JSON',
    load: async () => (await import('./export/export.ts')).addExport,
  },
];
