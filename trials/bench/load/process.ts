// Resources of a running process (Linux), and its own metrics.
import { readdir, readFile } from 'node:fs/promises'
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
