import { parseArgs } from 'node:util'
import { type CrashPoint, dieAtEach, nameOf, type Operation, OPERATIONS, storyOf } from './crash-points.ts'
import { inLanes } from './lanes.ts'
import { lightningFaultsOf } from './lightning.ts'
import { readRegressions, writeRegression } from './regressions.ts'
import { shrink } from './shrinking.ts'
import { runSeed, type SeedResult } from './simulation.ts'
import { PLANTED_BUGS } from './planted-bugs.ts'
import type { SimulationServer } from './database.ts'
import { startServer } from './server.ts'

const HELP = `npm run sim -- [--seeds 50] [--from 1]   plays seeds; the first failure is shrunk and recorded, and the exit status is 1
               --long                   continues without faults for over an hour, even when everything is done
               --lightning              plays only seeds in which the operator has a Lightning node
               --seed 7 --trace         shows every step of one seed
               --regressions            plays the seeds that failed before
               --crashes [--seeds 20]   kills a process at every call of every operation, before and after it, in each seed's story
               --crashes --seed 3 --deaths before:207,after:310 [--trace]  one story of them
               --bugs [--seeds 200] [--only text]  plants each bug and reports which seed finds it
`

const { values } = parseArgs({
  options: {
    seeds: { type: 'string' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    long: { type: 'boolean', default: false },
    lightning: { type: 'boolean', default: false },
    trace: { type: 'boolean', default: false },
    regressions: { type: 'boolean', default: false },
    bugs: { type: 'boolean', default: false },
    crashes: { type: 'boolean', default: false },
    deaths: { type: 'string' },
    only: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})

const say = (line: string): void => void process.stdout.write(`${line}\n`)

process.exit(values.help ? (say(HELP), 0) : await main())

async function main(): Promise<number> {
  const { server, stop } = await startServer()
  try {
    if (values.crashes && values.deaths !== undefined) return await crashOnce(server, values.deaths.split(','))
    if (values.crashes) return await crashEverywhere(server, Number(values.seeds ?? 20))
    if (values.bugs) return await searchBugs(server, Number(values.seeds ?? 200))
    return await playSeeds(server)
  } finally {
    await stop()
  }
}

/** Plays the requested seeds and stops at the first failure. */
async function playSeeds(server: SimulationServer): Promise<number> {
  const seeds = values.regressions ? readRegressions() : wantedSeeds()
  let steps = 0
  const seen = new Map<string, number>()
  let failed: SeedResult | null = null
  await inLanes(
    seeds,
    async (seed) => {
      const result = await runSeed(server, seed, { isLong: values.long, ...(values.trace ? { trace: say } : {}) })
      steps += result.steps
      for (const [what, times] of result.seen) seen.set(what, (seen.get(what) ?? 0) + times)
      if (values.trace || seeds.length === 1) say(factsOf(result))
      if (result.failures.length > 0) failed ??= result
    },
    () => failed !== null,
  )
  if (failed !== null) return await report(server, failed)
  say(
    `${seeds.length} seeds held, ${steps} steps, ${seen.get('commits') ?? 0} commits, each followed by every invariant it may have changed.`,
  )
  if (seeds.length > 1) say(listed(seen))
  return 0
}

async function report(server: SimulationServer, result: SeedResult): Promise<number> {
  say(`SEED ${result.seed} FAILED after ${result.steps} steps`)
  for (const failure of result.failures) say(`  ${failure}`)
  writeRegression(result.seed)
  const smallest = await shrink(server, result)
  say(
    `It still fails with ${smallest.players ?? 'the same'} players and without: ${[...(smallest.without ?? [])].join(', ') || 'nothing'}.`,
  )
  say(`npm run sim -- --seed ${result.seed} --trace`)
  return 1
}

/** Crashes at every point of the given number of stories, and stops at the first failure. */
async function crashEverywhere(server: SimulationServer, count: number): Promise<number> {
  const runs = new Map<Operation, number>()
  const begunMs = performance.now()
  let failed: string | null = null
  let stories = 0
  let runCount = 0
  let done = 0
  for (let seed = Number(values.seed ?? values.from); stories < (values.seed === undefined ? count : 1); seed += 1) {
    const story = await storyOf(server, seed)
    if (story === null) {
      say(`seed ${seed}: no line wins`)
      continue
    }
    stories += 1
    if (story.told.failures.length > 0) return await report(server, story.told)
    await dieAtEach(server, seed, story.points, ({ failures }, chain) => {
      runCount += 1
      if (failures.length === 0) return false
      failed = `npm run sim -- --crashes --seed ${seed} --deaths ${chain.map(keyOf).join(',')} --trace`
      say(`SEED ${seed} FAILED with crashes in ${chain.map(nameOf).join('; ')}`)
      for (const failure of failures) say(`  ${failure}`)
      return true
    })
    if (failed !== null) return (say(failed), 1)
    const times = OPERATIONS.map((one) => `${one} ${story.points.filter((point) => point.operation === one).length}`)
    done += story.points.length
    for (const { operation } of story.points) runs.set(operation, (runs.get(operation) ?? 0) + 1)
    say(`seed ${seed}: ${story.points.length} crashes survived (${times.join(', ')})`)
  }
  const times = OPERATIONS.map((one) => `${one} ${runs.get(one) ?? 0}`)
  const seconds = Math.round((performance.now() - begunMs) / 1000)
  say(`${done} crashes in ${runCount} stories of ${stories} seeds survived (${times.join(', ')}), ${seconds} s`)
  return 0
}

/** A crash as a command names it: `after:207`. */
function keyOf({ call, when }: CrashPoint): string {
  return `${when}:${call}`
}

async function crashOnce(server: SimulationServer, keys: readonly string[]): Promise<number> {
  const seed = Number(values.seed ?? 1)
  const points = (await storyOf(server, seed))?.points.filter((point) => keys.includes(keyOf(point))) ?? []
  if (points.length < keys.length) return (say(`seed ${seed} has no such call of an operation`), 1)
  say(`Crashes in ${points.map(nameOf).join('; ')}`)
  const deaths = points.toSorted((one, other) => one.call - other.call)
  const result = await runSeed(server, seed, { story: { deaths }, ...(values.trace ? { trace: say } : {}) })
  say(factsOf(result))
  for (const failure of result.failures) say(`  ${failure}`)
  return result.failures.length === 0 ? 0 : 1
}

async function searchBugs(server: SimulationServer, most: number): Promise<number> {
  let missed = 0
  const only = values.only
  const wanted = PLANTED_BUGS.filter(({ name }) => only === undefined || name.includes(only))
  await inLanes(wanted, async (planted) => {
    const found: string[] = []
    let tried = Number(values.from) - 1
    while (tried < most && found.length < 1) {
      tried += 1
      const { failures } = await runSeed(server, tried, { bug: planted })
      if (failures.length > 0) found.push(`seed ${tried}: ${(failures[0] ?? '').split('\n')[0]?.slice(0, 140)}`)
    }
    say(`${planted.name}: ${found.join(' | ') || `NOT FOUND in ${tried} seeds`}`)
    if (found.length === 0) missed += 1
  })
  return missed === 0 ? 0 : 1
}

function wantedSeeds(): number[] {
  if (values.seed !== undefined) return [Number(values.seed)]
  const seeds: number[] = []
  const count = Number(values.seeds ?? 50)
  for (let seed = Number(values.from); seeds.length < count; seed += 1)
    if (!values.lightning || lightningFaultsOf(seed) !== null) seeds.push(seed)
  return seeds
}

function factsOf({ seed, steps, traceHash, seen }: SeedResult): string {
  return `seed ${seed}: ${steps} steps, trace ${traceHash.slice(0, 16)}, ${listed(seen)}`
}

function listed(seen: ReadonlyMap<string, number>): string {
  const facts = [...seen].toSorted(([one], [other]) => (one < other ? -1 : 1))
  return facts.map(([what, times]) => `${what}: ${times}`).join(', ')
}
