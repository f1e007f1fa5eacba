import type { Context } from '../../context.ts'
import type { Delivery } from '../../listener/listenerServer.ts'
import { RefusalDiagnoser } from '../../listener/refusalDiagnoser.ts'
import { isRefusedWebhook, REFUSED_BYTES_MAX, RefusedWebhooks } from '../../listener/refusedWebhooks.ts'
import { type Signer, secretsOf } from '../../profiles/signer.ts'
import { t } from '../../text/translate.ts'
import { valuesOf } from '../../wire/rawRequest.ts'
import type { SignatureDiagnosis } from '../../wire/signatureDiagnosis.ts'
import { SIGNATURE_HEADER } from '../../wire/signatureHeader.ts'

/** What happens to the webhooks that a listener has refused. */
export interface RefusedDeliveries {
  /** Keeps and diagnoses it if it was refused because of its signature or body. To be called after the answer has left. */
  delivered(delivery: Delivery): void
  /** Resolves when all that are kept are written. */
  close(): Promise<void>
}

/**
 * Keeps refused webhooks for `verify --last-refused`, and tells what is found about a wrong signature. Only the listener's own secrets are
 * tried, so that nobody can find out from outside which others exist.
 */
export function openRefusedDeliveries(
  context: Context,
  signer: Signer,
  onFound: (delivery: Delivery, diagnosis: SignatureDiagnosis) => void,
): RefusedDeliveries {
  const { terminal, runtime } = context
  const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
  const { newId } = context
  const kept = new RefusedWebhooks({ folder: context.dataFolder(), secrets: runtime.secrets, newId }, (error) =>
    terminal.alarm(t`Refused webhooks cannot be kept: ${reasonOf(error)}`),
  )
  const diagnoser = new RefusalDiagnoser((error) =>
    terminal.alarm(t`Refused webhooks are no longer diagnosed: ${reasonOf(error)}`),
  )
  const secrets = secretsOf(signer).map(({ secret }) => secret.reveal())
  return {
    delivered(delivery) {
      if (!isRefusedWebhook(delivery)) return
      kept.keep(delivery)
      const { reason, body, headers } = delivery
      const [signature, another] = valuesOf(headers, SIGNATURE_HEADER)
      const isOne = signature !== undefined && another === undefined && reason !== 'missing' && reason !== 'not-json'
      if (!isOne || body.length > REFUSED_BYTES_MAX) return
      diagnoser.put({ body, signature, secrets, others: [], clientId: signer.clientId }, (diagnosis) => {
        if (diagnosis.tried.length > 0) onFound(delivery, diagnosis)
      })
    },
    async close() {
      await Promise.all([kept.close(), diagnoser.close()])
    },
  }
}
