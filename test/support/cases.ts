// How many random cases a test draws that costs much for each: few in every run, a multiple in `npm run test:long`.
import process from 'node:process';

const TIMES = Number(process.env['TWAPD_CASES'] ?? 1);

export const cases = (inEveryRun: number): number => inEveryRun * TIMES;
