const watchersOf = new WeakMap<AbortSignal, Set<() => void>>()

/**
 * What is called when a signal aborts; whoever adds to it takes it out again. Of a batch each request watches the same two
 * signals for a moment, and to add a listener to them takes longer than all else that a request needs of them.
 */
export function abortWatchers(signal: AbortSignal): Set<() => void> {
  const known = watchersOf.get(signal)
  if (known !== undefined) return known
  const watchers = new Set<() => void>()
  watchersOf.set(signal, watchers)
  signal.addEventListener('abort', () => {
    for (const call of watchers) call()
  })
  return watchers
}
