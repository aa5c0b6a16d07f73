// `audit`: re-reads every event of the ledger, compares it with its seals, and shows what the running
// daemon's auditor reports about the venues. Exit code 1 if a check fails.

import { resolve } from 'node:path';
import { Option } from 'commander';
import { type HttpTarget, sendHttp } from '../../../gateway/client/secure-http.ts';
import { MetricLines } from '../../../gateway/trading/metric-lines.ts';
import { printableData } from '../../../values/printable.ts';
import { counted } from '../../../values/text/written-figures.ts';
import { CommandFailure } from '../../command-failure.ts';
import type { Config } from '../../config/config.ts';
import type { AuditLedgerOptions, LedgerAudit } from '../../ledger/audit-ledger.ts';
import type { WitnessedHeads } from '../../witness/witnessed-heads.ts';
import { configOption } from '../caller-path.ts';
import { type AddCommand, jsonText, type Terminal } from '../command.ts';
import { type ConnectionOptions, tlsOf, urlOf, withTls } from '../daemon-client.ts';
import { ARCHIVE_PLACE, archiveOf } from '../ledger/archive-text.ts';
import { type LedgerOptions, ledgerConfig, onLedger } from '../ledger-command.ts';
import { paint } from '../terminal/paint.ts';
import { type SheetColumn, sheetCsv, sheetTable } from '../terminal/sheet.ts';
import { textColumn } from '../terminal/sheet-columns.ts';

interface Options extends LedgerOptions, Pick<ConnectionOptions, 'ca' | 'cert' | 'certKey'> {
  readonly url?: string;
  readonly agree?: string;
  readonly archive?: string;
  readonly witness?: string;
  readonly publicKey?: readonly string[];
  readonly json?: boolean;
  readonly csv?: boolean;
}

/** A check that the daemon's auditor performs continuously. */
interface DaemonAudit {
  readonly check: string;
  /** Seconds since it last ran. */
  readonly agoSec: number;
}

interface Verdict {
  readonly ledger: LedgerAudit;
  /** Where a daemon answers. */
  readonly daemon?: { readonly checks: readonly DaemonAudit[]; readonly breaches: number };
}

const METRICS_WITHIN_MS = 3_000;
const LAST = 'twapd_audit_last_run_timestamp_seconds';
const BREACHES = 'twapd_audit_breaches_total';

export const addAudit: AddCommand = (program, terminal) => {
  withTls(program.command('audit'))
    .option(...configOption)
    .option('-u, --url <address>', 'address of the daemon (default: host and port of the config)')
    .option('--archive <place>', ARCHIVE_PLACE)
    .option('--witness <place>', 'compare with the signed heads of a file or of an address')
    .option('--public-key <file...>', 'public key of the heads, in PEM; several if it was changed')
    .option('--agree <account>', 'accept the positions the account now has at its venue')
    .option('--json', 'print it as JSON')
    .addOption(new Option('--csv', 'print what is broken as CSV').conflicts('json'))
    .action(async (options: Options) => {
      const config = ledgerConfig(options);
      if (options.agree !== undefined) return await agree(config, options.agree, terminal);
      const heads = await headsOf(options);
      const ledger = await auditOf(config, {
        archive: await archiveOf(config, ['--archive', options.archive]),
        heads,
      });
      const baseUrl = options.url ?? urlOf(config);
      const daemon = await daemonAudit({ baseUrl, tls: tlsOf(options, config) });
      const verdict: Verdict = { ledger, ...(daemon !== undefined && { daemon }) };
      if (options.json) terminal.print(jsonText(verdict));
      else if (options.csv) terminal.print(sheetCsv(FINDINGS, printableData(ledger.findings)));
      else terminal.print(verdictText(printableData(verdict), terminal.columns()));
      const isBroken = ledger.findings.length > 0 || (daemon?.breaches ?? 0) > 0;
      if (isBroken) throw new CommandFailure('refused', []);
    });
};

/** The heads of the witness that the options name; `undefined` if they name none. */
async function headsOf({ witness, publicKey = [] }: Options): Promise<WitnessedHeads | undefined> {
  if (witness === undefined && publicKey.length === 0) return undefined;
  if (witness === undefined || publicKey.length === 0) {
    throw new CommandFailure('usage', [
      '--witness and --public-key: one is missing; accepted: both',
    ]);
  }
  const { readWitness } = await import('../../witness/read-witness.ts');
  return await readWitness({ place: witness, publicKeys: publicKey });
}

async function auditOf(
  config: Config,
  extra: Pick<AuditLedgerOptions, 'archive' | 'heads'>,
): Promise<LedgerAudit> {
  return await onLedger(config, async (connectionString) => {
    const { auditLedger } = await import('../../ledger/audit-ledger.ts');
    const { PostgresLedger } = await import('../../../adapters/postgres/postgres-ledger.ts');
    const marks = new PostgresLedger({ connectionString });
    try {
      const getMetadata = (name: string): Promise<string | undefined> => marks.getMetadata(name);
      const folder = resolve(config.service.dataDir);
      return await auditLedger({ connectionString, folder, getMetadata, ...extra });
    } finally {
      await marks.close();
    }
  });
}

async function agree(config: Config, text: string, terminal: Terminal): Promise<void> {
  const account = config.accounts.find(({ id }) => id === text)?.id;
  if (account === undefined) {
    const known = config.accounts.map(({ id }) => id).join(', ');
    throw new CommandFailure('usage', [`--agree ${text}: no such account; accepted: ${known}`]);
  }
  await onLedger(config, async (connectionString) => {
    const { PostgresAuditRecords } = await import(
      '../../../adapters/postgres/records/postgres-audit-records.ts'
    );
    const { accountId } = await import('../../../values/ids.ts');
    const records = new PostgresAuditRecords({ connectionString });
    await records.remove(accountId(account)).finally(() => records.close());
  });
  terminal.print(
    `the positions of account ${account} at its venue are accepted from the next check on`,
  );
}

/** The findings of a running daemon about its venues; `undefined` if no daemon answers. */
async function daemonAudit(at: HttpTarget): Promise<Verdict['daemon']> {
  let text: string;
  try {
    const answer = await sendHttp(at, '/metrics', {
      signal: AbortSignal.timeout(METRICS_WITHIN_MS),
    });
    if (!answer.ok) return undefined;
    text = await answer.text();
  } catch (error) {
    // No daemon is listening; the ledger was read all the same.
    if (error instanceof TypeError || (error as Error).name === 'TimeoutError') return undefined;
    throw error;
  }
  const lines = new MetricLines(text, [LAST, BREACHES]);
  const checks = lines.of(LAST).map(({ labels, value }) => ({
    check: labels['check'] ?? '',
    agoSec: Math.max(0, Math.round(Date.now() / 1_000 - value)),
  }));
  return { checks, breaches: lines.sum(BREACHES) ?? 0 };
}

type Row = readonly [what: string, count: string, verdict: string];
type Finding = LedgerAudit['findings'][number];

function verdictText({ ledger, daemon }: Verdict, width: number): string {
  const { portfolios, events, sealed, witnessed, archived, unread, heads, findings } = ledger;
  const rows: readonly Row[] = [
    [
      'events of the ledger',
      `${events} of ${counted(portfolios, 'portfolio')}`,
      wordOf(findings.length),
    ],
    ['chains of hashes', `${sealed} sealed, ${witnessed} known to the data folder`, ''],
    ...(heads === undefined ? [] : [['signed heads', `${heads} of the witness`, ''] as const]),
    ...(archived > 0
      ? [['archived days', `${counted(archived, 'portfolio')} read there`, ''] as const]
      : []),
    ...(unread > 0
      ? [
          [
            'archived days',
            `${counted(unread, 'portfolio')}: no archive to read`,
            paint.yellow('unknown'),
          ] as const,
        ]
      : []),
    ...(daemon === undefined
      ? [['venues', 'no daemon answers: not looked at', paint.yellow('unknown')] as const]
      : daemon.checks.map(
          ({ check, agoSec }) => [`daemon: ${check}`, `${agoSec} s ago`, ''] as const,
        )),
    ...(daemon === undefined
      ? []
      : [
          [
            'daemon: breaches since its start',
            String(daemon.breaches),
            wordOf(daemon.breaches),
          ] as const,
        ]),
  ];
  const table = sheetTable(CHECKS, rows, width);
  return findings.length === 0 ? table : `${table}\n\n${sheetTable(FINDINGS, findings, width)}`;
}

const CHECKS: readonly SheetColumn<Row>[] = [
  textColumn(['what', 'what', 0], ([what]) => what),
  textColumn(['count', 'how much', 0], ([, count]) => count),
  textColumn(['verdict', 'verdict', 0], ([, , verdict]) => verdict),
];

const FINDINGS: readonly SheetColumn<Finding>[] = [
  textColumn(['portfolio', 'portfolio', 0], ({ portfolio }) => portfolio),
  textColumn(['invariant', 'invariant', 0], ({ invariant }) => invariant),
  textColumn(['detail', 'what is broken', 0], ({ detail }) => detail),
];

const wordOf = (broken: number): string =>
  broken === 0 ? paint.green('right') : paint.red(`${broken} broken`);
