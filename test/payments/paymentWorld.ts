import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { onTestFinished } from 'vitest'
import { createGateway } from '../../src/gateway/client.ts'
import { openQueryQuota } from '../../src/gateway/queryQuota.ts'
import type { MoneyPayment } from '../../src/ledger/facts.ts'
import { type Ledger, openLedger } from '../../src/ledger/ledger.ts'
import type { Payee } from '../../src/ledger/payees.ts'
import type { Finding } from '../../src/ledger/paymentState.ts'
import { loadPayment, type Payment } from '../../src/ledger/payments.ts'
import type { AnswerRecord, RunPlace } from '../../src/ledger/records.ts'
import { accountRules } from '../../src/ledger/rulesInForce.ts'
import { WitnessFolder } from '../../src/ledger/witness.ts'
import { type Decision, type DurableAttempt, decide } from '../../src/payments/decide.ts'
import type { PaymentContext, PlansInUse } from '../../src/payments/paymentContext.ts'
import type { NewPayment, Proposal } from '../../src/payments/proposal.ts'
import { NO_REPEATS } from '../../src/payments/repeatOptions.ts'
import type { Account } from '../../src/profiles/account.ts'
import type { AccountRule, SettingValue } from '../../src/profiles/settings.ts'
import { loadSqlite, textOf } from '../../src/storage/sqlite.ts'
import { openTerminal } from '../../src/terminal/terminal.ts'
import type { Outcome } from '../../src/wire/errors.ts'
import { Secret } from '../../src/wire/secret.ts'
import { storeSampleEvent } from '../ledger/memoryLedger.ts'
import { ledgerProblems } from '../ledger/oracle/ledgerProblems.ts'
import { answerContent, type EventDifferences, NOON_MS, OWNER } from '../ledger/paymentHistory.ts'
import { TRANSFER } from './samplePayments.ts'

export const HOUR_MS = 60 * 60 * 1000
export const DAY_MS = 24 * HOUR_MS

/** A production account without limits, with these differences. */
function account(differences: Partial<Account> = {}): Account {
  return {
    url: OWNER.baseUrl,
    host: 'gateway.example.com',
    isLoopback: false,
    profile: 'prod',
    confirmName: 'prod',
    environment: 'production',
    clientId: OWNER.clientId,
    clientSecret: new Secret('secret-of-a-test'),
    callbackUrl: null,
    maxAmountCents: null,
    maxDayCents: null,
    readOnly: false,
    checkCommand: null,
    sources: { address: 'profile prod', clientId: 'profile prod', clientSecret: 'profile prod', callbackUrl: null },
    secretKind: 'stored',
    ...differences,
  }
}

/** How a payment of a test is proposed; the defaults are those of a single transfer. */
export interface Proposed {
  externalId?: string | null
  rowId?: string
  place?: RunPlace
  accepted?: readonly string[]
  originalCents?: number
}

/** A ledger in a temporary folder with a clock that a test sets, and one process that decides about payments. */
export class PaymentWorld {
  readonly home: string
  readonly ledger: Ledger
  readonly warnings: PassThrough
  nowMs = NOON_MS
  /** For how long the gateway is waited for. */
  timeoutMs = 1
  /** The approved plans that are sent or continued. */
  plans: PlansInUse | undefined
  /** What the gateway's clock shows; undefined for the same as this machine's. */
  gatewayMs: number | null | undefined

  constructor(home: string) {
    this.home = home
    this.warnings = new PassThrough()
    this.ledger = openLedger({
      folder: this.folder,
      user: 'maria',
      machine: 'desk',
      pid: process.pid,
      now: () => this.nowMs,
      newId: randomUUID,
      notice: () => undefined,
      timeoutMs: 0,
    })
  }

  get folder(): string {
    return join(this.home, 'data')
  }

  context(differences: Partial<Account> = {}): PaymentContext {
    const own = account(differences)
    const { signal } = new AbortController()
    const now = () => this.nowMs
    const surroundings = {
      env: {},
      timeoutMs: this.timeoutMs,
      interrupt: signal,
      abandon: signal,
      random: Math.random,
      now,
    }
    return {
      account: own,
      currentAccount: () => own,
      gateway: {
        ...createGateway(own, {
          ...surroundings,
          quota: openQueryQuota(this.folder, own.url, now),
          notice: () => undefined,
          trace: () => undefined,
          learned: async () => undefined,
        }),
        serverTimeMs: async () => (this.gatewayMs === undefined ? this.nowMs : this.gatewayMs),
      },
      ledger: this.ledger,
      witness: new WitnessFolder(join(this.home, 'config'), this.folder, randomUUID),
      terminal: openTerminal({
        stdin: () => new PassThrough(),
        stdout: new PassThrough(),
        stderr: this.warnings,
        env: {},
        secrets: [],
        interrupt: () => signal,
        colourForbidden: true,
        quiet: false,
        verbose: false,
        noInput: true,
        machineReadable: false,
      }),
      timeoutMs: this.timeoutMs,
      yes: false,
      confirm: undefined,
      env: {},
      interrupt: signal,
      abandon: signal,
      now,
      ...(this.plans === undefined ? {} : { plans: this.plans }),
    }
  }

  /** Sets a rule of the account. */
  async rule(rule: AccountRule, to: SettingValue): Promise<void> {
    await this.ledger.write((writer) => {
      const from = accountRules(writer.database, { url: OWNER.baseUrl, clientId: OWNER.clientId })[rule]
      writer.append({ type: 'account-rule', owner: OWNER, rule, from, to })
    })
  }

  /** Adds a payee of the account, or changes it. */
  async payee(name: string, payee: Partial<Omit<Payee, 'name'>> = {}): Promise<void> {
    const whole = { displayName: null, key: TRANSFER.key, keyType: TRANSFER.keyType, documentValidation: null }
    await this.ledger.write((writer) =>
      writer.append({ type: 'payee', owner: OWNER, name, payee: { name, ...whole, ...payee } }),
    )
  }

  async removePayee(name: string): Promise<void> {
    await this.ledger.write((writer) => writer.append({ type: 'payee', owner: OWNER, name, payee: null }))
  }

  /** Records a signed event. */
  async event(status: string, differences: EventDifferences): Promise<void> {
    await this.ledger.write((writer) => void storeSampleEvent(writer, status, differences, this.nowMs))
  }

  /** Decides about proposals, in one transaction. */
  decide(proposals: readonly Proposal[], differences: Partial<Account> = {}): Promise<Decision[]> {
    return decide(this.context(differences), proposals)
  }

  /** Decides about one new payment. */
  async propose(facts: MoneyPayment, how: Proposed = {}, differences: Partial<Account> = {}): Promise<Decision> {
    return only(await this.decide([proposalOf(facts, how)], differences))
  }

  /** Decides about one proposal that the rules allow. */
  async allow(proposal: Proposal, differences: Partial<Account> = {}): Promise<DurableAttempt> {
    return allowed(only(await this.decide([proposal], differences)))
  }

  /** A payment that the rules allow, and its answer; the id of the payment. */
  async pay(
    facts: MoneyPayment,
    outcome: Outcome,
    how: Proposed = {},
    answer: Partial<AnswerRecord> = {},
  ): Promise<string> {
    const { attempt, conflict } = await this.propose(facts, how)
    if (attempt === null) throw new Error(`it was not sent: ${conflict.why}`)
    await this.answer(attempt, outcome, answer)
    return attempt.record.payment
  }

  async answer({ record }: DurableAttempt, outcome: Outcome, differences: Partial<AnswerRecord> = {}): Promise<void> {
    await this.ledger.write((writer) => writer.append(answerContent(record.payment, record.id, outcome, differences)))
  }

  async settle(payment: string, as: Finding): Promise<void> {
    await this.ledger.write((writer) => writer.append({ type: 'finding', payment, as, because: 'seen' }))
  }

  payment(id: string): Promise<Payment> {
    return this.ledger.read((database) => loadPayment(database, id))
  }

  /** All payments, oldest first. */
  payments(): Promise<Payment[]> {
    return this.ledger.read((database) =>
      database.all('SELECT id FROM payment ORDER BY seq').map((row) => loadPayment(database, textOf(row, 'id'))),
    )
  }

  async problems(): Promise<string[]> {
    const open = await loadSqlite()
    return this.ledger.read((database) => ledgerProblems(database, open))
  }
}

/** The proposal of a new payment. */
export function proposalOf(facts: MoneyPayment, how: Proposed = {}): NewPayment {
  const externalId = how.externalId === undefined ? (facts.kind === 'transfer' ? 'new' : null) : how.externalId
  return {
    action: 'pay',
    facts,
    externalId,
    rowId: how.rowId ?? externalId,
    place: how.place ?? null,
    accepted: { ...NO_REPEATS, ids: how.accepted ?? [] },
    originalCents: how.originalCents ?? null,
    isIdMadeUp: false,
  }
}

/** The attempt of a decision that allowed one. */
export function allowed({ attempt, conflict }: Decision): DurableAttempt {
  if (attempt === null) throw new Error(`it was not sent: ${conflict.why}`)
  return attempt
}

/** Why a decision refused a payment; undefined if it did not. */
export function why({ conflict }: Decision): string | undefined {
  return conflict?.why
}

function only(decisions: readonly Decision[]): Decision {
  const [decision] = decisions
  if (decision === undefined || decisions.length > 1) throw new Error(`${decisions.length} decisions`)
  return decision
}

/** A new world; it is gone when the test is. */
export function paymentWorld(): PaymentWorld {
  const home = mkdtempSync(join(tmpdir(), 'pixgate-payments-'))
  const world = new PaymentWorld(home)
  onTestFinished(async () => {
    await world.ledger.close()
    rmSync(home, { recursive: true, force: true })
  })
  return world
}
