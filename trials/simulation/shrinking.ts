import type { SimulationServer } from './database.ts'
import { FAULT_NAMES, type FaultName } from './faults.ts'
import { runSeed, type SeedOptions, type SeedResult } from './simulation.ts'

/** The fewest players to try. */
const FEWEST_PLAYERS = 1

/**
 * Repeats a failed seed with fewer players and without one kind of fault at a time, as long as it still fails. The rest
 * is easier to read. Omissions change the schedule, so the smaller run may reach the same failure another way.
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
