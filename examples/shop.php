<?php
// A shop in PHP, without packages: `php -S 127.0.0.1:3000 shop.php`. It sells one thing, for R$ 10.50.
declare(strict_types=1);
ini_set('display_errors', '0'); // errors go to the log, without the secret
http_response_code(500); // unless an answer is given below; the gateway delivers again

$gateway = getenv('PIXGATE_BASE_URL') ?: throw new RuntimeException('PIXGATE_BASE_URL is missing');
$secret = getenv('PIXGATE_CLIENT_SECRET') ?: throw new RuntimeException('PIXGATE_CLIENT_SECRET is missing');
$shopUrl = getenv('SHOP_URL') ?: 'http://' . $_SERVER['HTTP_HOST'];
const PRICE_CENTS = 1050;

$database = new PDO('sqlite:' . (getenv('SHOP_DATA') ?: '.') . '/shop.db', options: [PDO::ATTR_TIMEOUT => 4]);
$database->exec('CREATE TABLE IF NOT EXISTS orders (
    id TEXT PRIMARY KEY, amount_cents INTEGER, code TEXT, image TEXT, is_paid INTEGER)');

/** Creates a charge, and stores the order before anybody can see its code. Returns its idTransaction. */
function createOrder(PDO $database, string $gateway, #[SensitiveParameter] string $secret, string $shopUrl): string
{
    $order = [
        'requestNumber' => bin2hex(random_bytes(16)),
        'dueDate' => date('Y-m-d', strtotime('+1 day')),
        'amount' => PRICE_CENTS / 100,
        'callbackUrl' => "$shopUrl/pix",
    ];
    $context = stream_context_create(['http' => [
        'method' => 'POST',
        'header' => ["Authorization: Bearer $secret", 'Content-Type: application/json'],
        'content' => json_encode($order),
        'timeout' => 30,
    ]]);
    $answer = file_get_contents("$gateway/api/v2/gateway/request-qrcode", false, $context);
    if ($answer === false) throw new RuntimeException('the gateway did not create the charge');
    $charge = json_decode($answer, true, flags: JSON_THROW_ON_ERROR);
    $row = [$charge['idTransaction'], PRICE_CENTS, $charge['paymentCode'], $charge['paymentCodeBase64']];
    $database->prepare('INSERT INTO orders VALUES (?, ?, ?, ?, 0)')->execute($row);
    return $charge['idTransaction'];
}

/** True if the signature is that of these exact bytes; hex or Base64, because the documentation does not say which. */
function isGenuine(string $body, string $header, #[SensitiveParameter] string $secret): bool
{
    $expected = hash_hmac('sha256', $body, $secret, true);
    $isHex = preg_match('/^[0-9a-f]{64}$/i', $header) === 1;
    $given = $isHex ? hex2bin($header) : base64_decode($header, true);
    return is_string($given) && hash_equals($expected, $given);
}

/** Credits a paid order, once, however often and in whatever order webhooks arrive. */
function handleEvent(PDO $database, array $event): void
{
    $data = $event['data'] ?? [];
    // EXPIRED and CANCELLED charges are reported by `pix.received`, too.
    if (($event['event'] ?? '') !== 'pix.received' || ($data['status'] ?? '') !== 'PAID') return;
    $update = $database->prepare('UPDATE orders SET is_paid = 1 WHERE id = ? AND amount_cents = ? AND is_paid = 0');
    $update->execute([$data['idTransaction'], (int) round($data['amount'] * 100)]); // on the disk when it returns
    if ($update->rowCount() === 0) error_log("not credited; paid before, unknown or another amount: {$data['idTransaction']}");
}

function page(PDO $database, string $id): ?string
{
    $query = $database->prepare('SELECT amount_cents, code, image, is_paid FROM orders WHERE id = ?');
    $query->execute([$id]);
    $order = $query->fetch(PDO::FETCH_ASSOC);
    if ($order === false) return null;
    if ($order['is_paid']) return '<!doctype html><title>Shop</title><p>Paid, thank you.';
    $amount = number_format($order['amount_cents'] / 100, 2);
    return <<<HTML
        <!doctype html><title>Shop</title><meta http-equiv="refresh" content="5">
        <p>Pay R$ $amount by PIX:</p>
        <img src="data:image/png;base64,{$order['image']}" alt="QR code"><p><code>{$order['code']}</code></p>
        HTML;
}

$route = $_SERVER['REQUEST_METHOD'] . ' ' . parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
if ($route === 'POST /orders') {
    header('Location: /orders/' . createOrder($database, $gateway, $secret, $shopUrl), true, 303);
} elseif ($route === 'POST /pix') {
    $body = file_get_contents('php://input'); // the raw bytes: verified before anything parses them
    if (!isGenuine($body, $_SERVER['HTTP_X_SIGNATURE'] ?? '', $secret)) {
        http_response_code(401);
        return;
    }
    handleEvent($database, json_decode($body, true, flags: JSON_THROW_ON_ERROR));
    http_response_code(200);
} elseif ($route === 'GET /credits') { // what `pixgate webhook check --state-url` reads
    http_response_code(200);
    echo json_encode($database->query('SELECT id FROM orders WHERE is_paid ORDER BY id')->fetchAll(PDO::FETCH_COLUMN));
} elseif ($route === 'GET /') {
    http_response_code(200);
    echo '<!doctype html><title>Shop</title><form method="post" action="/orders"><button>Buy';
} else {
    $html = page($database, basename($route));
    http_response_code($html === null ? 404 : 200);
    echo $html;
}
