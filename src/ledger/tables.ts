import { hash } from 'node:crypto'
import type { Database } from '../storage/sqlite.ts'
import { ACCEPTED_BEFORE_INDEX } from './acceptedBefore.ts'
import { PAYEE_TABLE } from './payees.ts'
import { PLAN_TABLE } from './plans.ts'
import { REFUSED_RECORD_TABLE } from './refusedRecords.ts'
import { ACCOUNT_RULE_TABLES, PROFILE_CHANGE_TABLE } from './rulesInForce.ts'
import { RUN_ROW_TABLE } from './runRows.ts'
import { VERIFIED_EVENT_TABLE } from './verifiedEvents.ts'

/**
 * The tables that hold what cannot be built again. `record` is the source of truth: it is append-only and chained by checksums. `run_row`
 * holds the rows of batches as they were read.
 *
 * Times in columns ending in `_ms` are milliseconds since the epoch; amounts are integer cents. Ids compare without case.
 */
const STORED_TABLES = `
-- One row for each thing that happened, in the order of time. content is JSON (see records.ts). digest is the hex SHA-256 over the
-- digest before it and the other columns, so a changed or missing row is noticed. payment is the payment's UUID, NULL for events,
-- forwards and runs. stored_at_ms: when the server of a shared ledger stored it, by its own clock; NULL in a ledger of one machine.
CREATE TABLE record (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  at TEXT NOT NULL,
  user TEXT NOT NULL,
  machine TEXT NOT NULL,
  type TEXT NOT NULL,
  payment TEXT,
  content TEXT NOT NULL,
  digest TEXT NOT NULL,
  stored_at_ms INTEGER
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

${RUN_ROW_TABLE}

-- A process that sends, works on a run or listens. It holds locks/<id>.lock as long as it lives.
CREATE TABLE process (
  id TEXT PRIMARY KEY,
  pid INTEGER NOT NULL,
  user TEXT NOT NULL,
  machine TEXT NOT NULL,
  since TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- A running listener: where it is reached, and whose webhooks it verifies, as JSON.
CREATE TABLE listener (
  process TEXT PRIMARY KEY REFERENCES process (id),
  detail TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Facts about the ledger itself: 'id' is a UUID that tells it from every other.
CREATE TABLE meta (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
${VERIFIED_EVENT_TABLE}`

/** The tables that are built from records, so that lists, sums and rules are plain SQL. */
export const DERIVED_TABLES = `
-- One charge, transfer or refund that must not be made twice. Its columns are derived from its records by derivePayment and written by
-- writePayment alone. name: request number, externalId of the attempt that counts, or id of the refunded payment. comparable_key: the PIX key,
-- or the id of the refunded payment, in one spelling. known_cents: requested, else as an answer or an event says. may_have_moved: 1 if money
-- moved or may have; moved_cents: how much. was_sent: 1 if an equal payment is a repeat: money may have moved, only a person says that none
-- did, or a person and an event disagree. counted_cents: its part of the day's sum. sent_ms: when the last request may have left. first_sent_ms: when the first byte of the
-- attempt with an unknown outcome may have left, 0 if the clock was wrong then. event_scope: see eventScope. is_unknown: 1 if the outcome is unknown as
-- far as this machine can verify, 2 if only another login than that of the attempt says what became of it. day_ms: when a charge was paid, of any
-- other payment and of one that was not, when it was created, and never earlier. is_verified: see PaymentSummary.
CREATE TABLE payment (
  seq INTEGER PRIMARY KEY REFERENCES record (seq),
  id TEXT NOT NULL UNIQUE COLLATE NOCASE,
  account INTEGER NOT NULL REFERENCES account (id),
  profile TEXT,
  environment TEXT NOT NULL,
  kind TEXT NOT NULL,
  name TEXT NOT NULL COLLATE NOCASE,
  row_id TEXT COLLATE NOCASE,
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
  is_verified INTEGER NOT NULL,
  is_unknown INTEGER NOT NULL,
  may_have_moved INTEGER NOT NULL,
  moved_cents INTEGER NOT NULL,
  was_sent INTEGER NOT NULL,
  counted_cents INTEGER NOT NULL,
  known_cents INTEGER,
  day_ms INTEGER NOT NULL,
  sent_ms INTEGER NOT NULL,
  first_sent_ms INTEGER,
  status TEXT,
  error_code TEXT,
  id_transaction TEXT COLLATE NOCASE,
  attempts INTEGER NOT NULL
) STRICT;
CREATE INDEX payment_name ON payment (name, account);
CREATE INDEX payment_row ON payment (row_id, account) WHERE row_id IS NOT NULL;
-- Holds all that the rule about repeats asks, so that 1,000 equal payments are judged without reading them.
CREATE INDEX payment_key ON payment (comparable_key, account, amount_cents, sent_ms, run, was_sent) WHERE comparable_key IS NOT NULL;
-- The same, for a user who accepts everything up to a record.
CREATE INDEX payment_key_since ON payment (comparable_key, account, amount_cents, seq, sent_ms, run, was_sent) WHERE comparable_key IS NOT NULL;
CREATE INDEX payment_unsent ON payment (comparable_key, account, amount_cents) WHERE state = 'not-sent';
CREATE INDEX payment_to ON payment (comparable_key, account, kind, may_have_moved, sent_ms, moved_cents) WHERE comparable_key IS NOT NULL;
CREATE INDEX payment_unknown ON payment (comparable_key, account, amount_cents, run) WHERE is_unknown > 0;
CREATE INDEX payment_run ON payment (run, line) WHERE run IS NOT NULL;
CREATE INDEX payment_reference ON payment (reference, account) WHERE reference IS NOT NULL;
CREATE INDEX payment_unverified ON payment (seq) WHERE is_verified = 0;
CREATE INDEX payment_created ON payment (created_ms);
CREATE INDEX payment_day ON payment (day_ms);
CREATE INDEX payment_user ON payment (user, day_ms);
CREATE INDEX payment_state ON payment (state, account, day_ms);
CREATE INDEX payment_amount ON payment (account, known_cents);
-- Holds all that the sums of a period need, so that they are read without the table.
CREATE INDEX payment_sums ON payment (account, day_ms, seq, environment, kind, state, known_cents);
-- What an account sent since a time, for the limit of a day.
CREATE INDEX payment_sent ON payment (account, sent_ms, counted_cents);
CREATE INDEX payment_unidentified ON payment (event_scope, amount_cents) WHERE id_transaction IS NULL AND state IN ('unknown', 'accepted');

-- What the rules ask of a transfer or refund, a second time: target is a checksum over account, destination and amount (see targetDigest).
-- The rules look in payment and here, and both must find the same, because one damaged byte can hide a payment from an index.
CREATE TABLE sent_target (
  seq INTEGER PRIMARY KEY,
  target TEXT NOT NULL,
  payment TEXT NOT NULL COLLATE NOCASE,
  amount_cents INTEGER,
  run TEXT,
  row_id TEXT COLLATE NOCASE,
  is_unknown INTEGER NOT NULL,
  may_have_moved INTEGER NOT NULL,
  moved_cents INTEGER NOT NULL,
  was_sent INTEGER NOT NULL,
  is_whole INTEGER NOT NULL,
  sent_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX sent_target_lookup ON sent_target (target, sent_ms, run, was_sent);
CREATE INDEX sent_target_since ON sent_target (target, seq, sent_ms, run, was_sent);
CREATE INDEX sent_target_row ON sent_target (row_id) WHERE row_id IS NOT NULL;
CREATE INDEX sent_target_unknown ON sent_target (target, run) WHERE is_unknown > 0;

-- What the gateway answered to the newest query of each charge, if that is final, whichever command asked.
CREATE TABLE queried (
  account INTEGER NOT NULL REFERENCES account (id),
  id TEXT NOT NULL COLLATE NOCASE,
  seq INTEGER NOT NULL REFERENCES record (seq),
  status TEXT NOT NULL,
  amount_cents INTEGER,
  paid_at_ms INTEGER,
  PRIMARY KEY (account, id)
) STRICT, WITHOUT ROWID;

-- The records in which the gateway confirmed a clock that is behind the newest time of an environment. What was recorded there earlier with a later
-- time counts as made at this one.
CREATE TABLE clock_step (
  seq INTEGER PRIMARY KEY REFERENCES record (seq),
  environment TEXT NOT NULL,
  at_ms INTEGER NOT NULL
) STRICT;

-- The newest time by which requests of an environment count as made, see noteClock.
CREATE TABLE clock (
  environment TEXT PRIMARY KEY,
  at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The words by which a payment is found; its rowid is the payment's seq. cells are those of its row in a batch.
CREATE VIRTUAL TABLE search USING fts5(
  name, document, cells, words, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
);

-- One request of a payment with its own externalId. outcome is that of its last answer, 'unknown' before it. sender names the process that
-- is sending it, NULL when it has recorded the answer.
CREATE TABLE attempt (
  seq INTEGER PRIMARY KEY REFERENCES record (seq),
  id TEXT NOT NULL UNIQUE COLLATE NOCASE,
  payment TEXT NOT NULL REFERENCES payment (id),
  account INTEGER NOT NULL REFERENCES account (id),
  number INTEGER NOT NULL,
  external_id TEXT COLLATE NOCASE,
  outcome TEXT NOT NULL,
  id_transaction TEXT COLLATE NOCASE,
  sender TEXT
) STRICT;
CREATE INDEX attempt_payment ON attempt (payment);
CREATE INDEX attempt_external_id ON attempt (external_id, account) WHERE external_id IS NOT NULL;
CREATE INDEX attempt_id_transaction ON attempt (id_transaction) WHERE id_transaction IS NOT NULL;
CREATE INDEX attempt_sender ON attempt (sender) WHERE sender IS NOT NULL;

-- A genuine webhook. event_key is equal for deliveries that say the same (see eventKey), scope tells whose it is (NULL for a secret
-- alone or an unsigned event), owner is the exact account for the detection of duplicates. payment is the payment that it is about. is_verified: what
-- verified_event has of its bytes.
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
  id_transaction TEXT COLLATE NOCASE,
  original_id TEXT COLLATE NOCASE,
  external_id TEXT COLLATE NOCASE,
  status TEXT,
  amount_cents INTEGER,
  received_ms INTEGER NOT NULL,
  payment TEXT COLLATE NOCASE,
  is_verified INTEGER,
  last_forward_ok INTEGER
) STRICT;
CREATE INDEX event_unverified ON event (scope, is_verified, n) WHERE is_verified IS NOT 1 AND scope IS NOT NULL;
CREATE INDEX event_duplicates ON event (event_key, owner);
CREATE INDEX event_id_transaction ON event (id_transaction) WHERE id_transaction IS NOT NULL;
CREATE INDEX event_original_id ON event (original_id) WHERE original_id IS NOT NULL;
CREATE INDEX event_external_id ON event (external_id) WHERE external_id IS NOT NULL;
CREATE INDEX event_payment ON event (payment) WHERE payment IS NOT NULL;
CREATE INDEX event_unlinked ON event (amount_cents, scope, received_ms) WHERE payment IS NULL AND scope IS NOT NULL;

-- The result of forwarding or replaying the event n.
CREATE TABLE forward (
  seq INTEGER PRIMARY KEY REFERENCES record (seq),
  n INTEGER NOT NULL
) STRICT;
CREATE INDEX forward_event ON forward (n);
${PROFILE_CHANGE_TABLE}${ACCOUNT_RULE_TABLES}${PAYEE_TABLE}${PLAN_TABLE}${REFUSED_RECORD_TABLE}${ACCEPTED_BEFORE_INDEX}`

/** The names of these tables, those first to which others refer. */
export const DERIVED_TABLE_NAMES = [...DERIVED_TABLES.matchAll(/^CREATE (?:VIRTUAL )?TABLE (\w+)/gm)].flatMap(
  ([, name]) => name ?? [],
)

/** The statements that make a new ledger. */
export const TABLES = STORED_TABLES + DERIVED_TABLES

/** The tables hold keys in the form in which they are compared, so that another form makes other tables. */
const COMPARABLE_KEYS = 'as the directory of keys has them'

/** What `PRAGMA user_version` of a ledger with these tables holds. */
export const SCHEMA_DIGEST = schemaDigest(TABLES + COMPARABLE_KEYS)

/** 32 bits of a digest over statements without their comments, so that tables of another build are told from those of this one. */
export function schemaDigest(sql: string): number {
  return hash('sha256', sql.replace(/^--.*\n/gm, ''), 'buffer').readInt32BE()
}

/** All statements that made the tables and indexes of a database, as one text to compare it with another one. */
export function schemaOf(database: Database): string {
  return JSON.stringify(database.all('SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name'))
}
