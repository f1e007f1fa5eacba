import { test } from 'vitest'
import { CANARIES } from '../cli/canaries.ts'
import { driveEnvironment, driveStored } from '../cli/secretDrive.ts'
import { echoInAllLines } from '../cli/secretEcho.ts'

test.each(Object.entries(CANARIES))('no command shows or stores a secret: %s', async (_alphabet, secret) => {
  await driveStored(secret)
  await driveEnvironment(secret)
})

test.each(Object.entries(CANARIES))('a gateway sends the secret back: %s', async (_alphabet, secret) => {
  await echoInAllLines(secret)
})
