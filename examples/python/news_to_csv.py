"""Appends the news of the key's portfolios to a CSV file, or - for the terminal, and resumes where the file ends:
python3 examples/python/news_to_csv.py http://127.0.0.1:8080 news.csv [HOW MANY]"""
import csv
import os
import sys

import twapd

url, path = sys.argv[1], sys.argv[2]
many = int(sys.argv[3]) if len(sys.argv) > 3 else None
after = None
if path != "-" and os.path.exists(path):
    with open(path, newline="") as written:
        for row in csv.DictReader(written):
            after = row["sequence"]
client = twapd.Client(
    url,
    key=os.environ.get("TWAPD_KEY", "demo-taker"),
    secret=os.environ.get("TWAPD_SECRET", "dHdhcGQtZGVtby10YWtlci1zZWNyZXQtMDEyMzQ1Njc4OQ=="),
)
out = sys.stdout if path == "-" else open(path, "a", newline="")
table = csv.writer(out, lineterminator="\n")
if after is None:
    table.writerow(["sequence", "timestamp", "type", "portfolio", "version"])
count = 0
with client.news(after=after) as news:
    for item in news:
        if isinstance(item, twapd.News):
            table.writerow([item.sequence, item.timestamp, item.type, item.portfolio_id, item.version])
            out.flush()
            count += 1
            if count == many:
                break
        elif isinstance(item, twapd.Resync):
            print(f"messages up to {item.sequence} are missing ({item.reason})", file=sys.stderr)
