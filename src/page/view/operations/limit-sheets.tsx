// Limits that fill up, with how much of each is used, and the groups of market-maker protection with their state and reset.

import { grouped } from '../../../values/text/written-figures.ts';
import { callMethod } from '../../link/page-session.ts';
import { NOT_KNOWN } from '../../model/formatting.ts';
import { CONTROL_NAMES, fullestFirst } from '../../model/operations/limit-shares.ts';
import { limits, type MmpGroup, mmpGroups } from '../../model/operations/readings.ts';
import { mapShown } from '../../model/panel-state.ts';
import { nowMs } from '../page-clock.ts';
import { openQuestion } from './ask-dialog.tsx';
import { mayTrade } from './session-rights.ts';
import { Share, Sheet, Time } from './sheet.tsx';

export function LimitSheet() {
  return (
    <Sheet
      title="Limits"
      shown={mapShown(limits.shown.value, fullestFirst)}
      none="No limit that fills up is set for these accounts."
      keyOf={({ accountId, control, instrumentName, unit }) =>
        `${accountId}/${control}/${instrumentName}/${unit}`
      }
      columns={[
        { head: 'Account', cell: ({ accountId }) => accountId },
        { head: 'Limit on', cell: ({ control }) => CONTROL_NAMES[control] },
        { head: 'Instrument', cell: ({ instrumentName = 'all' }) => instrumentName },
        {
          head: 'Used',
          isNumber: true,
          cell: ({ used, unit }) => `${used === null ? NOT_KNOWN : grouped(used)} ${unit}`,
        },
        {
          head: 'Limit',
          isNumber: true,
          cell: ({ limit, unit }) =>
            limit === null ? 'none set: blocks' : `${grouped(limit)} ${unit}`,
        },
        { head: 'Share', cell: ({ used, limit }) => <Share part={used} whole={limit} /> },
      ]}
    />
  );
}

const frozenFirst = (all: readonly MmpGroup[]): readonly MmpGroup[] =>
  all.toSorted((a, b) => Number(isFrozen(b)) - Number(isFrozen(a)));

const isFrozen = ({ frozenUntil }: MmpGroup): boolean =>
  frozenUntil === 0 || (frozenUntil !== undefined && frozenUntil > nowMs.value);

const nameOf = ({ config }: MmpGroup): string =>
  `${config.indexName}${config.mmpGroup === null ? '' : ` ${config.mmpGroup}`}`;

export function MmpSheet() {
  return (
    <Sheet
      title="Market-maker protection"
      shown={mapShown(mmpGroups.shown.value, frozenFirst)}
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

function MmpState({ group }: { readonly group: MmpGroup }) {
  if (!isFrozen(group)) return <span class="good">● ready</span>;
  const { frozenUntil } = group;
  if (frozenUntil === 0) return <span class="bad">■ frozen until it is reset</span>;
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
      {grouped(used)} of {grouped(String(limit))} <Share part={used} whole={limit} />
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
