// Every property draws its cases from the seed of this run. Loaded before each file.
import process from 'node:process';
import fc from 'fast-check';

const seed = Number(process.env['TWAPD_SEED']);
if (!Number.isInteger(seed)) {
  throw new Error(`TWAPD_SEED is ${process.env['TWAPD_SEED']}; accepted: an integer`);
}
// Fast-check takes 32 bits with a sign.
fc.configureGlobal({ seed: seed | 0 });
