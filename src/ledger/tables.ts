/** The version that `PRAGMA user_version` holds. A ledger of a newer version is not opened. */
export const SCHEMA_VERSION = 1

/**
 * The schema. The table `record` is the source of truth: it is append-only and chained by checksums. `run_row` holds the rows of batches
 * as they were read. All other tables follow from them, so that lists, sums and rules are plain SQL, and can be built again.
 *
 * Times in columns ending in `_ms` are milliseconds since the epoch; amounts are integer cents.
 */
const TABLES = `
-- One row for each thing that happened, in the order of time. content is JSON (see records.ts). digest is the hex SHA-256 over the
-- digest before it and the other columns, so a changed or missing row is noticed. payment is the payment's UUID, NULL for events,
-- forwards and runs.
CREATE TABLE record (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  at TEXT NOT NULL,
  user TEXT NOT NULL,
  machine TEXT NOT NULL,
  type TEXT NOT NULL,
  payment TEXT,
  content TEXT NOT NULL,
  digest TEXT NOT NULL
) STRICT;
CREATE INDEX record_payment ON record (payment) WHERE payment IS NOT NULL;
CREATE TRIGGER record_is_never_changed BEFORE UPDATE ON record BEGIN SELECT RAISE(ABORT, 'records are never changed'); END;
CREATE TRIGGER record_is_never_deleted BEFORE DELETE ON record BEGIN SELECT RAISE(ABORT, 'records are never deleted'); END;

-- A base address and a client id: ids, repeats and limits are per account.
CREATE TABLE account (
  id INTEGER PRIMARY KEY,
  base_url TEXT NOT NULL,
  client_id TEXT NOT NULL,
  UNIQUE (base_url, client_id)
) STRICT;

-- One charge, transfer or refund that must not be made twice. Its columns are derived from its records by derivePayment.
-- name: request number, externalId of the attempt that counts, or id of the refunded payment. comparable_key: the PIX key in one spelling.
-- may_have_moved: 1 if money moved or may have. moved_cents: how much. known_cents: requested, else as an answer or an event says. sent_ms: when the last request may have left.
-- first_sent_ms: when the first byte of the attempt with an unknown outcome may have left. event_scope: see eventScope.
CREATE TABLE payment (
  seq INTEGER PRIMARY KEY REFERENCES record (seq),
  id TEXT NOT NULL UNIQUE,
  account INTEGER NOT NULL REFERENCES account (id),
  profile TEXT,
  environment TEXT NOT NULL,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  row_id TEXT,
  run TEXT,
  line INTEGER,
  reference TEXT,
  user TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  comparable_key TEXT,
  amount_cents INTEGER,
  is_whole INTEGER NOT NULL,
  event_scope TEXT NOT NULL,
  state TEXT NOT NULL,
  may_have_moved INTEGER NOT NULL,
  moved_cents INTEGER NOT NULL,
  known_cents INTEGER,
  sent_ms INTEGER NOT NULL,
  first_sent_ms INTEGER,
  status TEXT,
  error_code TEXT,
  id_transaction TEXT,
  attempts INTEGER NOT NULL
) STRICT;
CREATE INDEX payment_name ON payment (name, account);
CREATE INDEX payment_row ON payment (row_id, account) WHERE row_id IS NOT NULL;
CREATE INDEX payment_key ON payment (comparable_key, amount_cents, account) WHERE comparable_key IS NOT NULL;
CREATE INDEX payment_run ON payment (run, line) WHERE run IS NOT NULL;
CREATE INDEX payment_reference ON payment (reference, account) WHERE reference IS NOT NULL;
CREATE INDEX payment_created ON payment (created_ms);
CREATE INDEX payment_state ON payment (state, account, created_ms);
CREATE INDEX payment_amount ON payment (account, known_cents);
-- Holds all that the sums of a period need, so that they are read without the table.
CREATE INDEX payment_sums ON payment (account, created_ms, seq, environment, kind, state, known_cents);
CREATE INDEX payment_unidentified ON payment (event_scope, amount_cents) WHERE id_transaction IS NULL AND state IN ('unknown', 'accepted');

-- The words by which a payment is found; its rowid is the payment's seq. cells are those of its row in a batch.
CREATE VIRTUAL TABLE search USING fts5(
  name, document, cells, words, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
);

-- One request of a payment with its own externalId. outcome is that of its last answer, 'unknown' before it. sender names the process that
-- is sending it, NULL when it has recorded the answer.
CREATE TABLE attempt (
  seq INTEGER PRIMARY KEY REFERENCES record (seq),
  id TEXT NOT NULL UNIQUE,
  payment TEXT NOT NULL REFERENCES payment (id),
  account INTEGER NOT NULL REFERENCES account (id),
  number INTEGER NOT NULL,
  external_id TEXT,
  outcome TEXT NOT NULL,
  id_transaction TEXT,
  sender TEXT
) STRICT;
CREATE INDEX attempt_payment ON attempt (payment);
CREATE INDEX attempt_external_id ON attempt (external_id, account) WHERE external_id IS NOT NULL;
CREATE INDEX attempt_id_transaction ON attempt (id_transaction) WHERE id_transaction IS NOT NULL;
CREATE INDEX attempt_sender ON attempt (sender) WHERE sender IS NOT NULL;

-- What an account sent on a day in São Paulo ('2026-11-21'), for the limit of a day.
CREATE TABLE day_total (
  account INTEGER NOT NULL REFERENCES account (id),
  day TEXT NOT NULL,
  cents INTEGER NOT NULL,
  PRIMARY KEY (account, day)
) STRICT, WITHOUT ROWID;

-- A genuine webhook. event_key is equal for deliveries that say the same (see eventKey), scope tells whose it is (NULL for a secret
-- alone or an unsigned event), owner is the exact account for the detection of duplicates. payment is the payment that it is about.
CREATE TABLE event (
  n INTEGER PRIMARY KEY,
  seq INTEGER NOT NULL UNIQUE REFERENCES record (seq),
  owner TEXT NOT NULL,
  event_key TEXT NOT NULL,
  digest TEXT NOT NULL,
  duplicate_of INTEGER,
  scope TEXT,
  event TEXT,
  subject TEXT,
  id_transaction TEXT,
  original_id TEXT,
  external_id TEXT,
  status TEXT,
  amount_cents INTEGER,
  received_ms INTEGER NOT NULL,
  payment TEXT,
  last_forward_ok INTEGER
) STRICT;
CREATE INDEX event_duplicates ON event (event_key, owner);
CREATE INDEX event_id_transaction ON event (id_transaction) WHERE id_transaction IS NOT NULL;
CREATE INDEX event_original_id ON event (original_id) WHERE original_id IS NOT NULL;
CREATE INDEX event_external_id ON event (external_id) WHERE external_id IS NOT NULL;
CREATE INDEX event_payment ON event (payment) WHERE payment IS NOT NULL;
CREATE INDEX event_unlinked ON event (amount_cents) WHERE payment IS NULL AND scope IS NOT NULL;

-- The result of forwarding or replaying the event n.
CREATE TABLE forward (
  seq INTEGER PRIMARY KEY REFERENCES record (seq),
  n INTEGER NOT NULL
) STRICT;
CREATE INDEX forward_event ON forward (n);

-- A batch. state is 'planned' until the question is accepted, then 'accepted'; 'dry-run' if nothing will be sent. columns are the names of the
-- file's columns, fields the places of the request's fields among them, both JSON. worker names the process that works on it.
CREATE TABLE run (
  name TEXT PRIMARY KEY,
  seq INTEGER REFERENCES record (seq),
  account INTEGER NOT NULL REFERENCES account (id),
  kind TEXT NOT NULL,
  file TEXT,
  reference TEXT NOT NULL,
  columns TEXT NOT NULL,
  fields TEXT NOT NULL,
  state TEXT NOT NULL,
  rows INTEGER NOT NULL,
  total_cents INTEGER NOT NULL,
  fingerprint TEXT NOT NULL,
  worker TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX run_reference ON run (reference, account);

-- A row of a batch's file. facts is the payment as JSON (see MoneyPayment), cells the row's own cells as JSON. original_cents: the amount of
-- the payment that a refund returns, NULL if it was not asked for. is_left_out: 1 if the payment had been sent before this run, so that it is
-- only shown. digest is the hex SHA-256 over what was read from the file.
CREATE TABLE run_row (
  run TEXT NOT NULL REFERENCES run (name),
  line INTEGER NOT NULL,
  row_id TEXT NOT NULL,
  is_typed_id INTEGER NOT NULL,
  comparable_key TEXT NOT NULL,
  amount_cents INTEGER,
  facts TEXT NOT NULL,
  cells TEXT NOT NULL,
  original_cents INTEGER,
  is_left_out INTEGER NOT NULL,
  digest TEXT NOT NULL,
  PRIMARY KEY (run, line)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX run_row_id ON run_row (row_id, run);
CREATE INDEX run_row_key ON run_row (run, comparable_key, amount_cents);

-- A process that sends, works on a run or listens. It holds locks/<id>.lock as long as it lives.
CREATE TABLE process (
  id TEXT PRIMARY KEY,
  pid INTEGER NOT NULL,
  user TEXT NOT NULL,
  machine TEXT NOT NULL,
  since TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- A running listener: where it is reached, and whose webhooks it verifies.
CREATE TABLE listener (
  process TEXT PRIMARY KEY REFERENCES process (id),
  url TEXT NOT NULL,
  public_url TEXT,
  profile TEXT,
  environment TEXT NOT NULL,
  base_url TEXT,
  client_id TEXT
) STRICT, WITHOUT ROWID;

-- Facts about the ledger itself: 'id' is a UUID that tells it from every other.
CREATE TABLE meta (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`

/** The statements that bring a ledger from each version to the next, the first from an empty file. */
export const MIGRATIONS: readonly string[] = [TABLES]
