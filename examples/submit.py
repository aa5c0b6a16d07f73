"""Submits a TWAP portfolio and reads it back, with nothing but Python's standard library.

python3 examples/submit.py [http://127.0.0.1:8080]
"""
import base64, hashlib, hmac, json, os, sys, time, urllib.request, uuid

BASE = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8080"
KEY = os.environ.get("TWAPD_KEY", "demo-taker")
SECRET = os.environ.get("TWAPD_SECRET", "dHdhcGQtZGVtby10YWtlci1zZWNyZXQtMDEyMzQ1Njc4OQ==")


def ask(path, body=None):
    timestamp, nonce = str(int(time.time() * 1000)), str(uuid.uuid4())
    text = f"{timestamp}\n{nonce}".encode()
    signature = hmac.new(base64.b64decode(SECRET), text, hashlib.sha256).digest()
    headers = {
        "Authorization": f"Bearer {KEY}",
        "Service-API-Timestamp": timestamp,
        "Service-API-Nonce": nonce,
        "Service-API-Signature": base64.b64encode(signature).decode(),
    }
    if body is not None:
        headers |= {"Content-Type": "application/json", "Idempotency-Key": nonce}
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"{BASE}/tt/broker/openapi/portfolios/{path}", data, headers)
    with urllib.request.urlopen(request) as response:
        answer = json.load(response)
    if not answer["succ"]:
        raise SystemExit(answer["message"])
    return answer["value"]


leg = {"instrument": "BTC-PERPETUAL", "instrumentType": "PERPETUAL", "side": 1, "quantity": "1000",
       "priceOptions": {"priceType": "MARKET"}}
portfolio = {"accountId": 10001, "portfolioType": "TWAP", "legs": [leg],
             "twapTrade": {"durationSec": 300, "frequencySec": 30}}
portfolio_id = ask("submit", portfolio)["portfolioId"]
record = ask(f"info?portfolioId={portfolio_id}")
print(f"portfolio {portfolio_id} has status {record['portfolioStatus']},",
      f"{record['legs'][0]['filledQuantity']} filled")
