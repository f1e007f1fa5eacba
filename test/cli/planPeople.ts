import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readPlan } from '../../src/plans/plan.ts'
import type { AtEnd, World } from '../world.ts'

/** A person who signs: the file of the private key, and the public key as a line. */
export interface Person {
  file: string
  line: string
}

/** SSH keys of these people, in a folder that is gone when the tests are. */
export function people<Name extends string>(atEnd: AtEnd, ...names: Name[]): Readonly<Record<Name, Person>> {
  const folder = mkdtempSync(join(tmpdir(), 'pixgate-test-keys-'))
  atEnd(() => rmSync(folder, { recursive: true, force: true }))
  const made = names.map((name): [Name, Person] => {
    const file = join(folder, name)
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', name, '-f', file])
    return [name, { file, line: readFileSync(`${file}.pub`, 'utf8').trim() }]
  })
  return Object.fromEntries(made) as Record<Name, Person>
}

/** The armoured signature of a person over a text. */
export function signatureOf({ file }: Person, text: string, namespace = 'pixgate'): string {
  return execFileSync('ssh-keygen', ['-Y', 'sign', '-q', '-n', namespace, '-f', file], {
    input: text,
    encoding: 'utf8',
  })
}

/** The signature of a person over a text, with a certificate of their key by an authority. */
export function certifiedSignature({ file }: Person, authority: Person, text: string): string {
  const certified = join(mkdtempSync(`${file}-`), 'key')
  for (const end of ['', '.pub']) copyFileSync(`${file}${end}`, `${certified}${end}`)
  execFileSync('ssh-keygen', ['-q', '-s', authority.file, '-I', 'key', '-n', 'key', `${certified}.pub`])
  copyFileSync(`${certified}-cert.pub`, `${certified}.pub`)
  return signatureOf({ file: certified, line: '' }, text)
}

/** Makes a plan of a command line in a new file, and returns its path. */
export async function planned(
  world: Pick<World, 'home' | 'prepare'>,
  words: readonly string[],
  maker: Person,
  name = 'plan.json',
) {
  const file = join(world.home, name)
  await world.prepare([...words, '--plan', file, '--ssh-key', maker.file])
  return file
}

/** The name of the plan in a file. */
export function nameOf(file: string): string {
  return readPlan(readFileSync(file, 'utf8'), file).id
}

/** Writes a changed plan in the place of another, signed by its maker. */
export function rewrite(file: string, maker: string, person: Person, change: (text: string) => string): void {
  const text = change(readFileSync(file, 'utf8'))
  writeFileSync(file, text)
  writeFileSync(`${file}.${maker}.sig`, signatureOf(person, text))
}
