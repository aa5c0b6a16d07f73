// Declares the override operations as REST routes.
import type { FastifyInstance } from 'fastify';
import { OVERRIDE_METHODS, type OverrideRoutes } from './override-methods.ts';
import { serveTrading } from './serve-trading.ts';

export const serveOverrides = (scope: FastifyInstance, routes: OverrideRoutes): void =>
  serveTrading(scope, OVERRIDE_METHODS, routes);
