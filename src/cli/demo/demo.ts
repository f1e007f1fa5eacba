import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineCommand } from '../../commands/command.ts'
import type { Context } from '../../context.ts'
import { startListenerServer } from '../../listener/listenerServer.ts'
import { BODY_BYTES_MAX } from '../../listener/rejection.ts'
import { withoutAccount } from '../../profiles/childEnvironment.ts'
import { SANDBOX_DEFAULTS } from '../../sandbox/options.ts'
import { startSandbox } from '../../sandbox/server.ts'
import { languageFor, languageNow, nameOf, setCatalogue, t } from '../../text/translate.ts'
import { DemoRunner, type RunCommandLine } from './demoRunner.ts'
import { type DemoStep, Inbox, playSteps } from './demoSteps.ts'

const SETTLE_MS = 300

export const demo = defineCommand({
  examples: [['pixgate demo', 'see all of it in a few seconds']],
  run: async (context) => play(context, keepingLanguage((await import('../run.ts')).runCli)),
})

/** Runs command lines that choose the language of this process, such as English for JSON, and then goes on in that of the demo. */
function keepingLanguage(runLine: RunCommandLine): RunCommandLine {
  return async (argv, runtime) => {
    const { catalogue } = languageFor('people')
    const isForProgram = languageNow().catalogue !== catalogue
    try {
      return await runLine(argv, runtime)
    } finally {
      setCatalogue(catalogue, isForProgram)
    }
  }
}

async function play(context: Context, runLine: RunCommandLine): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'pixgate-demo-'))
  const clientId = context.newId()
  const clientSecret = context.newId()
  const inbox = new Inbox(context.runtime.interrupt)
  const listener = await startListenerServer({
    host: '127.0.0.1',
    port: 0,
    rules: { path: null, bodyBytesMax: BODY_BYTES_MAX, isOwnName: () => false },
    secrets: [clientSecret],
    allowUnsigned: false,
    now: context.now,
    sink: {
      keep: async () => ({ record: null, n: null, duplicate: false }),
      onDelivery: (delivery) => inbox.put(delivery),
      onNotStored: (error) => {
        throw error
      },
    },
  })
  const listenerUrl = `http://127.0.0.1:${listener.port}/`
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
      ...withoutAccount(context.runtime.env),
      PIXGATE_BASE_URL: sandbox.url,
      PIXGATE_CLIENT_ID: clientId,
      PIXGATE_CLIENT_SECRET: clientSecret,
      PIXGATE_CALLBACK_URL: listenerUrl,
      PIXGATE_DATA_DIR: folder,
      PIXGATE_CONFIG_DIR: folder,
      PIXGATE_LANG: nameOf(languageFor('people')),
    }
    const runner = new DemoRunner(
      { ...context.runtime, env },
      context.terminal,
      context.print.format === 'text',
      runLine,
    )
    runner.say(
      t`A sandbox at ${sandbox.url} and a listener at ${listenerUrl}, both on this machine and for this demo only`,
    )
    const steps = await playSteps(runner, inbox)
    return finish(context, runner, steps)
  } finally {
    await Promise.all([sandbox.close(), listener.close()])
    await rm(folder, { recursive: true, force: true })
  }
}

function finish(context: Context, runner: DemoRunner, steps: readonly DemoStep[]): number {
  const ok = steps.every((step) => step.ok)
  if (context.print.format === 'json') context.print.one({ ok, steps }, () => [])
  runner.blank()
  if (ok) {
    runner.say(t`All ${steps.length} steps ended as the specification says; nothing is left behind`)
    runner.say(t`To do it by hand, run \`pixgate sandbox\` in one terminal and the commands above in another`)
    return 0
  }
  for (const step of steps) {
    if (!step.ok) context.terminal.say(t`The step "${step.name}" did not end as specified: ${step.detail}`)
  }
  return 1
}
