import type { Outage } from './faults.ts'

/** The requested service is down. */
export class Down extends Error {
  override readonly name = 'Down'

  constructor(what: Outage) {
    super(`${what} is down`)
  }
}
