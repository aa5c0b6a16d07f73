// Submits a TWAP portfolio and reads it back, with nothing but Node.
// node examples/submit.mjs [http://127.0.0.1:8080]
import { createHmac, randomUUID } from 'node:crypto';

const base = process.argv[2] ?? 'http://127.0.0.1:8080';
const key = process.env.TWAPD_KEY ?? 'demo-taker';
const secret = process.env.TWAPD_SECRET ?? 'dHdhcGQtZGVtby10YWtlci1zZWNyZXQtMDEyMzQ1Njc4OQ==';

async function ask(path, body) {
  const [timestamp, nonce] = [String(Date.now()), randomUUID()];
  const signature = createHmac('sha256', Buffer.from(secret, 'base64')).update(`${timestamp}\n${nonce}`);
  const headers = {
    Authorization: `Bearer ${key}`,
    'Service-API-Timestamp': timestamp,
    'Service-API-Nonce': nonce,
    'Service-API-Signature': signature.digest('base64'),
    ...(body && { 'Content-Type': 'application/json', 'Idempotency-Key': nonce }),
  };
  const request = { method: body ? 'POST' : 'GET', headers, body: body && JSON.stringify(body) };
  const answer = await (await fetch(`${base}/tt/broker/openapi/portfolios/${path}`, request)).json();
  if (!answer.succ) console.error(answer.message);
  return answer.succ ? answer.value : process.exit(1);
}

const [instrument, instrumentType] = ['BTC-PERPETUAL', 'PERPETUAL'];
const leg = { instrument, instrumentType, side: 1, quantity: '1000', priceOptions: { priceType: 'MARKET' } };
const twapTrade = { durationSec: 300, frequencySec: 30 };
const { portfolioId } = await ask('submit', { accountId: 10001, portfolioType: 'TWAP', twapTrade, legs: [leg] });
const { portfolioStatus, legs } = await ask(`info?portfolioId=${portfolioId}`);
console.log(`portfolio ${portfolioId} has status ${portfolioStatus}, ${legs[0].filledQuantity} filled`);
