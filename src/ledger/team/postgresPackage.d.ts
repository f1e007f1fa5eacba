/** What pixgate uses of the package `postgres`, whose own types lack the option `socket`. */
declare module 'postgres' {
  /** All options that the package would otherwise read from variables of the environment, and those that pixgate sets. */
  interface PostgresOptions {
    socket: () => import('node:stream').Duplex
    host: string
    port: number
    user: string
    database: string
    password: () => string
    connection: { application_name: string }
    target_session_attrs: 'prefer-standby'
    prepare: boolean
    fetch_types: boolean
    max: number
    onnotice: () => void
    ssl: false
    sslnegotiation: null
    idle_timeout: number
    connect_timeout: number
    max_lifetime: number
    max_pipeline: number
    keep_alive: number
    backoff: boolean
    debug: boolean
    publications: string
  }

  /** `unsafe` sends a text as it is, and gives an array of rows, or of such arrays for several statements. */
  export default function postgres(options: PostgresOptions): { unsafe(sql: string): PromiseLike<unknown> }
}
