// Whole programs of others, and our own clients, against one daemon with its real stores: none is changed for it.
import { afterAll, beforeAll, describe } from 'vitest';
import { inOrder } from '../support/in-order.ts';
import { bareClient } from './bare-orders.ts';
import { besidePortfolios } from './beside-portfolios.ts';
import { ccxtRest } from './ccxt-rest.ts';
import { ccxtStreams } from './ccxt-streams.ts';
import { ClientStage } from './client-stage.ts';
import { pythonClient } from './python-client.ts';
import { tardisDev } from './tardis-dev.ts';
import { typedClient } from './typed-client.ts';

inOrder();

const stage = new ClientStage();
beforeAll(() => stage.start());
afterAll(() => stage.close());

describe('a client written from the documentation', () => bareClient(stage));
describe('ccxt over HTTP', () => ccxtRest(stage));
describe('ccxt over WebSocket', () => ccxtStreams(stage));
describe('tardis-dev', () => tardisDev(stage));
describe('the typed client', () => typedClient(stage));
describe('the Python client', () => pythonClient(stage));
// The last: it halts the deployment.
describe('ccxt in the account of a desk', () => besidePortfolios(stage));
