import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { NODE } from '../world.ts'

/** A receiver of docs/receive-webhooks.md, and how it is run. */
export interface Receiver {
  name: string
  /** The files of the page, which are written to the same places in its folder. */
  files: readonly string[]
  /** The folder in test/fixtures that holds the rest of the project. */
  project?: string
  /** What this machine lacks; undefined if the receiver can be run. */
  missing: string | undefined
  /** The shell command that serves on this port of loopback. */
  command(port: number): string
}

const ILLUMINATE = '/usr/share/php/Illuminate'
/** The jars of Spring 4.3, whose names have another number, and of a server and a database. */
const JARS = [
  ...['aop', 'beans', 'context', 'core', 'expression', 'jdbc', 'transaction', 'web', 'web.servlet'].map(
    (part) => `spring3-${part}`,
  ),
  ...['http', 'io', 'security', 'server', 'servlet', 'util'].map((part) => `jetty9-${part}`),
  ...['commons-logging', 'servlet-api', 'h2'],
].map((name) => `/usr/share/java/${name}.jar`)

function has(program: string, ...args: string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0
}

/** The first Python that has a module; undefined if none has it. */
export function pythonWith(module: string): string | undefined {
  return ['python3', '/usr/bin/python3'].find((python) => has(python, '-c', `import ${module}`))
}

const python = pythonWith('http.server')
const flask = pythonWith('flask')
const django = pythonWith('django')
const php = has('php', '--version')
const laravel = php && existsSync(ILLUMINATE) && has('php', '-r', 'new PDO("sqlite::memory:");')
const spring = has('javac', '--version') && JARS.every((jar) => existsSync(jar))
const go = has('go', 'version')

export const RECEIVERS: readonly Receiver[] = [
  ...['receiver.mjs', 'express.mjs', 'fastify.mjs'].map((file) => ({
    name: file,
    files: [file],
    missing: undefined,
    command: () => `exec '${NODE}' ${file}`,
  })),
  {
    name: 'Python',
    files: ['receiver.py'],
    missing: python === undefined ? 'python3' : undefined,
    command: () => `exec ${python} receiver.py`,
  },
  {
    name: 'Flask',
    files: ['webhooks.py'],
    missing: flask === undefined ? 'python3-flask' : undefined,
    command: (port) => `exec ${flask} -m flask --app webhooks run --port ${port}`,
  },
  {
    name: 'Django',
    files: ['pix/models.py', 'pix/views.py'],
    project: 'django',
    missing: django === undefined ? 'python3-django' : undefined,
    command: (port) =>
      `export DJANGO_SETTINGS_MODULE=shop.settings; ${django} -m django migrate --run-syncdb --verbosity 0 && exec ${django} -m django runserver --noreload 127.0.0.1:${port}`,
  },
  {
    name: 'PHP',
    files: ['receiver.php'],
    missing: php ? undefined : 'php',
    command: (port) => `exec php -S 127.0.0.1:${port} receiver.php`,
  },
  {
    name: 'Laravel',
    files: ['app/Http/Controllers/PixController.php'],
    project: 'laravel',
    missing: laravel ? undefined : 'php-laravel-framework or php-sqlite3',
    command: (port) => `exec php -S 127.0.0.1:${port} server.php`,
  },
  {
    name: 'Spring',
    files: ['PixController.java'],
    project: 'spring',
    missing: spring
      ? undefined
      : 'javac, libspring-web-servlet-java, libspring-jdbc-java, libjetty9-java or libh2-java',
    command: () =>
      `[ -d classes ] || javac -cp '${JARS.join(':')}' -d classes *.java && exec java -cp 'classes:${JARS.join(':')}' Shop`,
  },
  {
    name: 'Go',
    files: ['receiver.go'],
    missing: go ? undefined : 'go',
    command: () => '[ -x receiver ] || go build -o receiver receiver.go && exec ./receiver',
  },
]
