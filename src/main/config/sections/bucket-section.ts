// An S3-compatible object store: where it is, and the key to it.
import { z } from 'zod';
import { secretSource } from './secret-source.ts';

export const bucketSection = z
  .strictObject({
    endpoint: z
      .string()
      .min(1)
      .describe('Address of the store, as its provider names it: https, or http on this machine.'),
    region: z
      .string()
      .min(1)
      .default('us-east-1')
      .describe('Region that requests are signed for, where the provider has several.'),
    bucket: z
      .string()
      .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'accepted: 3 to 63 of a-z, 0-9, . and -')
      .describe('Name of the bucket that takes the days.'),
    prefix: z
      .string()
      .regex(/^([A-Za-z0-9_-][A-Za-z0-9._-]*\/)*$/, 'accepted: empty, or names with / after each')
      .default('')
      .describe(
        'What every key begins with, where deployments share a bucket; empty, or with / at its end.',
      ),
    accessKeyId: z.string().min(1).describe('Id of the access key, which may put, get and list.'),
    secretKey: secretSource().describe('The secret access key that belongs to this id.'),
  })
  .describe('An S3-compatible object store.');

export type BucketSection = z.output<typeof bucketSection>;
