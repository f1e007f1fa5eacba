import { performance } from 'node:perf_hooks'
import { parentPort } from 'node:worker_threads'
import { diagnoseSignature, type Mismatch, type SignatureDiagnosis } from './signatureDiagnosis.ts'

/** What the thread answers, and how long it took for that. */
export interface ThreadAnswer {
  diagnosis: SignatureDiagnosis
  ms: number
}

/** Runs in a thread of its own: diagnoses each mismatch that arrives, and sends the diagnosis back. */
parentPort?.on('message', (mismatch: Mismatch) => {
  const beganAtMs = performance.now()
  // A buffer arrives as plain bytes.
  const diagnosis = diagnoseSignature({ ...mismatch, body: Buffer.from(mismatch.body) })
  const answer: ThreadAnswer = { diagnosis, ms: performance.now() - beganAtMs }
  parentPort?.postMessage(answer)
})
