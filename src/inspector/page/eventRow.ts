import type { EventLine } from '../pageData.ts'
import { el, tonedText } from './dom.ts'
import { texts } from './texts.ts'

/** What the row of a delivery holds, in every list. The style sheet gives each part its place. */
export function rowContents(line: EventLine): Node[] {
  const number = line.key.startsWith('m') ? texts.notRecorded : `#${line.key}`
  return [
    tonedText(line.verdict, line.tone, 'verdict'),
    el(
      'span',
      { class: 'what' },
      tonedText(line.event, line.eventTone, 'name'),
      ' ',
      tonedText(line.status, line.eventTone),
      ...(line.isProduction ? [' ', tonedText(texts.production, 'bad', 'badge')] : []),
    ),
    el('span', { class: 'amount' }, line.amount),
    el('span', { class: 'clock' }, `${line.day} ${line.clock}`),
    el('span', { class: 'about' }, [number, line.id].filter((part) => part !== '').join(' · ')),
    tonedText(line.forward === '' ? '' : `→ ${line.forward}`, line.forwardTone, 'forward'),
  ]
}
