import type { SimulationServer } from './database.ts'
import { FAULT_NAMES, type FaultName } from './faults.ts'
import { runSeed, type SeedOptions, type SeedResult } from './simulation.ts'

/** As few players as fail alone. */
const FEWEST_PLAYERS = 1

/**
 * Plays a seed that failed with fewer players and without one kind of fault after the other, as long as it still fails:
 * what is left is easier to read. The schedule changes with what is left out, so it may be another way to the same failure.
 */
export async function shrink(server: SimulationServer, failed: SeedResult): Promise<SeedOptions> {
  let smallest: SeedOptions = {}
  const stillFails = async (options: SeedOptions): Promise<boolean> => {
    const { failures } = await runSeed(server, failed.seed, options)
    if (failures.length > 0) smallest = options
    return failures.length > 0
  }
  for (const name of FAULT_NAMES)
    await stillFails({ ...smallest, without: new Set<FaultName>([...(smallest.without ?? []), name]) })
  for (let players = FEWEST_PLAYERS; players <= 2; players += 1) if (await stillFails({ ...smallest, players })) break
  return smallest
}
