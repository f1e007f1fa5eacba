import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineCommand } from '../commands/command.ts'
import { refuseCsv } from '../commands/optionValues.ts'
import type { Context, World } from '../context.ts'
import { BODY_BYTES_MAX } from '../receiver/door.ts'
import { startReceiver } from '../receiver/receiver.ts'
import { SANDBOX_DEFAULTS } from '../sandbox/options.ts'
import { startSandbox } from '../sandbox/server.ts'
import { t } from '../text/words.ts'
import { DemoRunner, type RunCommandLine } from './demoRunner.ts'
import { playSteps, type Step } from './demoSteps.ts'
import { Inbox } from './inbox.ts'

const SETTLE_MS = 300

/** `pixgate demo`: plays the life of one payment against a sandbox and a webhook receiver on free local ports. */
export const demo = defineCommand({
  description: 'Start a sandbox and a webhook receiver, play the life of one payment, then clean up',
  examples: [['pixgate demo', 'watch a payment from QR code to refund in a few seconds']],
  run: async (context) => play(context, (await import('../cli/run.ts')).runCli),
})

async function play(context: Context, runLine: RunCommandLine): Promise<number> {
  refuseCsv(context)
  const folder = await mkdtemp(join(tmpdir(), 'pixgate-demo-'))
  const clientId = context.newId()
  const clientSecret = context.newId()
  const inbox = new Inbox(context.world.interrupt)
  const receiver = await startReceiver({
    host: '127.0.0.1',
    port: 0,
    shape: { path: null, bodyBytesMax: BODY_BYTES_MAX, isOwnName: () => false, selfCall: () => null },
    secrets: [clientSecret],
    allowUnsigned: false,
    now: context.now,
    keep: async () => ({ n: null, duplicate: false }),
    onDelivery: (delivery) => inbox.put(delivery),
    onNotKept: (error) => {
      throw error
    },
  })
  const receiverUrl = `http://127.0.0.1:${receiver.port}/`
  const sandbox = await startSandbox({
    ...SANDBOX_DEFAULTS,
    port: 0,
    clientId,
    clientSecret,
    autoSettleMs: SETTLE_MS,
    now: context.now,
    newId: context.newId,
  })
  try {
    const env = {
      ...withoutPixgate(context.world.env),
      PIXGATE_BASE_URL: sandbox.url,
      PIXGATE_CLIENT_ID: clientId,
      PIXGATE_CLIENT_SECRET: clientSecret,
      PIXGATE_CALLBACK_URL: receiverUrl,
      PIXGATE_DATA_DIR: folder,
      PIXGATE_CONFIG_DIR: folder,
    }
    const runner = new DemoRunner({ ...context.world, env }, context.terminal, context.print.format === 'text', runLine)
    runner.say(t`Started a sandbox at ${sandbox.url} and a webhook receiver at ${receiverUrl}, for this demo only`)
    const steps = await playSteps(runner, inbox)
    return finish(context, runner, steps)
  } finally {
    await Promise.all([sandbox.close(), receiver.close()])
    await rm(folder, { recursive: true, force: true })
  }
}

function finish(context: Context, runner: DemoRunner, steps: readonly Step[]): number {
  const ok = steps.every((step) => step.ok)
  if (context.print.format === 'json') context.print.one({ ok, steps }, () => [])
  runner.blank()
  if (ok) {
    runner.say(t`All ${steps.length} steps ended as specified; the sandbox and its data were removed`)
    runner.say(t`To try it yourself, run \`pixgate sandbox\` in one terminal and the commands above in another`)
    return 0
  }
  for (const step of steps) {
    if (!step.ok) context.terminal.say(t`The step "${step.name}" did not end as specified: ${step.detail}`)
  }
  return 1
}

function withoutPixgate(env: World['env']): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('PIXGATE_')))
}
