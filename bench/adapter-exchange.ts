// The exchange of the bench of venue adapters, in a process of its own; says where it listens.
import process from 'node:process';
import { openOrderGateway } from './order-gateway.ts';

const { port } = await openOrderGateway();
process.send?.({ port });
