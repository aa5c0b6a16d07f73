// What the daemon makes of the ticket: every fault with a way to its field, or the slices, cost, margin, greeks and findings.

import { computed } from '@preact/signals';
import { useState } from 'preact/hooks';
import type { PlanRecord } from '../../../gateway/client/client.ts';
import { grouped } from '../../../values/text/written-figures.ts';
import { figure, NO_FIGURE, NOT_KNOWN } from '../../model/formatting.ts';
import { instrumentOf } from '../../model/instruments/listed-instruments.ts';
import { tickers } from '../../model/instruments/tickers.ts';
import { current } from '../../model/panel-state.ts';
import { labelOf } from '../../model/ticket/field-labels.ts';
import { greeksOf } from '../../model/ticket/leg-greeks.ts';
import { endSentence, legSentence, startsNow } from '../../model/ticket/plan-sentence.ts';
import { faults, planning, planShown, toFill } from '../../model/ticket/planning.ts';
import { body } from '../../model/ticket/ticket-draft.ts';
import { nowMs, tickMs } from '../page-clock.ts';
import { None, PanelFreshness } from '../panel-freshness.tsx';
import { Table } from '../portfolio/table.tsx';
import { fieldId } from './field.tsx';
import { focusField } from './instrument-field.tsx';
import { SliceChart } from './slice-chart.tsx';

type Verdict = NonNullable<PlanRecord['verdict']>;
export type Finding = Verdict['findings'][number];

/** Twice as old as plans become when they are made again. */
const OLD_SEC = 10;
const MINUTE_MS = 60_000;
/** The minute that it is: sentences change no more often. */
const minuteMs = computed(() => Math.floor(nowMs.value / MINUTE_MS) * MINUTE_MS);

export function PlanPane() {
  const { answer, isPlanning, atMs } = planning.value;
  return (
    <section class="plan-pane" aria-labelledby="plan" aria-busy={isPlanning}>
      <h2 id="plan">
        Plan <small role="status">{isPlanning ? 'being planned' : ''}</small>
      </h2>
      {answer === undefined && !isPlanning && (
        <None shown={current([])}>Choose an instrument to see the plan.</None>
      )}
      {answer?.kind === 'refused' ? (
        <Refused faults={answer.faults} message={answer.message} />
      ) : (
        (answer !== undefined || isPlanning) && <PanelFreshness shown={planShown.value} />
      )}
      {answer?.kind === 'done' && (
        <div class={isPlanning ? 'old' : ''}>
          <Planned plan={answer.value} />
        </div>
      )}
      {!isPlanning && answer?.kind === 'done' && atMs !== undefined && <Age atMs={atMs} />}
    </section>
  );
}

/** Next to the plan; not announced each second. */
function Age({ atMs }: { readonly atMs: number }) {
  const seconds = Math.max(0, Math.floor((tickMs.value - atMs) / 1_000));
  return <p class={seconds > OLD_SEC ? 'sub age warn' : 'sub age'}>made {seconds} s ago</p>;
}

interface RefusedProps {
  readonly faults: readonly { readonly field: string; readonly message: string }[];
  readonly message: string;
}

/** What is wrong, and apart from that what is still to be filled in. */
function Refused({ faults: all, message }: RefusedProps) {
  const wrong = all.filter(({ field }) => faults.value.has(field));
  const missing = toFill.value;
  return (
    <>
      {(wrong.length > 0 || all.length === 0) && (
        <>
          <p role="status" class="bad">
            {wrong.length <= 1 ? 'One fault.' : `${wrong.length} faults.`}
          </p>
          <ul class="faults">
            {all.length === 0 && <li>{message}</li>}
            {wrong.map(({ field, message: why }) => (
              <li key={field}>
                {field !== '' && <FieldLink field={field} />} {why}
              </li>
            ))}
          </ul>
        </>
      )}
      {missing.length > 0 && (
        <p class="sub to-fill">
          Still to fill in:{' '}
          {missing.map((field) => (
            <FieldLink key={field} field={field} />
          ))}
        </p>
      )}
    </>
  );
}

const FieldLink = ({ field }: { readonly field: string }) => (
  <button type="button" class="link" onClick={() => goTo(field)}>
    {labelOf(field)}
  </button>
);

/** The field, or the nearest that contains it. */
function goTo(field: string): void {
  for (let path = field; path !== ''; path = path.replace(/(\.[^.[]+|\[\d+\]|^[^.[]+)$/, '')) {
    const element = document.getElementById(fieldId(path));
    if (element === null) continue;
    for (let within = element.closest('details'); within !== null; ) {
      within.open = true;
      within = within.parentElement?.closest('details') ?? null;
    }
    focusField(path);
    return;
  }
}

function Planned({ plan }: { readonly plan: PlanRecord }) {
  const [chosen, choose] = useState(0);
  const byClock = plan.legs.flatMap(({ hedge }, at) => (hedge ? [] : [at]));
  const leg = byClock.includes(chosen) ? chosen : (byClock[0] ?? 0);
  const { verdict } = plan;
  return (
    <>
      <Sentences plan={plan} />
      {byClock.length > 1 && (
        <select
          aria-label="Leg of the chart"
          value={leg}
          onChange={(event) => choose(Number(event.currentTarget.value))}
        >
          {byClock.map((at) => (
            <option key={at} value={at}>
              {at + 1} {plan.legs[at]?.instrument}
            </option>
          ))}
        </select>
      )}
      <LegChart plan={plan} leg={leg} />
      {verdict !== undefined && <Findings findings={verdict.findings} legs={plan.legs} />}
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

/** The plan in words: the same as the picture, leg by leg, and what becomes of the rest. */
function Sentences({ plan }: { readonly plan: PlanRecord }) {
  const frame = { startsNow: startsNow(body.value), nowMs: minuteMs.value };
  return (
    <div class="sentences">
      {plan.legs.map(({ instrument }, leg) => (
        <p key={leg}>
          {legSentence(plan, leg, { ...frame, unit: instrumentOf(instrument)?.quantityUnit })}
        </p>
      ))}
      <p class="sub">{endSentence(body.value)}</p>
    </div>
  );
}

function LegChart({ plan, leg }: { readonly plan: PlanRecord; readonly leg: number }) {
  const own = plan.legs[leg];
  if (own === undefined) return null;
  const slices = plan.slices.filter((slice) => slice.leg === leg);
  return (
    <>
      {slices.length > 0 && <SliceChart slices={slices} leg={own.instrument} />}
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
          grouped(of.mid ?? NO_FIGURE),
          grouped(of.averagePrice ?? NO_FIGURE),
          of.costBps ?? NO_FIGURE,
          of.cost === undefined ? NO_FIGURE : `${grouped(of.cost)} ${of.costCurrency}`,
          `${grouped(of.fee)} ${of.feeCurrency}`,
          grouped(of.resting),
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
      cells: [currency, grouped(needed), grouped(available ?? NOT_KNOWN)],
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
