// What the short form leaves at its default: schedule, prices and flags of each leg, execution, labels, and the ticket as a text.

import { bare, type FieldSchema, type Path } from '../../model/ticket/form-schema.ts';
import { body, draft, legsOf } from '../../model/ticket/ticket-draft.ts';
import { tradingAccounts } from '../../model/trading-accounts.ts';
import { AccountField } from './account-field.tsx';
import { askCopy } from './copy-dialog.tsx';
import { Field, Fields, Folded, Group } from './field.tsx';
import { LegCard } from './leg-card.tsx';

/** How the options of execution are grouped; those of no group are shown in the last one. */
const GROUPS = [
  ['Timing and size', ['phase', 'aim', 'randomSize', 'randomTime', 'seed']],
  ['Catching up', ['catchUp', 'maxCatchUp', 'downtime']],
  ['At the end', ['endAction', 'endCapBps', 'extendSec', 'rfq']],
  ['Limits of price', ['collar', 'slippageMaxBps', 'bandBps', 'spreadMaxBps', 'spreadMaxVol']],
  ['How slices are worked', ['escalation', 'wouldPrices', 'participationMax', 'avoidWindows']],
] as const;

const PARTS = ['accountId', 'portfolioType', 'twapTrade', 'balanceTrade', 'legs', 'execution'];

export function Advanced({ schema: own }: { readonly schema: FieldSchema }) {
  const { properties = {} } = bare(own);
  const of = (name: string): FieldSchema => properties[name] ?? {};
  const execution = bare(of('execution'));
  const labels = Object.keys(properties).filter((name) => !PARTS.includes(name));
  const paths: readonly Path[] = [
    ['twapTrade', 'startTimestamp'],
    ...Object.keys(execution.properties ?? {}).map((name) => ['execution', name]),
    ...labels.map((name) => [name]),
  ];
  return (
    <Folded title="Advanced" paths={paths} isPart={true}>
      <div class="fields">
        {tradingAccounts().length > 1 ? null : <AccountField schema={of('accountId')} />}
        <Field path={['portfolioType']} schema={of('portfolioType')} isRequired={true} />
      </div>
      {body.value['portfolioType'] !== 'BALANCE' && (
        <Group path={['twapTrade']} schema={of('twapTrade')} but={['durationSec']} />
      )}
      {legsOf(draft.value).map((written, at) => (
        <LegCard key={at} at={at} written={written} schema={bare(of('legs')).items ?? {}} />
      ))}
      <Execution schema={execution} />
      <Folded title="Labels and mirrors" paths={labels.map((name) => [name])}>
        <Fields path={[]} schema={own} but={PARTS} />
      </Folded>
      <div class="acts">
        <button type="button" onClick={() => askCopy('strategy')}>
          As strategy…
        </button>
        <button type="button" onClick={() => askCopy('program')}>
          As program…
        </button>
      </div>
    </Folded>
  );
}

function Execution({ schema: own }: { readonly schema: FieldSchema }) {
  const { properties = {} } = own;
  const grouped: readonly string[] = GROUPS.flatMap(([, names]) => names);
  const others = Object.keys(properties).filter((name) => !grouped.includes(name));
  const groups = [...GROUPS, ['Other options', others] as const];
  return (
    <section class="part" aria-labelledby="execution">
      <h2 id="execution">Execution</h2>
      {groups.map(([title, names]) => {
        const known = names.filter((name) => Object.hasOwn(properties, name));
        return (
          <Folded key={title} title={title} paths={known.map((name) => ['execution', name])}>
            {known.map((name) => (
              <Field key={name} path={['execution', name]} schema={properties[name] ?? {}} />
            ))}
          </Folded>
        );
      })}
    </section>
  );
}
