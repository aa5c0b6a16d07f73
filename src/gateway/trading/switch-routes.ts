// Declares the trading-switch operations as REST routes.
import type { FastifyInstance } from 'fastify';
import { serveTrading } from './serve-trading.ts';
import { SWITCH_METHODS, type SwitchRoutes } from './switch-methods.ts';

export const TRADING_PATH = '/tt/broker/openapi/trading';

export const serveSwitches = (scope: FastifyInstance, routes: SwitchRoutes): void =>
  serveTrading(scope, SWITCH_METHODS, routes);
