import { ChildProcess, spawn } from 'node:child_process'
import { expect, it, vi } from 'vitest'
import { runProgram } from '../../src/profiles/childProgram.ts'

vi.mock('node:child_process', async (original) => ({ ...(await original<object>()), spawn: vi.fn() }))

/** What Node.js gives where no descriptor is left: a child without an id and without streams. */
function unstarted(): ChildProcess {
  const child = new ChildProcess()
  process.nextTick(() => child.emit('error', Object.assign(new Error('spawn EMFILE'), { code: 'EMFILE' })))
  return child
}

it('ends a program that could not be started without a signal, which would reach this one', async () => {
  const kill = vi.spyOn(ChildProcess.prototype, 'kill').mockReturnValue(false)
  vi.mocked(spawn).mockImplementation(unstarted)
  const program = { command: 'print-secret', env: {}, input: 'x', reads: ['stdout'] } as const
  const ended = { exit: null, fault: expect.stringContaining('too many files are open') }
  expect(await runProgram(program)).toMatchObject(ended)
  expect(await runProgram({ ...program, words: ['-L'] })).toMatchObject(ended)
  await expect(runProgram({ ...program, interrupt: AbortSignal.abort() })).rejects.toThrow('Interrupted')
  expect(kill).not.toHaveBeenCalled()
})
