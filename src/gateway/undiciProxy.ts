import connect from 'undici/lib/api/api-connect.js'
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js'
import EnvHttpProxyAgent from 'undici/lib/dispatcher/env-http-proxy-agent.js'

// How undici asks a proxy for a tunnel.
Object.assign(Dispatcher.prototype, { connect })

export { EnvHttpProxyAgent }
