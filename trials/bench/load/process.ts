// What a running process takes (Linux), and what it tells of itself.
import { readdir, readFile } from 'node:fs/promises'
import type { Client } from '../../product.ts'

/** The most memory a process ever held, in MiB. */
export async function mostMemoryMiB(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? NaN) / 1024
}

/** How many descriptors a process has open. */
export async function openDescriptors(pid: number): Promise<number> {
  return (await readdir(`/proc/${pid}/fd`)).length
}

/** One value of /metrics without labels. @throws Error where it is not told */
export async function metricOf(client: Client, name: string): Promise<number> {
  const { text } = await client.call({ method: 'GET', path: '/metrics' })
  const value = new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]
  if (value === undefined) throw new Error(`/metrics does not tell ${name}`)
  return Number(value)
}
