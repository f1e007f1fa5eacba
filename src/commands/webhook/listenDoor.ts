import { hostname } from 'node:os'
import type { Context } from '../../context.ts'
import { type Signer, secretsOf } from '../../profiles/signer.ts'
import { BODY_BYTES_MAX } from '../../receiver/door.ts'
import { isSelfCall, LISTENER_HEADER } from '../../receiver/reachability.ts'
import { type Delivery, type RunningReceiver, startReceiver } from '../../receiver/receiver.ts'
import { t } from '../../text/words.ts'
import type { EventOwner } from '../../timeline/records.ts'
import { reachableHost } from '../../wire/address.ts'
import { listenFailure } from '../listenFailure.ts'
import type { ListenWishes } from './listenOptions.ts'
import type { ListenScreen } from './listenScreen.ts'

/** A listener's door: where it listens, and by what it knows its own calls. */
export interface Door {
  receiver: RunningReceiver
  url: string
  /** What a call to itself carries and is answered. */
  self: { nonce: string; id: string }
  /** The name by which it is reached from outside; it is taken as its own. */
  publicName: string | null
}

/** Who hears of deliveries, and whose they are. */
interface Hearer {
  readonly owner: EventOwner
  readonly screen: ListenScreen
  delivered(delivery: Delivery): void
}

/** Opens the listener's door. Throws UsageError where it cannot listen. */
export async function openDoor(context: Context, wishes: ListenWishes, signer: Signer, hearer: Hearer): Promise<Door> {
  const { host, port, path, allowUnsigned } = wishes
  const self = { nonce: context.newId(), id: context.newId() }
  const journal = await context.journal()
  await journal.prepare().catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error)) throw error
    context.terminal.alarm(
      t`What arrived before cannot be read, so duplicates of it are not known: ${String(error.code)}`,
    )
  })
  const names: { publicName: string | null } = { publicName: null }
  const isOwnName = (name: string) => [host, hostname(), names.publicName].some((own) => own?.toLowerCase() === name)
  const receiver = await startReceiver({
    host,
    port,
    shape: {
      path,
      bodyBytesMax: BODY_BYTES_MAX,
      isOwnName,
      selfCall: (headers) => (isSelfCall(headers, self.nonce) ? { [LISTENER_HEADER]: self.id } : null),
    },
    secrets: secretsOf(signer).map(({ secret }) => secret.reveal()),
    allowUnsigned,
    now: context.now,
    keep: ({ facts, body, target, headers, isSigned, receivedAtMs }) => {
      // Nobody knows whose an unsigned event is, so it belongs to no account and moves nothing.
      const owner = isSigned ? hearer.owner : { ...hearer.owner, profile: null, baseUrl: null, clientId: null }
      return journal.keep({ facts, body, target, headers, owner, isSigned, via: 'listen', receivedAtMs })
    },
    onDelivery: (delivery) => hearer.delivered(delivery),
    onNotKept: (error) => hearer.screen.notKept(error),
  }).catch((error: unknown) => {
    throw listenFailure(
      error,
      wishes,
      t`Is a listener running already? Stop it, or choose another port: \`--port 0\` picks a free one`,
    )
  })
  const url = `http://${reachableHost(host)}:${receiver.port}${path ?? '/'}`
  return Object.assign(names, { receiver, url, self })
}
