// The configuration of a daemon that trades one account over Deribit's wire, on an exchange of this machine.

/** The published demo key, which such exchanges accept. */
export const DEMO_SECRET = 'dHdhcGQtZGVtby10YWtlci1zZWNyZXQtMDEyMzQ1Njc4OQ==';

export interface DeribitPlace {
  readonly deployment: string;
  readonly dataDir: string;
  readonly strategies: string;
  /** The address of the WebSocket. */
  readonly url: string;
  /** Of the account at the exchange; default {@link DEMO_SECRET}. */
  readonly secret?: string;
}

/** All processes use the clock of this machine. */
export const deribitConfiguration = ({
  deployment,
  dataDir,
  strategies,
  url,
  secret = DEMO_SECRET,
}: DeribitPlace): string => `
service:
  host: 127.0.0.1
  port: 0
  deployment: ${deployment}
  dataDir: ${dataDir}
  strategies: ${strategies}
engine: { skewMs: 1000, readLagMs: 1000 }
limits: { durationSec: { min: 10, max: 86400 }, frequencySec: { min: 1, max: 3600 } }
venues:
  deribit:
    kind: deribit
    url: ${url}
    reconnectMaxMs: 500
    credentials:
      - account: "10001"
        clientId: demo-taker
        clientSecret: ${secret}
accounts:
  - { id: "10001", name: Desk, venue: deribit }
keys:
  - id: demo-taker
    secret: ${DEMO_SECRET}
    uid: "1001"
    nickname: Desk
    accounts: ["10001"]
    scopes: [trade, admin]
`;
