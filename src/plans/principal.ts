/** The name under which a person signs. */
const PRINCIPAL = /^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$/

/** True for a name under which a person can sign: no pattern, no list, safe in the name of a file. */
export function isPrincipal(name: string): boolean {
  return PRINCIPAL.test(name)
}

/** The name of a person whose key no list names: the user of the system, `finance (maria)` as `maria`. */
export function principalOfUser(user: string): string {
  const [, login] = /\(([^)]*)\)$/.exec(user) ?? []
  const plain = (login ?? user)
    .replace(/[^A-Za-z0-9._@-]/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 64)
  return plain === '' ? 'somebody' : plain
}
