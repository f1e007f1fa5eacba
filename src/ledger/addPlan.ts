import type { PlanRecord } from './records.ts'
import type { Writer } from './writer.ts'

/** So much of a plan's text is in one record. */
const PART_CHARACTERS = 256 * 1024
/** Records that a plan was made or came here, with its text; nothing if the ledger has it. */
export function addPlan(writer: Writer, content: Omit<PlanRecord, 'type' | 'parts'>, text: string): void {
  if (writer.database.has("SELECT 1 FROM plan_step WHERE plan = ? AND type = 'plan'", content.plan)) return
  let parts = 0
  for (let from = 0; from < text.length; from += PART_CHARACTERS) {
    parts += 1
    const part = text.slice(from, from + PART_CHARACTERS)
    writer.append({ type: 'plan-text', plan: content.plan, owner: content.owner, part: parts, text: part })
  }
  writer.append({ type: 'plan', ...content, parts })
}
