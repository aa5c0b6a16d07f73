// TLS at the gateway's port, without a proxy in front.
import { z } from 'zod';

export const tlsSection = z
  .strictObject({
    cert: z
      .string()
      .min(1)
      .describe(
        'File with the certificate of this gateway and its chain, in PEM, for clients beyond this machine.',
      ),
    key: z
      .string()
      .min(1)
      .describe(
        'File with the private key of the certificate, in PEM, readable by its owner only.',
      ),
    ca: z
      .string()
      .min(1)
      .optional()
      .describe(
        'File with the authorities, in PEM, of which every client needs a certificate; absent: clients need none.',
      ),
  })
  .describe('Serves over TLS only. The files are read again on SIGHUP.');

export type TlsSection = z.output<typeof tlsSection>;
