// Branded ids, and the label of a child order: a pure function of the child's address, so that sending an intent
// twice uses the same label twice.
import { assert } from './assert.ts';

declare const brand: unique symbol;
type Id<B extends string> = string & { readonly [brand]: B };
export type AnyId = Id<string>;

/** Digits only, below 2^53, so that it survives a JSON number. */
export type PortfolioId = Id<'portfolio'>;
export type AccountId = Id<'account'>;
export type InstrumentName = Id<'instrument'>;
export type Currency = Id<'currency'>;
/** The venue's order id. */
export type OrderId = Id<'order'>;
/** The venue's trade id; unique per venue and settlement currency. */
export type TradeId = Id<'trade'>;
/** Our label of a child order at the venue, at most 64 characters. */
export type ChildLabel = Id<'label'>;
/** Our label of a portfolio's Block RFQ at the venue, at most 64 characters. */
export type RfqLabel = Id<'rfqLabel'>;
/** Four lower-case letters or digits that distinguish the deployments sharing an account. */
export type DeploymentId = Id<'deployment'>;
export type VenueName = Id<'venue'>;

export const portfolioId = (text: string): PortfolioId => text as PortfolioId;
export const accountId = (text: string): AccountId => text as AccountId;
export const instrumentName = (text: string): InstrumentName => text as InstrumentName;
export const currency = (text: string): Currency => text as Currency;
export const orderId = (text: string): OrderId => text as OrderId;
export const tradeId = (text: string): TradeId => text as TradeId;
export const venueName = (text: string): VenueName => text as VenueName;
export const childLabelOf = (text: string): ChildLabel => text as ChildLabel;

export function deploymentId(text: string): DeploymentId {
  assert(/^[a-z0-9]{4}$/.test(text), `deployment id must be four of a-z0-9, got "${text}"`);
  return text as DeploymentId;
}

/** Address of a child order. Legs and slices count from 0, attempts from 1. */
export interface ChildAddress {
  readonly deployment: DeploymentId;
  readonly portfolio: PortfolioId;
  readonly leg: number;
  readonly slice: number;
  readonly attempt: number;
}

const LABEL = /^tw1-([a-z0-9]{4})-([0-9a-z]{1,12})-(\d{1,3})-(\d{1,6})-(\d{1,4})$/;

/** `tw1-<deployment>-<portfolio in base 36>-<leg>-<slice>-<attempt>`. */
export function childLabel(address: ChildAddress): ChildLabel {
  const portfolio = Number(address.portfolio).toString(36);
  const { deployment, leg, slice, attempt } = address;
  return `tw1-${deployment}-${portfolio}-${leg}-${slice}-${attempt}` as ChildLabel;
}

/** Address of one of a portfolio's Block RFQs, which are numbered from 1. */
export interface RfqAddress {
  readonly deployment: DeploymentId;
  readonly portfolio: PortfolioId;
  readonly number: number;
}

const RFQ_LABEL = /^tw1-([a-z0-9]{4})-([0-9a-z]{1,12})-rfq-(\d{1,4})$/;

/** `tw1-<deployment>-<portfolio in base 36>-rfq-<number>`; it never collides with a child order's label. */
export const rfqLabel = ({ deployment, portfolio, number }: RfqAddress): RfqLabel =>
  `tw1-${deployment}-${Number(portfolio).toString(36)}-rfq-${number}` as RfqLabel;

/** The address in a label, or `undefined` if the label is not one of ours. */
export function parseRfqLabel(label: string): RfqAddress | undefined {
  const match = RFQ_LABEL.exec(label);
  if (match === null) return undefined;
  const [, deployment = '', portfolio = '', number = ''] = match;
  return {
    deployment: deployment as DeploymentId,
    portfolio: Number.parseInt(portfolio, 36).toString() as PortfolioId,
    number: Number(number),
  };
}

/** Prefix of every label of a deployment: it distinguishes our orders from foreign ones. */
export const labelPrefix = (deployment: DeploymentId): string => `tw1-${deployment}-`;

/** The address in a label, or `undefined` if the label is not ours. */
export function parseChildLabel(label: string): ChildAddress | undefined {
  const match = LABEL.exec(label);
  if (match === null) return undefined;
  const [, deployment = '', portfolio = '', leg = '', slice = '', attempt = ''] = match;
  return {
    deployment: deployment as DeploymentId,
    portfolio: Number.parseInt(portfolio, 36).toString() as PortfolioId,
    leg: Number(leg),
    slice: Number(slice),
    attempt: Number(attempt),
  };
}
