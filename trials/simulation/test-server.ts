import { inject } from 'vitest'
import { TEMPLATE } from '@fairball/server/testing/database'
import type { SimulationServer } from './database.ts'
import { openServer } from './server.ts'

/** The server for a file of tests. It begins with the template of the run, in which all migrations have run. */
export function openTestServer(): Promise<SimulationServer> {
  return openServer(inject('databaseServer'), `${TEMPLATE}_${inject('databaseRun')}`)
}
