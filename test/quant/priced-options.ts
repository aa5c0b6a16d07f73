// Options whose price and sensitivities were computed independently, with 40-digit arithmetic.
import type { OptionTerms } from '../../src/quant/black-76.ts';

export interface PricedOption {
  readonly terms: OptionTerms;
  readonly volatility: number;
  readonly price: number;
  readonly delta: number;
  readonly gamma: number;
  readonly vega: number;
  /** −∂price/∂time over 365, without the cap at the remaining time value. */
  readonly decayOfOneDay: number;
  readonly rho: number;
}

const MONTH = { years: 30 / 365, forward: 88_000, strike: 95_000 };

export const PRICED_OPTIONS: readonly PricedOption[] = [
  {
    terms: { type: 'call', forward: 100, strike: 100, years: 1 },
    volatility: 0.2,
    price: 7.965567455405797,
    delta: 0.539827837277029,
    gamma: 0.01984762737385059,
    vega: 0.39695254747701175,
    decayOfOneDay: -0.010875412259644158,
    rho: 0.460172162722971,
  },
  {
    terms: { type: 'call', ...MONTH },
    volatility: 0.45,
    price: 2009.2141095616946,
    delta: 0.29847976840080104,
    gamma: 0.00003055519085708017,
    vega: 87.51676364281067,
    decayOfOneDay: -65.637572732108,
    rho: 19.937264802500383,
  },
  {
    terms: { type: 'put', ...MONTH },
    volatility: 0.45,
    price: 9009.214109561695,
    delta: -0.701520231599199,
    gamma: 0.00003055519085708017,
    vega: 87.51676364281067,
    decayOfOneDay: -65.637572732108,
    rho: -58.144926978321536,
  },
  {
    terms: { type: 'put', forward: 3000, strike: 1500, years: 0.25 },
    volatility: 0.7,
    price: 6.563263828020126,
    delta: -0.015564471177802804,
    gamma: 0.000037229735428671214,
    vega: 0.5863683330015717,
    decayOfOneDay: -0.22490840169923296,
    rho: -0.13314169340357135,
  },
  {
    terms: { type: 'call', forward: 100, strike: 2000, years: 3 },
    volatility: 5,
    price: 99.99369013265236,
    delta: 0.9999661474597282,
    gamma: 1.6458872481776e-7,
    vega: 0.00024688308722664,
    decayOfOneDay: -0.00005636600164991781,
    rho: 0.0000877383996138836,
  },
  {
    terms: { type: 'call', forward: 88_000, strike: 120_000, years: 7 / 365 },
    volatility: 0.5,
    price: 0.0054633288805828305,
    delta: 0.00000440202100429847,
    gamma: 3.3601219726839265e-9,
    vega: 0.00249514372459247,
    decayOfOneDay: -0.008911227587830249,
    rho: 0.00007324388045161034,
  },
  {
    terms: { type: 'put', forward: 100, strike: 5, years: 3 },
    volatility: 0.05,
    price: 9.389714114027556e-264,
    delta: -3.752100869266924e-263,
    gamma: 1.501830178687229e-262,
    vega: 2.2527452680308434e-261,
    decayOfOneDay: -5.143254036600099e-264,
    rho: -1.1284471750142856e-262,
  },
  {
    terms: { type: 'call', forward: 88_000, strike: 88_001, years: 1 / 8760 },
    volatility: 0.3,
    price: 112.02964544718675,
    delta: 0.4992250199071942,
    gamma: 0.0014143515560490548,
    vega: 3.750937825357493,
    decayOfOneDay: -1350.3376171286975,
    rho: 0.050022570897700805,
  },
];

export const titled = PRICED_OPTIONS.map(
  (option) =>
    [
      `${option.terms.type} ${option.terms.strike} on ${option.terms.forward} at ${option.volatility}`,
      option,
    ] as const,
);
