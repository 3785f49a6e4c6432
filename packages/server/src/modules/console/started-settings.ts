import type { Tx } from '../../db/pool.ts'
import { startedSettings } from '../settings/service.ts'
import type { CarryOutContext } from './context.ts'
import { keepStartedSettings } from './health-queries.ts'

/** Keeps what this worker was started with, where no setting replaces it: the console has no such variables. */
export async function keepStarted({ settings }: Pick<CarryOutContext, 'settings'>, tx: Tx): Promise<void> {
  const started = Object.entries(startedSettings(settings))
  await tx.execute(keepStartedSettings, [started.map(([key]) => key), started.map(([, one]) => JSON.stringify(one))])
}
