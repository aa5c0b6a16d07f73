// What the daemon makes of the ticket: every fault with a way to its field, or the slices, cost, margin, greeks and findings.

import { useState } from 'preact/hooks';
import type { PlanRecord } from '../../../gateway/client/client.ts';
import { figure } from '../../model/formatting.ts';
import { instrumentOf } from '../../model/instruments/listed-instruments.ts';
import { tickers } from '../../model/instruments/tickers.ts';
import { current } from '../../model/panel-state.ts';
import { greeksOf } from '../../model/ticket/leg-greeks.ts';
import { planning } from '../../model/ticket/planning.ts';
import { tickMs } from '../page-clock.ts';
import { Table } from '../portfolio/table.tsx';
import { fieldId } from './field.tsx';
import { SliceChart } from './slice-chart.tsx';

type Verdict = NonNullable<PlanRecord['verdict']>;
export type Finding = Verdict['findings'][number];

/** Twice as old as plans become when they are made again. */
const OLD_SEC = 10;

export function PlanPane() {
  const { answer, isPlanning, atMs } = planning.value;
  return (
    <section class="plan-pane" aria-labelledby="plan" aria-busy={isPlanning}>
      <h2 id="plan">
        Plan <small role="status">{isPlanning ? 'being planned' : ''}</small>
      </h2>
      {!isPlanning && answer?.kind === 'done' && atMs !== undefined && <Age atMs={atMs} />}
      {answer === undefined && !isPlanning && <p class="none">Add a leg to see its plan.</p>}
      {answer?.kind === 'unknown' && <p role="alert">No answer: {answer.message}</p>}
      {answer?.kind === 'refused' && <Faults faults={answer.faults} message={answer.message} />}
      {answer?.kind === 'done' && (
        <div class={isPlanning ? 'old' : ''}>
          <Planned plan={answer.value} />
        </div>
      )}
    </section>
  );
}

/** Next to the plan; not announced each second. */
function Age({ atMs }: { readonly atMs: number }) {
  const seconds = Math.max(0, Math.floor((tickMs.value - atMs) / 1_000));
  return <p class={seconds > OLD_SEC ? 'sub age warn' : 'sub age'}>made {seconds} s ago</p>;
}

function Faults({
  faults,
  message,
}: {
  readonly faults: readonly { readonly field: string; readonly message: string }[];
  readonly message: string;
}) {
  return (
    <>
      <p role="status" class="bad">
        {faults.length === 1 ? 'One fault.' : `${faults.length} faults.`}
      </p>
      <ul class="faults">
        {faults.length === 0 && <li>{message}</li>}
        {faults.map(({ field, message: why }) => (
          <li key={field}>
            {field !== '' && (
              <button type="button" class="link" onClick={() => goTo(field)}>
                {field}
              </button>
            )}{' '}
            {why}
          </li>
        ))}
      </ul>
    </>
  );
}

/** The field, or the nearest that contains it. */
function goTo(field: string): void {
  for (let path = field; path !== ''; path = path.replace(/(\.[^.[]+|\[\d+\]|^[^.[]+)$/, '')) {
    const element = document.getElementById(fieldId(path));
    if (element === null) continue;
    element.closest('details')?.setAttribute('open', '');
    element.focus();
    return;
  }
}

function Planned({ plan }: { readonly plan: PlanRecord }) {
  const [chosen, choose] = useState(0);
  const leg = Math.min(chosen, plan.legs.length - 1);
  const { verdict } = plan;
  return (
    <>
      {verdict !== undefined && <Findings findings={verdict.findings} legs={plan.legs} />}
      {plan.legs.length > 1 && (
        <select
          aria-label="Leg of the chart"
          value={leg}
          onChange={(event) => choose(Number(event.currentTarget.value))}
        >
          {plan.legs.map(({ instrument }, at) => (
            <option key={at} value={at}>
              {at + 1} {instrument}
            </option>
          ))}
        </select>
      )}
      <LegChart plan={plan} leg={leg} />
      {verdict !== undefined && <Costs plan={plan} verdict={verdict} />}
      {verdict !== undefined && <Margin of={verdict.margin} />}
      <GreekTable plan={plan} />
      {verdict !== undefined && (
        <p class="sub">
          {verdict.orders.children} child orders with one per slice, at most{' '}
          {verdict.orders.mostAtOnce} within a second, {verdict.orders.editsPerSecond} edits a
          second while every leg rests.
        </p>
      )}
    </>
  );
}

function LegChart({ plan, leg }: { readonly plan: PlanRecord; readonly leg: number }) {
  const own = plan.legs[leg];
  if (own === undefined) return null;
  return (
    <>
      <SliceChart slices={plan.slices.filter((slice) => slice.leg === leg)} leg={own.instrument} />
      {own.note !== undefined && <p class="sub">{own.note}</p>}
    </>
  );
}

const WORDS = { fault: '■ fault', warning: '▲ warning', note: '● note' } as const;

export function Findings({
  findings,
  legs,
}: {
  readonly findings: readonly Finding[];
  readonly legs: PlanRecord['legs'];
}) {
  if (findings.length === 0) return <p class="good">Nothing stands in its way as of now.</p>;
  return (
    <ul class="faults">
      {findings.map((finding, at) => (
        <li
          key={at}
          class={finding.kind === 'fault' ? 'bad' : finding.kind === 'warning' ? 'warn' : ''}
        >
          {WORDS[finding.kind]}: {findingText(finding, legs)}
        </li>
      ))}
    </ul>
  );
}

export function findingText({ leg, message }: Finding, legs: PlanRecord['legs']): string {
  if (leg === undefined) return message;
  return `leg ${leg + 1}, ${legs[leg]?.instrument ?? ''}: ${message}`;
}

function Costs({ plan, verdict }: { readonly plan: PlanRecord; readonly verdict: Verdict }) {
  return (
    <Table
      title="Expected cost"
      shown={current(plan)}
      note="against the mid, taking each slice from the current book; positive is a cost"
      columns={['Leg', '#Mid', '#Average', '#Cost, bp', '#Cost', '#Fees', '#Would rest']}
      rows={verdict.legs.map((of, at) => ({
        key: String(at),
        cells: [
          `${at + 1} ${plan.legs[at]?.instrument ?? ''}`,
          of.mid ?? '–',
          of.averagePrice ?? '–',
          of.costBps ?? '–',
          of.cost === undefined ? '–' : `${of.cost} ${of.costCurrency}`,
          `${of.fee} ${of.feeCurrency}`,
          of.resting,
        ],
      }))}
    />
  );
}

const Margin = ({ of }: { readonly of: Verdict['margin'] }) => (
  <Table
    title="Margin"
    shown={current(of)}
    note="needed by the end, without netting against what is held"
    columns={['Currency', '#Needed', '#Available now']}
    rows={of.map(({ currency, needed, available }) => ({
      key: currency,
      cells: [currency, needed, available ?? 'not known'],
    }))}
  />
);

function GreekTable({ plan }: { readonly plan: PlanRecord }) {
  const known = plan.legs.flatMap(({ instrument: name, side, quantity }) => {
    const [instrument, ticker] = [instrumentOf(name), tickers.value.get(name)];
    if (instrument === undefined || ticker === undefined) return [];
    return [{ instrument, ticker, quantity: Number(quantity) * (side === 1 ? 1 : -1) }];
  });
  const missing = plan.legs.length - known.length;
  const note = `what it adds once filled${missing > 0 ? `; without ${missing} of its legs, whose prices are not known` : ''}`;
  return (
    <Table
      title="Greeks"
      shown={current(plan)}
      note={note}
      columns={['Coin', '#Delta', '#Gamma', '#Vega, USD', '#Theta, USD a day']}
      rows={[...greeksOf(known)].map(([coin, { delta, gamma, vega, theta }]) => ({
        key: coin,
        cells: [coin, figure(delta, 4), figure(gamma, 6), figure(vega, 2), figure(theta, 2)],
      }))}
    />
  );
}
