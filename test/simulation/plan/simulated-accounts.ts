// The accounts of a simulated deployment: two that trade and one that mirrors, and the protection of the first.
import { type AccountId, accountId } from '../../../src/values/ids.ts';

export const ACCOUNTS: readonly AccountId[] = [accountId('10001'), accountId('10002')];
export const DUMMY = accountId('20001');
export const MMP_GROUP = 'desk';
