import childProcess, { ChildProcess } from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'
import { afterEach, expect, it, vi } from 'vitest'
import { runProgram } from '../../src/profiles/childProgram.ts'

afterEach(() => {
  vi.restoreAllMocks()
  syncBuiltinESMExports()
})

/** What Node.js gives where no descriptor is left: a child without an id and without streams. */
function unstarted(): ChildProcess {
  const child = new ChildProcess()
  process.nextTick(() => child.emit('error', Object.assign(new Error('spawn EMFILE'), { code: 'EMFILE' })))
  return child
}

it('ends a program that could not be started without a signal, which would reach this one', async () => {
  const kill = vi.spyOn(ChildProcess.prototype, 'kill').mockReturnValue(false)
  vi.spyOn(childProcess, 'spawn').mockImplementation(unstarted)
  // The modules of other tests are loaded already, so what they imported is replaced.
  syncBuiltinESMExports()
  const program = { command: 'print-secret', env: {}, input: 'x', reads: ['stdout'] } as const
  const ended = { exit: null, fault: expect.stringContaining('too many files are open') }
  expect(await runProgram(program)).toMatchObject(ended)
  expect(await runProgram({ ...program, words: ['-L'] })).toMatchObject(ended)
  await expect(runProgram({ ...program, interrupt: AbortSignal.abort() })).rejects.toThrow('Interrupted')
  expect(kill).not.toHaveBeenCalled()
})
