// Limits that fill up, with how much of each is used, and the groups of market-maker protection with their state and reset.
import { callMethod } from '../../link/page-session.ts';
import { limits, type MmpGroup, mmpGroups } from '../../model/operations/readings.ts';
import { nowMs } from '../page-clock.ts';
import { openQuestion } from './ask-dialog.tsx';
import { mayTrade } from './session-rights.ts';
import { Share, Sheet, Time } from './sheet.tsx';

const CONTROLS = {
  gross: 'working and traded today (PT-9)',
  slippage: 'cost of execution today (PT-20)',
  position: 'position with its orders filled (PT-8)',
  messages: 'messages, used for now (PT-5)',
  venue_messages: 'orders and changes at the venue',
  venue_questions: 'queries at the venue',
} as const;

export function LimitSheet() {
  return (
    <Sheet
      title="Limits"
      shown={limits.shown.value}
      none="No limit that fills up is set for these accounts."
      keyOf={({ accountId, control, instrumentName, unit }) =>
        `${accountId}/${control}/${instrumentName}/${unit}`
      }
      columns={[
        { head: 'Account', cell: ({ accountId }) => accountId },
        { head: 'Limit on', cell: ({ control }) => CONTROLS[control] },
        { head: 'Instrument', cell: ({ instrumentName = 'all' }) => instrumentName },
        {
          head: 'Used',
          isNumber: true,
          cell: ({ used, unit }) => `${used ?? 'not known'} ${unit}`,
        },
        {
          head: 'Limit',
          isNumber: true,
          cell: ({ limit, unit }) => (limit === null ? 'none set: blocks' : `${limit} ${unit}`),
        },
        { head: 'Share', cell: ({ used, limit }) => <Share part={used} whole={limit} /> },
      ]}
    />
  );
}

const nameOf = ({ config }: MmpGroup): string =>
  `${config.indexName}${config.mmpGroup === null ? '' : ` ${config.mmpGroup}`}`;

export function MmpSheet() {
  return (
    <Sheet
      title="Market-maker protection"
      shown={mmpGroups.shown.value}
      none="No group is configured."
      keyOf={(group) => `${group.account}/${nameOf(group)}/${group.config.blockRfq}`}
      columns={[
        { head: 'Account', cell: ({ account }) => account },
        { head: 'Group', cell: nameOf },
        {
          head: 'Protects',
          cell: ({ config }) => (config.blockRfq ? 'Block RFQ quotes' : 'orders'),
        },
        { head: 'State', cell: (group) => <MmpState group={group} /> },
        { head: 'Reset', cell: (group) => <Reset group={group} /> },
        { head: 'Quantity', isNumber: true, cell: (group) => <Used group={group} of="quantity" /> },
        { head: 'Delta', isNumber: true, cell: (group) => <Used group={group} of="delta" /> },
        { head: 'Vega', isNumber: true, cell: (group) => <Used group={group} of="vega" /> },
        { head: 'Trades', isNumber: true, cell: (group) => <Used group={group} of="trades" /> },
        { head: 'Window', cell: (group) => <Window group={group} /> },
      ]}
    />
  );
}

function MmpState({ group: { frozenUntil } }: { readonly group: MmpGroup }) {
  if (frozenUntil === undefined) return <span class="good">● ready</span>;
  if (frozenUntil === 0) return <span class="bad">■ frozen until it is reset</span>;
  if (frozenUntil <= nowMs.value) return <span class="good">● ready</span>;
  return (
    <span class="warn">
      ◐ frozen until <Time ms={frozenUntil} />
    </span>
  );
}

const LIMITS = {
  quantity: 'quantityLimit',
  delta: 'deltaLimit',
  vega: 'vegaLimit',
  trades: 'tradeCountLimit',
} as const;

/** What the running window has used of a limit, as absolute value, and the limit; nothing where none is set. */
function Used({
  group: { config },
  of,
}: {
  readonly group: MmpGroup;
  readonly of: keyof typeof LIMITS;
}) {
  const limit = config[LIMITS[of]];
  if (limit === null) return <>–</>;
  const used = String(runs(config) ? config.used[of] : 0).replace('-', '');
  return (
    <>
      {used} of {limit} <Share part={used} whole={limit} />
    </>
  );
}

type Running = MmpGroup['config'] & {
  readonly used: NonNullable<MmpGroup['config']['used']>;
};
const runs = (config: MmpGroup['config']): config is Running =>
  config.used !== null && config.used.until > nowMs.value;

function Window({ group: { config } }: { readonly group: MmpGroup }) {
  return (
    <>
      {config.interval} s
      {runs(config) && (
        <>
          , ends <Time ms={config.used.until} />
        </>
      )}
    </>
  );
}

function Reset({ group }: { readonly group: MmpGroup }) {
  if (!mayTrade()) return <>needs trade</>;
  const { indexName, mmpGroup, blockRfq } = group.config;
  const params = {
    accountId: group.account,
    indexName,
    blockRfq,
    ...(mmpGroup !== null && { mmpGroup }),
  };
  const reset = (): void =>
    openQuestion({
      title: `Reset ${nameOf(group)} of ${group.account}`,
      effect: 'Ends a freeze and empties the window: what it protects may trade again at once.',
      act: 'Reset',
      hasReason: false,
      needsCode: true,
      send: ({ headers }) => callMethod('private/reset_mmp', params, headers),
      reread: mmpGroups.read,
    });
  return (
    <button type="button" aria-label={`Reset ${nameOf(group)} of ${group.account}`} onClick={reset}>
      Reset…
    </button>
  );
}
