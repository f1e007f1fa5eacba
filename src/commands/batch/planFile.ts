import { createHash } from 'node:crypto'
import { RowSource } from '../../batch/rowSource.ts'
import type { Context } from '../../context.ts'
import type { PaymentContext } from '../../payments/paymentContext.ts'
import { PLAN_REQUESTS_MAX } from '../../plans/plan.ts'
import { bytesOf, type FileSource } from '../../spreadsheet/fileContent.ts'
import { t } from '../../text/translate.ts'
import type { CheckedBatch } from '../../views/batch/batchQuestion.ts'
import { UsageError } from '../../wire/errors.ts'
import { makePlan } from '../plan/makePlan.ts'
import type { FileOptions } from './fileOptions.ts'

/** Writes the rows of a file that are to be sent as a plan. Returns the exit code. Throws UsageError. */
export async function planFile(
  context: Context,
  payments: PaymentContext,
  { file, plan }: CheckedBatch,
  { name, source, remarks }: { name: string | null; source: FileSource; remarks: readonly string[] },
  options: FileOptions,
): Promise<number> {
  const { kind, reference, columns, fields } = file
  if (plan.now.count > PLAN_REQUESTS_MAX) {
    throw new UsageError(t`A plan has at most ${PLAN_REQUESTS_MAX} requests, and this file has ${plan.now.count}`, {
      details: [t`Nothing was sent`],
      hint: t`Use \`--limit ${PLAN_REQUESTS_MAX}\` to plan a part of it`,
    })
  }
  const rows = await new RowSource(payments.ledger, plan, context.now()).take(plan.now.count)
  const draft = {
    kind,
    payments: rows.map(({ state: { row } }) => ({
      facts: row.facts,
      externalId: row.facts.kind === 'transfer' ? row.rowId : null,
    })),
    batch: { reference, file: name, columns, fields },
    rows: rows.map(({ state: { row } }) => ({
      line: row.line,
      id: row.rowId,
      isTypedId: row.isTypedId,
      cells: row.cells,
    })),
    sourceSha256: await digestOf(source),
    warnings: remarks,
    repeats: options,
  }
  return makePlan(context, payments, draft, options)
}

async function digestOf(source: FileSource): Promise<string> {
  const digest = createHash('sha256')
  for await (const chunk of bytesOf(source)) digest.update(chunk)
  return digest.digest('hex')
}
