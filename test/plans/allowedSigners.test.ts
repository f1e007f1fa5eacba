import { afterAll, describe, expect, it } from 'vitest'
import { readAllowedSigners } from '../../src/plans/sshSignature.ts'
import { UsageError } from '../../src/wire/errors.ts'
import { people } from '../cli/planPeople.ts'

const { maria, joao } = people(afterAll, 'maria', 'joao')
/** The type and the Base64 of a key, without its comment. */
const keyOf = (line: string) => line.split(' ').slice(0, 2).join(' ')
const [M, J] = [keyOf(maria.line), keyOf(joao.line)]

function faultOf(text: string): string {
  try {
    readAllowedSigners(text, 'approvers')
  } catch (error) {
    if (error instanceof UsageError) return error.message
    throw error
  }
  return 'accepted'
}

describe('a list of approvers', () => {
  it('names people and their keys', () => {
    const text = `# Two people\nmaria namespaces="pixgate" ${M} maria@desk\n\njoao@x.co namespaces="pixgate",valid-before="20300101" ${J}\n`
    expect(readAllowedSigners(text, 'approvers')).toMatchObject({
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      signers: [
        { principal: 'maria', key: M.split(' ')[1] },
        { principal: 'joao@x.co', key: J.split(' ')[1] },
      ],
    })
  })

  it.each([
    ['* namespaces="pixgate" KEY', 'line 1: `*` is a pattern, and each line must name one person'],
    ['maria,joao namespaces="pixgate" KEY', 'line 1: `maria,joao` is a pattern, and each line must name one person'],
    ['ma?ia namespaces="pixgate" KEY', 'line 1: `ma?ia` is a pattern, and each line must name one person'],
    ['../maria namespaces="pixgate" KEY', 'line 1: `../maria` is not a valid name'],
    ['maria cert-authority,namespaces="pixgate" KEY', 'line 1: it has a certificate authority'],
    ['maria namespaces="pixgate",CERT-AUTHORITY KEY', 'line 1: it has a certificate authority'],
    ['maria KEY', 'line 1: it lacks `namespaces="pixgate"`'],
    ['maria namespaces="file" KEY', 'line 1: it lacks `namespaces="pixgate"`'],
    ['maria namespaces="pixgate,file" KEY', 'line 1: it lacks `namespaces="pixgate"`'],
    ['maria namespaces="pix*" KEY', 'line 1: it lacks `namespaces="pixgate"`'],
    [
      'maria namespaces="pixgate",no-touch-required KEY',
      'line 1: `no-touch-required` is not an option that it can have',
    ],
    ['maria namespaces="pixgate"', 'line 1: it has no key'],
    ['maria namespaces="pixgate" ssh-ed25519 AAAA', 'line 1: its key is not a whole `ssh-ed25519` key'],
    [
      'maria namespaces="pixgate" ssh-ed25519-cert-v01@openssh.com AAAA',
      'line 1: it has a certificate, and only plain keys are accepted',
    ],
    ['maria namespaces="pixgate" KEY\njoao namespaces="pixgate" KEY', 'line 2: it has the key of line 1 again'],
  ])('is refused: %s', (text, fault) => {
    const filled = text.replaceAll('KEY', M)
    expect(faultOf(filled)).toBe(`The list of approvers \`approvers\` cannot be used, ${fault}`)
  })

  it.each(['', '\n# nobody\n'])('is refused without a key: %j', (text) => {
    expect(faultOf(text)).toBe('The list of approvers `approvers` has no keys')
  })
})
