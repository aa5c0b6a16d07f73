// What an operator looks at when something is wrong: alarms with their runbook, the state of the deployment, what is switched
// off, limits, protection, venues, and who did what.
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
import { SwitchSheets } from './switch-sheets.tsx';
import { UnaccountedSheet } from './unaccounted-sheet.tsx';

const READINGS = [summary, switchHistory, unaccounted, limits, mmpGroups, actions, keys, sessions];

export function RiskScreen() {
  useReadings(READINGS);
  return (
    <div class="screen">
      <h1>Risk and operations</h1>
      <AlarmList />
      <SwitchSheets />
      <UnaccountedSheet />
      <StateSheet />
      <VenueSheet />
      <LimitSheet />
      <MmpSheet />
      <ActionSheet />
      <KeySheet />
      <SessionSheet />
    </div>
  );
}
