// What an operator looks at when something is wrong: what that is, with its runbook, and what is switched off; then the state
// of the deployment, venues, limits, protection, and who did what.
import { useReadings } from '../../model/operations/reading.ts';
import {
  actions,
  keys,
  limits,
  mmpGroups,
  sessions,
  summary,
  switchHistory,
  unaccounted,
} from '../../model/operations/readings.ts';
import { ActionSheet } from './action-sheet.tsx';
import { AlarmList, StateSheet, VenueSheet } from './deployment-state.tsx';
import { KeySheet, SessionSheet } from './key-sheets.tsx';
import { LimitSheet, MmpSheet } from './limit-sheets.tsx';
import { SwitchHistorySheet, SwitchSheet } from './switch-sheets.tsx';
import { hasUnaccounted, UnaccountedSheet } from './unaccounted-sheet.tsx';

const READINGS = [summary, switchHistory, unaccounted, limits, mmpGroups, actions, keys, sessions];

export function RiskScreen() {
  useReadings(READINGS);
  const isBehind = hasUnaccounted();
  return (
    <div class="screen">
      <h1>Risk and operations</h1>
      <div class="sheets">
        <AlarmList />
        <SwitchSheet />
      </div>
      {isBehind && <UnaccountedSheet />}
      <StateSheet />
      <VenueSheet />
      <LimitSheet />
      <MmpSheet />
      {!isBehind && <UnaccountedSheet />}
      <SwitchHistorySheet />
      <ActionSheet />
      <KeySheet />
      <SessionSheet />
    </div>
  );
}
