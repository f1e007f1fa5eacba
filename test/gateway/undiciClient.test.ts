import { buildConnector, Client } from 'undici'
import ownConnector from 'undici/lib/core/connect.js'
import OwnClient from 'undici/lib/dispatcher/client.js'
import { expect, it } from 'vitest'

it('the client and the connector of undici are still the files that are loaded without the rest of undici', () => {
  expect(OwnClient).toBe(Client)
  expect(ownConnector).toBe(buildConnector)
})
