import { parseArgs } from 'node:util'
import { dieAt, nameOf, type Operation, OPERATIONS, storyOf } from './crash-points.ts'
import { inLanes } from './lanes.ts'
import { readRegressions, writeRegression } from './regressions.ts'
import { shrink } from './shrinking.ts'
import { runSeed, type SeedResult } from './simulation.ts'
import { PLANTED_BUGS } from './planted-bugs.ts'
import type { SimulationServer } from './database.ts'
import { startServer } from './server.ts'

const HELP = `npm run sim -- [--seeds 50] [--from 1]   plays seeds; the first failure is made smaller, kept, and ends with status 1
               --long                   continues without faults for over an hour, also where everything came to its end
               --seed 7 --trace         shows every step of one seed
               --regressions            plays the seeds that failed once
               --crashes [--seeds 20]   kills a process at every call of every operation, before and after it, in each seed's story
               --crashes --seed 3 --call 207 --when after [--trace]  one of them
               --bugs [--seeds 200] [--only text]  plants each bug and tells which seed finds it
`

const { values } = parseArgs({
  options: {
    seeds: { type: 'string' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    long: { type: 'boolean', default: false },
    trace: { type: 'boolean', default: false },
    regressions: { type: 'boolean', default: false },
    bugs: { type: 'boolean', default: false },
    crashes: { type: 'boolean', default: false },
    call: { type: 'string' },
    when: { type: 'string', default: 'before' },
    only: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})

const say = (line: string): void => void process.stdout.write(`${line}\n`)

process.exit(values.help ? (say(HELP), 0) : await main())

async function main(): Promise<number> {
  const { server, stop } = await startServer()
  try {
    if (values.crashes && values.call !== undefined) return await crashOnce(server, Number(values.call))
    if (values.crashes) return await crashEverywhere(server, Number(values.seeds ?? 20))
    if (values.bugs) return await searchBugs(server, Number(values.seeds ?? 200))
    return await playSeeds(server)
  } finally {
    await stop()
  }
}

/** Plays the wanted seeds; the first that fails ends it. */
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
    `${seeds.length} seeds held, ${steps} steps, ${seen.get('commits') ?? 0} commits, each followed by every invariant that it can have changed.`,
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
    `It still fails with ${smallest.players ?? 'as many'} players and without: ${[...(smallest.without ?? [])].join(', ') || 'nothing'}.`,
  )
  say(`npm run sim -- --seed ${result.seed} --trace`)
  return 1
}

/** Every point of so many stories; the first that does not come to its end ends it. */
async function crashEverywhere(server: SimulationServer, count: number): Promise<number> {
  const runs = new Map<Operation, number>()
  const begunMs = performance.now()
  let failed: string | null = null
  let stories = 0
  let done = 0
  for (let seed = Number(values.seed ?? values.from); stories < (values.seed === undefined ? count : 1); seed += 1) {
    const story = await storyOf(server, seed)
    if (story === null) {
      say(`seed ${seed}: nobody wins`)
      continue
    }
    stories += 1
    if (story.told.failures.length > 0) return await report(server, story.told)
    await inLanes(
      story.points,
      async (point) => {
        const { failures } = await dieAt(server, seed, point)
        runs.set(point.operation, (runs.get(point.operation) ?? 0) + 1)
        done += 1
        if (done % 100 === 0) say(`  ${done} deaths`)
        if (failures.length === 0) return
        failed = `npm run sim -- --crashes --seed ${seed} --call ${point.call} --when ${point.when} --trace`
        say(`SEED ${seed} FAILED with a death in ${nameOf(point)}`)
        for (const failure of failures) say(`  ${failure}`)
      },
      () => failed !== null,
    )
    if (failed !== null) return (say(failed), 1)
    const times = OPERATIONS.map((one) => `${one} ${story.points.filter((point) => point.operation === one).length}`)
    say(`seed ${seed}: ${story.points.length} deaths came to nothing (${times.join(', ')})`)
  }
  const times = OPERATIONS.map((one) => `${one} ${runs.get(one) ?? 0}`)
  const seconds = Math.round((performance.now() - begunMs) / 1000)
  say(`${done} deaths in ${stories} stories came to nothing (${times.join(', ')}), ${seconds} s`)
  return 0
}

async function crashOnce(server: SimulationServer, call: number): Promise<number> {
  const seed = Number(values.seed ?? 1)
  const point = (await storyOf(server, seed))?.points.find((one) => one.call === call && one.when === values.when)
  if (point === undefined) return (say(`seed ${seed} has no such call of an operation`), 1)
  say(`A death in ${nameOf(point)}`)
  const result = await runSeed(server, seed, { story: { death: point }, ...(values.trace ? { trace: say } : {}) })
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
  return Array.from({ length: Number(values.seeds ?? 50) }, (_, index) => Number(values.from) + index)
}

function factsOf({ seed, steps, traceHash, seen }: SeedResult): string {
  return `seed ${seed}: ${steps} steps, trace ${traceHash.slice(0, 16)}, ${listed(seen)}`
}

function listed(seen: ReadonlyMap<string, number>): string {
  const facts = [...seen].toSorted(([one], [other]) => (one < other ? -1 : 1))
  return facts.map(([what, times]) => `${what}: ${times}`).join(', ')
}
