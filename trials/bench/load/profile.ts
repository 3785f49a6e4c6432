// Shows where the product spends its CPU time: `--profile` works with every bench that starts it.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hasFlag } from './flags.ts'

const LISTED = 40

/** The parts of V8's profile that are read. */
interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number }
  }[]
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

/** The options that make Node write a profile when it exits; empty without `--profile`. */
export function profileOptions(folder: string): string[] {
  return hasFlag('profile') ? ['--cpu-prof', `--cpu-prof-dir=${folder}`] : []
}

/** Prints the functions with the most self time, for each profile in a folder. */
export function printProfiles(folder: string): void {
  if (!hasFlag('profile')) return
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.cpuprofile')))
    print(JSON.parse(readFileSync(join(folder, file), 'utf8')) as CpuProfile)
}

function print({ nodes, samples, timeDeltas }: CpuProfile): void {
  const places = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]))
  const times = new Map<string, number>()
  let all = 0
  for (const [index, id] of samples.entries()) {
    const frame = places.get(id)
    if (frame === undefined || frame.functionName === '(idle)') continue
    const micros = timeDeltas[index] ?? 0
    const where = frame.url.replace(/^.*\/(?=(?:packages|node_modules)\/)/, '')
    const name = `${frame.functionName || '(anonymous)'} ${where}${where === '' ? '' : `:${frame.lineNumber + 1}`}`
    times.set(name, (times.get(name) ?? 0) + micros)
    all += micros
  }
  const longest = [...times].toSorted(([, one], [, other]) => other - one).slice(0, LISTED)
  process.stdout.write(`\nThe product computed for ${(all / 1e6).toFixed(1)} s:\n`)
  for (const [name, micros] of longest)
    process.stdout.write(`${((micros / all) * 100).toFixed(1).padStart(5)} %  ${name}\n`)
}
