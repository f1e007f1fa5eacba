"""A shop in Python, without packages: `python3 shop.py`. It sells one thing, for R$ 10.50."""

import base64, hashlib, hmac, json, os, re, sqlite3, uuid
from contextlib import closing
from datetime import date, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.request import Request, urlopen

GATEWAY = os.environ["PIXGATE_BASE_URL"]
SECRET = os.environ["PIXGATE_CLIENT_SECRET"]
PORT = int(os.environ.get("PORT", "3000"))
SHOP_URL = os.environ.get("SHOP_URL", f"http://127.0.0.1:{PORT}")
DATABASE = os.path.join(os.environ.get("SHOP_DATA", "."), "shop.db")
PRICE_CENTS = 1050
if not SECRET:
    raise SystemExit("PIXGATE_CLIENT_SECRET is empty")


def connect():
    return closing(sqlite3.connect(DATABASE, timeout=4))


def create_order():
    """Creates a charge, and stores the order before anybody can see its code. Returns its idTransaction."""
    order = {
        "requestNumber": str(uuid.uuid4()),
        "dueDate": (date.today() + timedelta(days=1)).isoformat(),
        "amount": PRICE_CENTS / 100,
        "callbackUrl": f"{SHOP_URL}/pix",
    }
    headers = {"Authorization": f"Bearer {SECRET}", "Content-Type": "application/json"}
    request = Request(f"{GATEWAY}/api/v2/gateway/request-qrcode", json.dumps(order).encode(), headers)
    with urlopen(request, timeout=30) as response:
        charge = json.load(response)
    row = (charge["idTransaction"], PRICE_CENTS, charge["paymentCode"], charge["paymentCodeBase64"])
    with connect() as database, database:
        database.execute("INSERT INTO orders VALUES (?, ?, ?, ?, 0)", row)
    return charge["idTransaction"]


def is_genuine(body, header):
    """True if the signature is that of these exact bytes; hex or Base64, because the documentation does not say which."""
    expected = hmac.new(SECRET.encode(), body, hashlib.sha256).digest()
    try:
        if re.fullmatch("[0-9a-fA-F]{64}", header):
            given = bytes.fromhex(header)
        else:
            given = base64.b64decode(header, validate=True)
    except ValueError:
        return False
    return hmac.compare_digest(given, expected)


def handle_event(event):
    """Credits a paid order, once, however often and in whatever order webhooks arrive."""
    data = event.get("data") or {}
    # EXPIRED and CANCELLED charges are reported by `pix.received`, too.
    if event.get("event") != "pix.received" or data.get("status") != "PAID":
        return
    paid = (data["idTransaction"], round(data["amount"] * 100))
    with connect() as database, database:  # committed, and on the disk, before it is answered
        statement = "UPDATE orders SET is_paid = 1 WHERE id = ? AND amount_cents = ? AND is_paid = 0"
        if database.execute(statement, paid).rowcount == 0:
            print("not credited; paid before, unknown or another amount:", data["idTransaction"])


def page(order_id):
    with connect() as database:
        query = "SELECT amount_cents, code, image, is_paid FROM orders WHERE id = ?"
        order = database.execute(query, (order_id,)).fetchone()
    if order is None:
        return None
    cents, code, image, is_paid = order
    if is_paid:
        return "<!doctype html><title>Shop</title><p>Paid, thank you."
    return f"""<!doctype html><title>Shop</title><meta http-equiv="refresh" content="5">
<p>Pay R$ {cents / 100:.2f} by PIX:</p>
<img src="data:image/png;base64,{image}" alt="QR code"><p><code>{code}</code></p>"""


class Shop(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))  # the raw bytes
        if self.path == "/orders":
            return self.answer(303, location=f"/orders/{create_order()}")
        if self.path != "/pix":
            return self.answer(404)
        if not is_genuine(body, self.headers.get("X-Signature", "")):  # before anything parses them
            return self.answer(401)
        handle_event(json.loads(body))
        self.answer(200)

    def do_GET(self):
        if self.path == "/credits":  # what `pixgate webhook check --state-url` reads
            with connect() as database:
                paid = database.execute("SELECT id FROM orders WHERE is_paid ORDER BY id").fetchall()
            return self.answer(200, json.dumps([order_id for (order_id,) in paid]))
        if self.path == "/":
            return self.answer(200, '<!doctype html><title>Shop</title><form method="post" action="/orders"><button>Buy')
        html = page(self.path.removeprefix("/orders/"))
        self.answer(404 if html is None else 200, html or "")

    def answer(self, status, text="", location=None):
        body = text.encode()
        self.send_response(status)
        if location:
            self.send_header("Location", location)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


with connect() as database, database:
    columns = "id TEXT PRIMARY KEY, amount_cents INTEGER, code TEXT, image TEXT, is_paid INTEGER"
    database.execute(f"CREATE TABLE IF NOT EXISTS orders ({columns})")
server = ThreadingHTTPServer(("127.0.0.1", PORT), Shop)
print(f"The shop listens at http://127.0.0.1:{PORT}", flush=True)
server.serve_forever()
