// Where a venue that speaks Deribit's wire is, as options of the configuration: an environment, or nothing but an address.
import { z } from 'zod';

const ACCEPTED = 'accepted: for example ws://127.0.0.1:8090/ws/api/v2';

const isBare = ({ username, password, search, hash }: URL): boolean =>
  `${username}${password}${search}${hash}` === '';

export const deribitEnvironment = z.enum(['test', 'production', 'coinbase']);

/** In place of an environment of Deribit. */
export const deribitAddress = z
  .string()
  .refine((text) => URL.canParse(text) && /^wss?:$/.test(new URL(text).protocol), {
    message: `is not an address of an exchange; ${ACCEPTED}`,
  })
  .refine((text) => !URL.canParse(text) || isBare(new URL(text)), {
    message: `carries more than an address; ${ACCEPTED}`,
  });
