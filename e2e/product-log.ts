import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The file with everything that the product of a port has logged. */
export function logFileOf(port: string): string {
  return join(tmpdir(), `fairball-e2e-${port}.log`)
}
