// Resources of a running process (Linux), and its own metrics.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '../../product.ts'

/** Of Linux, in which a process's time is counted. */
const TICKS_A_SECOND = 100

/** Peak memory of a process, in MiB. */
export async function mostMemoryMiB(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? NaN) / 1024
}

/** Number of a process's open descriptors. */
export async function openDescriptors(pid: number): Promise<number> {
  return (await readdir(`/proc/${pid}/fd`)).length
}

/** One value of /metrics without labels. @throws Error if it is missing */
export async function metricOf(client: Client, name: string): Promise<number> {
  const { text } = await client.call({ method: 'GET', path: '/metrics' })
  const value = new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]
  if (value === undefined) throw new Error(`/metrics has no ${name}`)
  return Number(value)
}

/** CPU time used by a process so far, in ms (Linux). */
export async function processorMs(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? []
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_A_SECOND
}

/** Pause between two looks at the memory of the database's processes, in ms. */
const MEMORY_LOOK_MS = 50

/**
 * Watches the memory that the database's processes have of their own, without what they share, until it is asked to end.
 *
 * @returns what ends it, with the most that they had together at one moment, in MiB
 */
export function watchDatabaseMemory(dataDir: string): () => Promise<number> {
  let isOver = false
  const watching = (async () => {
    const file = await readFile(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8')
    const server = Number(file.split('\n')[0])
    let most = 0
    while (!isOver) {
      const children = await readFile(`/proc/${server}/task/${server}/children`, 'utf8')
      const own = await Promise.all([server, ...children.trim().split(' ').map(Number)].map(ownMemoryMiB))
      most = Math.max(
        most,
        own.reduce((sum, one) => sum + one, 0),
      )
      await sleep(MEMORY_LOOK_MS)
    }
    return most
  })()
  return async () => {
    isOver = true
    return await watching
  }
}

/** Memory of a process that it shares with no other, in MiB; 0 if it has ended. */
async function ownMemoryMiB(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1024
}
