"""Submits a TWAP with Python's standard library: python3 examples/submit.py [http://127.0.0.1:8080]"""
import base64, hashlib, hmac, json, os, sys, time, urllib.error, urllib.request, uuid

BASE = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8080"
KEY = os.environ.get("TWAPD_KEY", "demo-taker")
SECRET = os.environ.get("TWAPD_SECRET", "dHdhcGQtZGVtby10YWtlci1zZWNyZXQtMDEyMzQ1Njc4OQ==")


def ask(path, body=None):
    stamp, nonce = str(int(time.time() * 1000)), str(uuid.uuid4())
    signed = hmac.new(base64.b64decode(SECRET), f"{stamp}\n{nonce}".encode(), hashlib.sha256)
    headers = {"Authorization": f"Bearer {KEY}", "Service-API-Timestamp": stamp,
               "Service-API-Nonce": nonce, "Content-Type": "application/json",
               "Service-API-Signature": base64.b64encode(signed.digest()).decode()}
    if body is not None:
        headers["Idempotency-Key"], body = nonce, json.dumps(body).encode()
    url = f"{BASE}/tt/broker/openapi/portfolios/{path}"
    try:
        answer = json.load(urllib.request.urlopen(urllib.request.Request(url, body, headers)))
    except urllib.error.HTTPError as refused:
        answer = json.load(refused)
    return answer["value"] if answer["succ"] else sys.exit(answer["message"])


leg = {"instrument": "BTC-PERPETUAL", "instrumentType": "PERPETUAL", "side": 1,
       "quantity": "1000", "priceOptions": {"priceType": "MARKET"}}
made = ask("submit", {"accountId": 10001, "portfolioType": "TWAP", "legs": [leg],
                      "twapTrade": {"durationSec": 300, "frequencySec": 30}})["portfolioId"]
record = ask(f"info?portfolioId={made}")
print(f"portfolio {made} has status {record['portfolioStatus']}, {record['legs'][0]['filledQuantity']} filled")
