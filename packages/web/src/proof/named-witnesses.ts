import { PolicyError, readPolicy } from '@fairball/domain/protocol/policy'
import { RemoteLog, textFile } from '@fairball/domain/protocol/remote-log'
import type { Api } from '../shared/api.ts'
import type { Runtime } from '../shared/runtime.ts'
import { readLog } from './files.ts'
import { keptStore } from './kept-store.ts'

/** The witnesses that an operator names for a draw; empty if there are none. */
export async function namedWitnesses(
  { api, runtime }: { readonly api: Api; readonly runtime: Pick<Runtime, 'fetch'> },
  { game, draw }: { readonly game: string; readonly draw: number },
): Promise<string[]> {
  const { open, statements } = await api.call('getFairnessDraw', { params: { game, number: draw } })
  return await readLog(runtime, async (get) => {
    const log = await RemoteLog.open(get)
    for (const index of statements) {
      const logged = index < log.size ? await log.logged(index) : null
      if (logged?.hash !== open || logged.statement.type !== 'open') continue
      const { quorum, witnesses } = readPolicy(await textFile(get, `text/${logged.statement.policy}`))
      return quorum === null ? [] : witnesses.map(({ name }) => name)
    }
    return []
  })
}

/** The fault of a policy, in a sentence; null if it is valid. */
export function policyFault(text: string): string | null {
  try {
    readPolicy(text)
    return null
  } catch (error) {
    if (error instanceof PolicyError) return error.message
    throw error
  }
}

/** Keeps the witnesses of a log that this browser's player trusts; null for none. */
export async function keepPolicy(origin: string, policy: string | null, seenAt: number): Promise<void> {
  const store = keptStore()
  const known = (await store.get('logs', origin)) ?? { origin, keys: [], seenAt, policy: null }
  await store.put('logs', { ...known, policy })
}
