// How a key is named in the configuration.
import { z } from 'zod';

export const keyId = z
  .string()
  .regex(
    /^[A-Za-z0-9._-]{1,64}$/,
    'is not a key id; accepted: up to 64 letters, digits, dots, dashes',
  );
