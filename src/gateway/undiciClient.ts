import request from 'undici/lib/api/api-request.js'
import Client from 'undici/lib/dispatcher/client.js'
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js'

// The package's index does this for all ways to send, but to load all of it takes three times as long.
Object.assign(Dispatcher.prototype, { request })

export { Client }
