import { Client } from 'undici'
import OwnFile from 'undici/lib/dispatcher/client.js'
import { expect, it } from 'vitest'

it('the client of undici is still the file that is loaded without the rest of undici', () => {
  expect(OwnFile).toBe(Client)
})
