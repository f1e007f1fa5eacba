import { describe, expect, test } from 'vitest'
import { sampleEvent } from '../../src/listener/samples.ts'
import { EVENT_NAMES } from '../../src/schemas/webhookBodies.ts'
import { SCHEMA_NAMES, schemaOf } from '../../src/views/outputSchemas.ts'
import { eventBody, WEBHOOK_STYLES } from '../../src/wire/eventBody.ts'
import { leafCommands } from '../commandTree.ts'
import { emptyWorld } from '../world.ts'
import { expectDocument, validator } from './validity.ts'

const ajv = validator()

test.each(SCHEMA_NAMES)('%s is a JSON Schema of draft 2020-12', (name) => {
  const schema = schemaOf(name) ?? {}
  expect(schema.$schema).toBe('https://json-schema.org/draft/2020-12/schema')
  expect(() => ajv.compile(schema)).not.toThrow()
})

test('there is a schema for each webhook event, and each sample keeps it in every style', () => {
  expect(SCHEMA_NAMES).toEqual(expect.arrayContaining([...EVENT_NAMES]))
  for (const name of EVENT_NAMES) {
    const sample = sampleEvent(name, { newId: () => crypto.randomUUID(), nowMs: Date.now() })
    for (const style of WEBHOOK_STYLES) expectDocument(name, JSON.parse(eventBody(sample, style)))
  }
})

test('there is a schema for the JSON of each command', () => {
  const sandboxControls = ['pay', 'expire', 'cancel', 'chargeback', 'return', 'fail']
  const shared = new Map([
    ...sandboxControls.map((name) => [`sandbox-${name}`, 'sandbox-control'] as const),
    ['history-list', 'history'],
    ['webhook-events-list', 'webhook-events'],
    ['batch-resume', 'resume'],
  ])
  // The first three print no JSON of their own, and the standard for the last one is OpenAPI.
  const without = /^(?:completion|help|sandbox-exec|sandbox-openapi)$/
  const names = leafCommands().filter((name) => !without.test(name))
  expect(names.length).toBeGreaterThan(40)
  expect(names.filter((name) => !SCHEMA_NAMES.includes(shared.get(name) ?? name))).toEqual([])
})

describe('pixgate schema', () => {
  test('lists the names, one a line or as an array', async () => {
    const world = emptyWorld()
    expect(await world.run(['schema'])).toEqual({ exit: 0, stdout: `${SCHEMA_NAMES.join('\n')}\n`, stderr: '' })
    const { stdout } = await world.run(['schema', '-o', 'json'])
    expect(JSON.parse(stdout)).toEqual(SCHEMA_NAMES)
    expectDocument('schema', JSON.parse(stdout))
  })

  test('prints one schema', async () => {
    expect(await emptyWorld().json(['schema', 'pix.received'])).toEqual(schemaOf('pix.received'))
  })

  test('takes the words of a command, also as one', async () => {
    const world = emptyWorld()
    expect(await world.json(['schema', 'batch', 'show'])).toEqual(schemaOf('batch-show'))
    expect(await world.json(['schema', 'sandbox pay'])).toEqual(schemaOf('sandbox-control'))
    expect(await world.json(['schema', 'transfer'])).toEqual(schemaOf('transfer'))
  })

  test('an unknown name is exit 2, with the nearest one', async () => {
    expect(await emptyWorld().run(['schema', 'pix.recieved'])).toEqual({
      exit: 2,
      stdout: '',
      stderr:
        'error: There is no schema `pix.recieved`\n' +
        'hint: Type `pixgate schema pix.received`; `pixgate schema` lists all names\n' +
        '  pixgate schema pix.received\n  pixgate schema\n',
    })
  })
})
