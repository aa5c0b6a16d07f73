// What a client checks of an answer before it reads it. Without the schema library, which costs a short command more than its
// request.
import type { Fault } from '../wire/envelope.ts';

export interface HealthRecord {
  readonly ready: boolean;
  readonly reasons: readonly string[];
}

export interface Envelope {
  readonly succ: boolean;
  readonly code: number;
  readonly message: string;
  readonly value?: unknown;
  readonly errors?: readonly Fault[];
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

export const isEnvelope = (value: unknown): value is Envelope =>
  isObject(value) &&
  typeof value['succ'] === 'boolean' &&
  typeof value['code'] === 'number' &&
  typeof value['message'] === 'string' &&
  (value['errors'] === undefined ||
    (Array.isArray(value['errors']) && value['errors'].every(isFault)));

const isFault = (value: unknown): value is Fault =>
  isObject(value) &&
  typeof value['field'] === 'string' &&
  typeof value['code'] === 'number' &&
  typeof value['message'] === 'string';

export const isHealth = (value: unknown): value is HealthRecord =>
  isObject(value) &&
  typeof value['ready'] === 'boolean' &&
  Array.isArray(value['reasons']) &&
  value['reasons'].every((reason) => typeof reason === 'string');
